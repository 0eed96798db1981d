import LoadPlan

/// What every summary says of a run's shards.
extension RunRecord {
    /// That shards are missing, where somebody allowed it: the verdict says nothing of it then; nil otherwise.
    var missingRemark: String? {
        let missing = missingShards
        guard let shards, shards.contains(where: { $0.alignedBy != nil }), !missing.isEmpty else { return nil }
        guard !verdict.causes.contains(where: { $0.name == .shardMissing }) else { return nil }
        let count = shards.map(\.of).max() ?? 0
        return ShardNumbers.sentence(missing: missing, of: count)
    }

    /// Which shards the record is of, and how they began; nil for a whole run.
    var shardRemark: String? {
        guard let shards, let count = shards.map(\.of).max() else { return nil }
        let which = "\(Shard.names(shards.map(\.number))) of \(count)"
        let clocks = clockRemark.map { "; \($0)" } ?? ""
        guard let skew = startSkew else { return which + clocks }
        return "\(which), which began within \(HumanUnits.time(skew)) of each other\(clocks)"
    }

    /// How far the shards' clocks are from the gate's and the hosts'; nil where neither is known.
    private var clockRemark: String? {
        // A date header has whole seconds, so half of one is all that it can tell.
        let hosts = clockToHosts.map { "the hosts' to within \(HumanUnits.duration(max($0, Nanoseconds.second / 2)))" }
        let distances = [clockToGate.map { "the gate's to within \(HumanUnits.time($0))" }, hosts].compactMap(\.self)
        return distances.isEmpty ? nil : "clocks agree with \(distances.joined(separator: " and "))"
    }
}

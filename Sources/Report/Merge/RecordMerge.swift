import Histogram
import LoadPlan
import Sending

/// Joins the records of a run's shards into one, exactly: the result is that of one run wherever its numbers are counts.
///
/// Neither order nor grouping matters, and merged records can be merged again: what is counted is added, what differs is
/// kept for each shard, lists get one order, and everything that is judged is judged anew. Records are joined sixteen of
/// equal weight at a time, as in a merge sort: a histogram is written once for sixteen of it instead of once for each, and
/// of n records no more than 15 log16 n are held.
package struct RecordMerge: Sendable {
    /// What a merged record must hold to be believed.
    package struct Rules: Sendable {
        /// How many shards may be missing without making the result INVALID.
        package var allowedMissing: Int
        /// How many nanoseconds after the agreed start a shard may begin.
        package var latestStart: Int64

        package init(allowedMissing: Int = 0, latestStart: Int64 = Nanoseconds.second) {
            self.allowedMissing = allowedMissing
            self.latestStart = latestStart
        }
    }

    private static let joinedAtOnce = 16

    private var parts: [(weight: Int, record: RunRecord)] = []
    private var sum = SnapshotSum()

    package init() {}

    /// Takes in the record of a shard, or a merged one.
    ///
    /// - Parameter file: where it was read, for the message that it is of no shard.
    package mutating func add(_ record: RunRecord, file: String) throws(RecordError) {
        guard let shards = record.shards, !shards.isEmpty else {
            throw RecordError(
                file: file,
                field: "shards",
                problem: "is missing: only the records of shards can be merged"
            )
        }
        for (index, shard) in shards.enumerated() where !(1...Shard.most).contains(shard.of) || shard.number < 1 {
            throw RecordError(file: file, field: "shards[\(index)]", problem: "is no shard of a run")
        }
        parts.append((1, record.aligned))
        while parts.count(where: { $0.weight == parts.last?.weight }) == Self.joinedAtOnce {
            joinLast(Self.joinedAtOnce)
        }
    }

    /// Takes in all that another one has.
    package mutating func add(_ other: RecordMerge) { parts += other.parts }

    /// Joins all that was taken in so far: for a thread that has nothing more to add.
    package mutating func settle() {
        while parts.count > 1 { joinLast(min(parts.count, Self.joinedAtOnce)) }
    }

    private mutating func joinLast(_ count: Int) {
        let others = parts.suffix(count - 1)
        parts.removeLast(count - 1)
        parts[parts.count - 1].record.join(others.map(\.record), adding: &sum)
        parts[parts.count - 1].weight += others.reduce(0) { $0 + $1.weight }
    }

    /// The merged record, judged; it needs at least one that was taken in.
    ///
    /// Throws when the profile in it is none that this pushbench reads, whose bounds and thresholds are needed.
    package func result(_ rules: Rules, file: String) throws(RecordError) -> RunRecord {
        var rest = self
        rest.settle()
        guard var record = rest.parts.first?.record else { preconditionFailure("nothing to merge") }
        let profile: Profile
        do throws(ProfileError) {
            profile = try Profile(json: record.profile.text, file: file)
        } catch {
            throw RecordError(file: file, field: "profile", problem: "can't be read: \(error)")
        }
        record.summarise()
        record.verdict = Verdict(onMerged: record, within: profile.verdict, rules)
        record.thresholds = record.results(of: profile.thresholds)
        return record
    }
}

extension RunRecord {
    /// With its timeline on the agreed start, and with what it lists marked as its own.
    fileprivate var aligned: RunRecord {
        var record = self
        if var own = shards?.first, shards?.count == 1 {
            let late = own.startedAt.nanoseconds - own.dueStart
            let seconds = Int(max(0, late) / Nanoseconds.second)
            for lane in record.lanes.indices {
                for row in record.lanes[lane].timeline.indices {
                    record.lanes[lane].timeline[row].second += seconds - (own.alignedBy ?? 0)
                }
            }
            own.alignedBy = seconds
            record.shards = [own]
            for index in connections.indices { record.connections[index].shard = own.number }
            for index in credentials.indices { record.credentials[index].shard = own.number }
        }
        for lane in record.lanes.indices { record.lanes[lane].sortOutcomes() }
        record.lanes.sort(by: LaneRecord.isInOrder)
        return record
    }

    /// Adds other shards' records, each of one or of several; what can be computed from ``shards`` is left to ``summarise()``.
    fileprivate mutating func join(_ others: [RunRecord], adding sum: inout SnapshotSum) {
        for other in others {
            guard let mine = shards, let theirs = other.shards else { preconditionFailure("a record of no shard") }
            // Where shards ran different things, what the first of them ran stands for all.
            if ShardRecord.isInOrder(theirs[0], mine[0]) {
                (name, seed, profile) = (other.name, other.seed, other.profile)
            }
            shards = (mine + theirs).sorted(by: ShardRecord.isInOrder)
            phases = PhaseRecord.joined(phases, other.phases)
            connections += other.connections
            credentials += other.credentials
            // What ended shards early may differ; one of them stands for all, the same in whatever order they are joined.
            abortedBy = [abortedBy, other.abortedBy].compactMap(\.self).min()
            faultyLane = [faultyLane, other.faultyLane].compactMap(\.self).min()
        }
        lanes = LaneRecord.joined([lanes] + others.map(\.lanes), phases: phases.count, adding: &sum)
    }

    /// What follows from the shards and from the parts that were joined.
    fileprivate mutating func summarise() {
        guard let shards, let first = shards.first else { preconditionFailure("a record of no shard") }
        startedAt = UTCTime(nanoseconds: shards.map(\.dueStart).min() ?? 0)
        duration = shards.map { $0.duration + Int64($0.alignedBy ?? 0) * Nanoseconds.second }.max() ?? 0
        interrupted = shards.contains { $0.interrupted }
        planHash = OrderFreeHash(shards.reduce(0) { $0 &+ $1.planHash.value })
        sentHash = OrderFreeHash(shards.reduce(0) { $0 &+ $1.sentHash.value })
        environment = first.environment
        generator = shards.reduce(into: GeneratorMeasurement()) { $0.add($1.generator) }
        accounting = lanes.flatMap(\.phases).reduce(into: PushCounts()) { $0 += $1.counts }
        connections = connections.inOrder
        credentials = credentials.inOrder
    }
}

extension GeneratorMeasurement {
    /// Adds what another process used at the same time; of memory, stalls and clock steps the largest counts.
    fileprivate mutating func add(_ other: GeneratorMeasurement) {
        workers += other.workers
        cpu += other.cpu
        workerCPU += other.workerCPU
        peakMemory = max(peakMemory, other.peakMemory)
        allocations += other.allocations
        allocationsInHTTP2 += other.allocationsInHTTP2
        allocationsInTLS += other.allocationsInTLS
        allocationsPushes += other.allocationsPushes
        longestStall = max(longestStall, other.longestStall)
        clockStep = max(clockStep, other.clockStep)
        backlogOverflowed = backlogOverflowed || other.backlogOverflowed
        failure = failure ?? other.failure
        turns += other.turns
        reads += other.reads
        writes += other.writes
    }
}

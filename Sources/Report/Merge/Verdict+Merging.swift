import Histogram
import LoadPlan
import Sending

extension Verdict {
    /// Judges a merged record: what its numbers say together, and whether its shards are parts of one run.
    ///
    /// Loops, clocks and CPU are each machine's own, and judged in the shards' own verdicts.
    init(onMerged record: RunRecord, within bounds: VerdictBounds, _ rules: RecordMerge.Rules) {
        let judge = MergeJudge(record: record, shards: record.shards ?? [], rules: rules)
        causes =
            judge.missing() + judge.twice() + judge.differences() + judge.late() + judge.invalid()
            + Verdict(on: RunMeasurement(judging: record), within: bounds).causes
    }
}

/// One method for each cause that only a merged record can have.
private struct MergeJudge {
    /// Shards that are named one by one; the rest is counted.
    private static let mostNamed = 5

    let record: RunRecord
    let shards: [ShardRecord]
    let rules: RecordMerge.Rules

    func missing() -> [VerdictCause] {
        let missing = record.missingShards
        guard missing.count > rules.allowedMissing else { return [] }
        return [VerdictCause(.shardMissing, ShardNumbers.sentence(missing: missing, of: shards.map(\.of).max() ?? 0))]
    }

    func twice() -> [VerdictCause] {
        let counts = Dictionary(grouping: shards, by: \.number).filter { $0.value.count > 1 }
        guard !counts.isEmpty else { return [] }
        return [
            VerdictCause(
                .shardTwice,
                "\(Shard.names(counts.keys.sorted())) \(counts.count == 1 ? "is" : "are") there more than once, and "
                    + "counted as often"
            )
        ]
    }

    /// What the shards ran must be what the first of them ran.
    func differences() -> [VerdictCause] {
        guard let first = shards.first else { return [] }
        func cause(_ what: String, _ isSame: (ShardRecord) -> Bool) -> VerdictCause? {
            let others = shards.filter { !isSame($0) }.map(\.number)
            guard !others.isEmpty else { return nil }
            return VerdictCause(.shardDiffers, "\(Shard.names(others)) \(what) shard \(first.number)")
        }
        return [
            cause("belongs to another number of shards than") { $0.of == first.of },
            cause("ran another profile than") { $0.profileHash == first.profileHash },
            cause("ran with another seed than") { $0.seed == first.seed },
            cause("had another plan than") { $0.plannedByAll == first.plannedByAll },
            cause("was built from another revision, or with another toolchain or other libraries, than") {
                $0.environment.isSameBuild(as: first.environment)
            },
        ]
        .compactMap(\.self)
    }

    func late() -> [VerdictCause] {
        let due = shards.map(\.dueStart).min() ?? 0
        let late = shards.filter { $0.startedAt.nanoseconds - due > rules.latestStart }
        guard let last = late.map({ $0.startedAt.nanoseconds - due }).max() else { return [] }
        return [
            VerdictCause(
                .shardLate,
                "\(Shard.names(late.map(\.number))) began up to \(HumanUnits.time(last)) after the run's start, above "
                    + "the bound of \(HumanUnits.time(rules.latestStart))"
            )
        ]
    }

    func invalid() -> [VerdictCause] {
        let bad = shards.filter { !$0.verdict.isValid || $0.interrupted }
        var causes = bad.prefix(Self.mostNamed)
            .map { shard in
                let word =
                    shard.verdict.isValid
                    ? "was ended early, after \(HumanUnits.duration(shard.duration))"
                    : "was INVALID itself: " + shard.verdict.causes.map(\.sentence).joined(separator: "; ")
                return VerdictCause(.shardInvalid, "shard \(shard.number) \(word)")
            }
        if bad.count > Self.mostNamed {
            let rest = bad.dropFirst(Self.mostNamed).map(\.number)
            causes.append(VerdictCause(.shardInvalid, "so it is with \(Shard.names(rest))"))
        }
        return causes
    }
}

/// What is said of shards in sentences.
enum ShardNumbers {
    /// That shards are missing.
    static func sentence(missing: [Int], of count: Int) -> String {
        "\(Shard.names(missing)) of \(count) \(missing.count == 1 ? "is" : "are") missing: these are the results of the "
            + "others only"
    }
}

extension RunEnvironment {
    fileprivate func isSameBuild(as other: RunEnvironment) -> Bool {
        (revision, toolchain) == (other.revision, other.toolchain) && libraries == other.libraries
    }
}

extension RunMeasurement {
    /// As far as a verdict is about more than one machine.
    fileprivate init(judging record: RunRecord) {
        self.init(
            phases: record.phases.map {
                RunMeasurement.Phase(name: $0.name, warmUp: $0.warmUp, start: $0.start, end: $0.end)
            },
            lanes: record.lanes.map { lane in
                var measurement = LaneMeasurement(name: lane.name, phases: lane.phases.count)
                for (index, phase) in lane.phases.enumerated() {
                    measurement.phases[index].counts = phase.counts
                    measurement.phases[index].outcomes = phase.outcomes
                    measurement.phases[index].clocks.lag = Histogram(phase.lag.values)
                    measurement.phases[index].clocks.streamWait = Histogram(phase.streamWait.values)
                }
                return measurement
            },
            startedAt: record.startedAt.nanoseconds
        )
        duration = record.duration
    }
}

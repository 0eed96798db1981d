import LoadPlan
package import Sending

/// One shard in a record: what is needed to tell whether it may be joined with others, and what only it knows.
package struct ShardRecord: Sendable, Equatable, Codable {
    /// Counted from 1.
    package var number: Int
    package var of: Int
    /// When the last of its workers began, and when all shards were to begin, by the clock that they agree on.
    package var startedAt: UTCTime
    package var agreedStart: UTCTime?
    /// Whole seconds by which its timeline was moved to stand on the agreed start; nil in the shard's own record.
    package var alignedBy: Int?
    /// From the shard's start to its end.
    package var duration: Int64
    /// By how much its clock was ahead of the gate's, in nanoseconds; nil without a gate.
    package var aheadOfGate: Int64?
    /// The same for the hosts' clocks, to within half a second; nil where no host said its time.
    package var aheadOfHosts: Int64?
    package var interrupted: Bool
    /// The shard's own, on its own numbers.
    package var verdict: Verdict
    package var profileHash: OrderFreeHash
    package var seed: UInt64
    /// What all shards plan together; nil where a closed loop has no limit.
    package var plannedByAll: UInt64?
    package var planHash: OrderFreeHash
    package var sentHash: OrderFreeHash
    package var environment: RunEnvironment
    package var generator: GeneratorMeasurement

    /// - Parameter record: the shard's own.
    init(_ measurement: ShardMeasurement, of record: RunRecord) {
        number = measurement.shard.number + 1
        of = measurement.shard.count
        startedAt = UTCTime(nanoseconds: measurement.startedAt)
        agreedStart = measurement.agreedStart.map(UTCTime.init(nanoseconds:))
        duration = record.duration
        aheadOfGate = measurement.aheadOfGate
        aheadOfHosts = measurement.aheadOfHosts
        interrupted = record.interrupted
        verdict = record.verdict
        profileHash = OrderFreeHash(record.profile.hash)
        seed = record.seed
        plannedByAll = measurement.plannedByAll
        planHash = record.planHash
        sentHash = record.sentHash
        environment = record.environment
        generator = record.generator
    }

    /// When it was to begin: as agreed, else when it did.
    var dueStart: Int64 { (agreedStart ?? startedAt).nanoseconds }
}

extension ProfileText {
    /// Tells profiles apart, as surely as 64 bits can (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/).
    package var hash: UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

extension RunRecord {
    /// The shards of the run that the record has nothing of, counted from 1; empty for a whole run.
    package var missingShards: [Int] {
        guard let shards, let count = shards.map(\.of).max() else { return [] }
        return Set(1...count).subtracting(shards.map(\.number)).sorted()
    }

    /// From the first shard's start to the last one's; nil for fewer than two.
    package var startSkew: Int64? {
        guard let shards, shards.count > 1 else { return nil }
        let starts = shards.map(\.startedAt.nanoseconds)
        return (starts.max() ?? 0) - (starts.min() ?? 0)
    }
}

extension RunRecord {
    /// The greatest distance of a shard's clock to the gate's, in nanoseconds; nil without a gate.
    package var clockToGate: Int64? { shards?.compactMap(\.aheadOfGate).map(abs).max() }

    /// The same to the hosts' clocks; nil where no host said its time.
    package var clockToHosts: Int64? { shards?.compactMap(\.aheadOfHosts).map(abs).max() }
}

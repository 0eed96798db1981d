package import LoadPlan
package import Sending

/// The self-describing result of a run, `run.json`: every other result file is made from it alone.
///
/// All times are whole nanoseconds; counts are exact; histograms are HdrHistogram's V2 encoding next to exact minimum,
/// maximum and sum. Fields are written in the order in which they stand here, so equal runs have equal bytes.
package struct RunRecord: Sendable, Equatable, Codable {
    /// The number of the layout; raised when a reader of the old one would misread the new one.
    package static let currentSchema = 1

    package var schema: Int
    /// The profile's name.
    package var name: String
    package var startedAt: UTCTime
    /// From the run's start to its end, drain included.
    package var duration: Int64
    /// Whether the user ended the run early.
    package var interrupted: Bool
    /// The threshold that ended the run early; nil where none did.
    package var abortedBy: String?
    package var verdict: Verdict
    /// In the profile's order; all are judged, whatever the verdict says.
    package var thresholds: [ThresholdResult]
    /// All lanes and phases together, warm-up included.
    package var accounting: PushCounts
    /// Order-independent hash of (push, device, due) over all planned pushes, and the same over those sent.
    package var planHash: OrderFreeHash
    package var sentHash: OrderFreeHash
    package var seed: UInt64
    package var environment: RunEnvironment
    package var profile: ProfileText
    /// Those that the record is of: one in the record of a shard, all that were joined in a merged one; nil for a whole run.
    package var shards: [ShardRecord]?
    package var phases: [PhaseRecord]
    package var generator: GeneratorMeasurement
    package var credentials: [CredentialMeasurement]
    package var lanes: [LaneRecord]
    package var connections: [ConnectionMeasurement]

    /// Judges a run and records it.
    package init(measurement run: RunMeasurement, profile: Profile, environment: RunEnvironment) {
        schema = Self.currentSchema
        name = profile.name
        startedAt = UTCTime(nanoseconds: run.startedAt)
        duration = run.duration
        interrupted = run.interrupted
        verdict = Verdict(on: run, within: profile.verdict)
        thresholds = []
        accounting = run.lanes.flatMap(\.phases).reduce(into: PushCounts()) { $0 += $1.counts }
        planHash = OrderFreeHash(run.planHash)
        sentHash = OrderFreeHash(run.sentHash)
        seed = profile.seed
        self.environment = environment
        self.profile = ProfileText(profile)
        phases = run.phases.map(PhaseRecord.init)
        generator = run.generator
        credentials = run.credentials
        lanes = run.lanes.map(LaneRecord.init)
        connections = run.connections
        shards = run.shard.map { [ShardRecord($0, of: self)] }
        thresholds = results(of: profile.thresholds)
    }

    /// Why a run that was ended early was, and when; nil for a whole one.
    var earlyEnd: String? {
        guard interrupted else { return nil }
        let time = HumanUnits.duration(duration)
        return abortedBy.map { "ended after \(time) by the threshold \($0): these are the results until then" }
            ?? "interrupted after \(time): these are the results until then"
    }

    /// How many thresholds failed.
    package var failedThresholds: Int { thresholds.count { !$0.holds } }
}

extension RunRecord {
    /// Writes `run.json`.
    package func write(to text: ResultText) {
        // The record, its lists, the lanes and theirs: a line for each phase and for each second.
        OrderedJSON.write(self, to: text, brokenDepth: 4)
    }
}

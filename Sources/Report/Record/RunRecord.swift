package import LoadPlan
import Push
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
    /// Whether the run was ended early: by its user, unless one of the next two or the verdict names another.
    package var interrupted: Bool
    /// The threshold that ended the run early; nil where none did.
    package var abortedBy: String?
    /// The lane whose fault ended a run against real hosts early; nil where none did.
    package var faultyLane: String?
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
        faultyLane = run.faultyLane
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
        let cause: String
        if let abortedBy {
            cause = "ended after \(time) by the threshold \(abortedBy)"
        } else if let fault {
            cause = "ended after \(time) by a fault of \(fault)"
        } else if let failure = generator.failure {
            cause = "ended after \(time) by a failure of \(failure)"
        } else {
            cause = "interrupted after \(time)"
        }
        return "\(cause): these are the results until then"
    }

    /// The lane that ended a run against real hosts, and what its host said; nil where none did.
    package var fault: String? {
        guard let faultyLane else { return nil }
        let rows = lanes.first { $0.name == faultyLane }?.phases.flatMap(\.outcomes) ?? []
        let answer = rows.first { $0.disposition == Disposition.configurationFault.rawValue }
        // The other way to halt a lane.
        return "\(HumanUnits.line(faultyLane)) (\(answer?.words ?? "too many bad tokens"))"
    }

    /// Whether nothing but its user ended the run early.
    package var wasInterruptedByUser: Bool {
        interrupted && abortedBy == nil && faultyLane == nil && generator.failure == nil
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

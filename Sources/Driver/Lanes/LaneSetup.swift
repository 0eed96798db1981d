import Fleet
import HTTP2
import LoadPlan
import Push
import Sending
import Transport

/// All that stays the same of a lane during a run; shared by the workers, never changed.
struct LaneSetup: Sendable {
    /// How many pushes a connection may have in flight where the profile leaves it to the peer.
    ///
    /// Slots are laid out before the run, so the peer's limit can't be followed without end; no host is known to allow
    /// more than 1,500.
    static let mostStreams = 1536

    /// Position among the run's lanes.
    let index: Int
    /// The lane's number in the hash of what was sent, the same whatever lanes a fleet has and for all parts of a lane.
    let hashNumber: Int
    let name: String
    let lane: FleetLane
    /// What the profile says of it.
    let section: LaneSection
    let route: LaneRoute
    let tls: TLSContext
    /// For the connections that use a client certificate.
    let certificate: LaneCertificate?
    /// The part of the run that this process has; what the lane may use is the shard's part of the profile's.
    let shard: Shard
    /// Of the lane in this shard.
    let connections: Int
    let slotsPerConnection: Int
    let http2: HTTP2Implementation
    let timeouts: Timeouts
    let backoff = Backoff(first: 100 * Nanoseconds.millisecond, longest: 10 * Nanoseconds.second)
    let batch: BatchSection?
    /// By message: whether FCM counts it as collapsible.
    let isCollapsible: [Bool]
    /// How many due pushes may wait, of the lane in this shard.
    let backlogCapacity: Int
    let catalogue: RequestCatalogue
    let plan: LanePlan
    /// By phase: whether its batches are timed, as those of warm-up phases are not.
    let isMeasured: [Bool]
    let fleet: FleetSource
    let selection: DeviceSelection
    let seed: UInt64

    var credential: CredentialSection? { section.credential }
    var retry: RetrySection { section.retry }
    var quota: QuotaSection { section.quota }

    /// Whether a seat of one worker's pool uses the lane's certificate.
    func usesCertificate(seat: Int, of share: WorkerShare) -> Bool {
        certificate?.section.covers(connection: seat * share.workers + share.worker) ?? false
    }

    /// A worker's part of the lane; nil for one that does not serve it.
    func share(ofWorker worker: Int, of workers: Int) -> WorkerShare? {
        WorkerShare(
            worker: worker,
            of: workers,
            connections: connections,
            batchesInFlight: batch?.inFlight,
            backlog: backlogCapacity
        )
    }
}

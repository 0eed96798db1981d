import Histogram
import Sending
import Synchronization

/// What one worker shows of itself while it runs, written a few times a second.
final class WorkerProgress: Sendable {
    /// Nil where nobody wants to see numbers before the run's end.
    let news: WorkerNews?
    let isReady = Atomic<Bool>(false)
    let isFinished = Atomic<Bool>(false)
    /// By lane index.
    let lanes: [LaneGauges]
    /// Allocations made inside nghttp2 so far, and inside OpenSSL.
    let http2Allocations = Atomic<UInt64>(0)
    let tlsAllocations = Atomic<UInt64>(0)
    /// The last flush of the allocation cache that was asked for and done.
    let flushed = Atomic<Int>(0)
    /// The longest stall of the loop and the CPU time of the thread so far, in nanoseconds.
    let longestStall = Atomic<Int64>(0)
    let cpu = Atomic<Int64>(0)
    /// Of each lane that the worker serves, renewed every second where the run is watched.
    let latest = Mutex<[LaneLatest]>([])

    init(lanes: Int, news: WorkerNews? = nil) {
        self.news = news
        self.lanes = (0..<lanes).map { _ in LaneGauges() }
    }

    /// Pushes sent so far on all lanes.
    var sent: UInt64 { lanes.reduce(0) { $0 + $1.sent.load(ordering: .relaxed) } }
}

/// The counts of one worker's part of a lane.
final class LaneGauges: Sendable {
    let planned = Atomic<UInt64>(0)
    let sent = Atomic<UInt64>(0)
    let delivered = Atomic<UInt64>(0)
    let rejected = Atomic<UInt64>(0)
    let failed = Atomic<UInt64>(0)
    let skipped = Atomic<UInt64>(0)
    let inFlight = Atomic<Int>(0)
    let backlog = Atomic<Int>(0)

    /// Shows what a lane has counted so far.
    func show(_ counts: PushCounts, inFlight: Int, backlog: Int) {
        planned.store(counts.planned, ordering: .relaxed)
        sent.store(counts.sent, ordering: .relaxed)
        delivered.store(counts.delivered, ordering: .relaxed)
        rejected.store(counts.rejected, ordering: .relaxed)
        failed.store(counts.failed, ordering: .relaxed)
        skipped.store(counts.skipped, ordering: .relaxed)
        self.inFlight.store(inFlight, ordering: .relaxed)
        self.backlog.store(backlog, ordering: .relaxed)
    }
}

/// What a live view shows of one worker's part of a lane beside its counts.
struct LaneLatest: Sendable {
    /// The lane's index.
    var lane: Int
    /// Response times of the last seconds.
    var response: [SparseHistogram]
    /// Every end but "delivered" so far.
    var trouble: [OutcomeRow]
    /// The 99th percentile of lag so far, outside of warm-up.
    var lagP99: Int64
    var backlogOverflowed: Bool
}

import Synchronization

/// What the run's thread tells its workers; the only state that they share while measuring.
final class RunControl: Sendable {
    /// How a run goes on.
    enum Order: Int {
        case goOn
        /// Take nothing more from the plan, wait briefly for answers, end.
        case finishSoon
        /// End now.
        case abort
    }

    private let startTime = Atomic<Int64>(0)
    private let order = Atomic<Int>(0)
    private let flushes = Atomic<Int>(0)

    /// Monotonic nanoseconds at which the load begins; nil until all workers are ready.
    var start: Int64? {
        let time = startTime.load(ordering: .acquiring)
        return time == 0 ? nil : time
    }

    /// Gives the start signal.
    func begin(at time: Int64) { startTime.store(time, ordering: .releasing) }

    /// How many times the workers have been asked to flush their allocation caches.
    var flushEpoch: Int { flushes.load(ordering: .relaxed) }

    /// Asks the workers to flush their allocation caches; asking again for the same number does nothing.
    func requestFlush(_ epoch: Int) { _ = flushes.max(epoch, ordering: .relaxed) }

    var current: Order { Order(rawValue: order.load(ordering: .relaxed)) ?? .abort }

    /// Gives an order; a later one is never milder.
    func give(_ new: Order) { _ = order.max(new.rawValue, ordering: .relaxed) }
}

/// What one worker shows of itself while it runs, written a few times a second.
final class WorkerProgress: Sendable {
    /// Nil where nobody wants to see numbers before the run's end.
    let news: WorkerNews?
    let isReady = Atomic<Bool>(false)
    let isFinished = Atomic<Bool>(false)
    let planned = Atomic<UInt64>(0)
    let sent = Atomic<UInt64>(0)
    let delivered = Atomic<UInt64>(0)
    let rejected = Atomic<UInt64>(0)
    let failed = Atomic<UInt64>(0)
    let skipped = Atomic<UInt64>(0)
    let inFlight = Atomic<Int>(0)
    let backlog = Atomic<Int>(0)
    /// Allocations made inside nghttp2 so far, and inside OpenSSL.
    let http2Allocations = Atomic<UInt64>(0)
    let tlsAllocations = Atomic<UInt64>(0)
    /// The last flush of the allocation cache that was asked for and done.
    let flushed = Atomic<Int>(0)

    init(news: WorkerNews? = nil) { self.news = news }
}

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
    /// Whether the workers show what a live view wants beside the counts.
    let isWatched: Bool

    init(isWatched: Bool = false) {
        self.isWatched = isWatched
    }

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

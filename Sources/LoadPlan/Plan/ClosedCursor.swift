/// Walks through one worker's closed phases of a lane.
///
/// A closed loop sends whenever fewer than ``Window/inFlight`` pushes are unanswered, so its pushes have numbers but no due
/// times: a push is due when it is taken. The lane's pushes in flight are split among as many shards as can have at least one
/// push (or batch) each, and a shard's among its workers likewise; those share the pushes in turn.
package struct ClosedCursor: Sendable {
    /// One round of a closed loop, as far as this worker takes part in it.
    package struct Window: Sendable, Equatable {
        /// The index of the phase in the profile.
        package var phase: Int
        /// Nanoseconds from the run's start.
        package var start: Int64
        package var end: Int64
        /// The pushes that this worker keeps in flight.
        package var inFlight: Int
    }

    private let legs: [LanePlan.ClosedLeg]
    private let batchSize: Int
    private let worker: Int
    private let workers: Int
    private let shard: Shard

    /// The round at hand, current or to come; `nil` after the last.
    package private(set) var window: Window?
    private var next = 0
    /// The worker's next batch, counted within the leg, and how far its batches are apart.
    private var batch: UInt64 = 0
    private var step: UInt64 = 1
    private var taken: UInt64 = 0

    init(_ plan: LanePlan, worker: Int, workers: Int, shard: Shard) {
        legs = plan.closed
        batchSize = plan.batchSize
        self.worker = worker
        self.workers = workers
        self.shard = shard
        leaveWindow()
    }

    /// Goes to the next round in which this worker takes part.
    package mutating func leaveWindow() {
        window = nil
        while next < legs.count, window == nil {
            let leg = legs[next]
            next += 1
            let units = max(1, leg.inFlight / batchSize)
            let shards = min(units, shard.count)
            guard shard.number < shards else { continue }
            let share = units.part(shard.number, of: shards)
            let sharers = min(share, workers)
            guard worker < sharers else { continue }
            let own = share.part(worker, of: sharers)
            window = Window(phase: leg.phase, start: leg.start, end: leg.end, inFlight: own * batchSize)
            (batch, step, taken) = (UInt64(shard.number + shards * worker), UInt64(shards * sharers), 0)
        }
    }

    /// Whether the window has a push left to take.
    package var hasNext: Bool {
        guard window != nil else { return false }
        return size(ofBatch: batch) > 0
    }

    /// Takes the window's next push at a time; `nil` when the phase's pushes are used up or there is no window.
    package mutating func take(at now: Int64) -> PlannedPush? {
        guard let window else { return nil }
        let size = size(ofBatch: batch)
        guard size > 0 else { return nil }
        let leg = legs[next - 1]
        let push = PlannedPush(
            push: leg.firstPush + batch * UInt64(batchSize) + taken,
            batch: leg.firstBatch + batch,
            due: now,
            phase: window.phase
        )
        taken += 1
        if taken == size { (batch, taken) = (batch + step, 0) }
        return push
    }

    /// Takes the window's next batch, or what is left of it, at a time; `nil` as for ``take(at:)``.
    package mutating func takeBatch(at now: Int64) -> PlannedBatch? {
        guard let window else { return nil }
        let size = size(ofBatch: batch)
        guard size > 0 else { return nil }
        let leg = legs[next - 1]
        let planned = PlannedBatch(
            firstPush: leg.firstPush + batch * UInt64(batchSize) + taken,
            count: Int(size - taken),
            batch: leg.firstBatch + batch,
            due: now,
            phase: window.phase
        )
        (batch, taken) = (batch + step, 0)
        return planned
    }

    /// The pushes of a batch of the leg at hand; 0 beyond its end.
    private func size(ofBatch batch: UInt64) -> UInt64 {
        let first = batch * UInt64(batchSize)
        let limit = legs[next - 1].limit ?? LanePlan.closedRange
        return first < limit ? min(UInt64(batchSize), limit - first) : 0
    }
}

/// All pushes of one lane, as one sequence that does not depend on the number of workers.
///
/// Pushes are numbered through the whole run. On a lane with batches each run of `batchSize` pushes within a phase is a batch,
/// due as a whole when its first push is; the last batch of a phase may be smaller. ``Shard`` says whose a batch is.
package struct LanePlan: Sendable {
    /// One round of a phase with a plan of due times.
    struct OpenLeg: Sendable {
        var phase: Int
        /// Nanoseconds from the run's start.
        var start: Int64
        var firstPush: UInt64
        var firstBatch: UInt64
        /// Never empty.
        var pacer: Pacer
    }

    /// One round of a closed loop.
    struct ClosedLeg: Sendable {
        var phase: Int
        var start: Int64
        var end: Int64
        var inFlight: Int
        var firstPush: UInt64
        var firstBatch: UInt64
        /// How many pushes there are; `nil`: as many as are answered in time.
        var limit: UInt64?
    }

    /// The lane's name, from ``LaneName/all``.
    package let lane: String
    /// Pushes in a full batch; 1 on a lane without batches.
    package let batchSize: Int
    private(set) var open: [OpenLeg] = []
    private(set) var closed: [ClosedLeg] = []
    /// What each phase of the profile plans in all its rounds; `nil` where a closed loop has no limit.
    private var planned: [UInt64?]
    private var nextPush: UInt64 = 0
    private var nextBatch: UInt64 = 0

    /// The numbers that a closed loop without a limit may use up.
    static let closedRange: UInt64 = 1 << 40

    init(lane: String, batchSize: Int, phases: Int) {
        self.lane = lane
        self.batchSize = batchSize
        planned = Array(repeating: 0, count: phases)
    }

    /// The pushes planned in a phase; `nil` for a closed loop without a limit.
    package func planned(inPhase phase: Int) -> UInt64? { planned[phase] }

    /// The pushes of all phases; `nil` when one of them is a closed loop without a limit.
    package var totalPlanned: UInt64? {
        planned.reduce(0) { total, phase in total.flatMap { total in phase.map { total + $0 } } }
    }

    /// How many pushes of the open phases are due at a time or before, counted from the run's start.
    package func count(atElapsed elapsed: Int64) -> UInt64 {
        var count: UInt64 = 0
        for leg in open where leg.start <= elapsed { count += legCount(leg, atElapsed: elapsed - leg.start) }
        return count
    }

    /// A batch counts as a whole when its first push is due.
    private func legCount(_ leg: OpenLeg, atElapsed elapsed: Int64) -> UInt64 {
        let due = leg.pacer.count(atElapsed: elapsed)
        let size = UInt64(batchSize)
        return min((due + size - 1) / size * size, leg.pacer.count)
    }

    /// The open phases' part of one of the workers that serve the lane in a shard.
    package func cursor(worker: Int, of workers: Int, in shard: Shard = .whole) -> PlanCursor {
        precondition(0 <= worker && worker < workers, "LanePlan: worker \(worker) of \(workers)")
        return PlanCursor(
            self,
            worker: UInt64(shard.globalNumber(ofWorker: worker)),
            workers: UInt64(shard.count * workers)
        )
    }

    /// The closed phases' part of one of the workers that serve the lane in a shard.
    package func closedCursor(worker: Int, of workers: Int, in shard: Shard = .whole) -> ClosedCursor {
        precondition(0 <= worker && worker < workers, "LanePlan: worker \(worker) of \(workers)")
        return ClosedCursor(self, worker: worker, workers: workers, shard: shard)
    }
}

// MARK: - Building

extension LanePlan {
    /// Appends one round of a phase; with a seed its arrivals are Poisson's.
    mutating func append(_ share: PhaseShare, leg: LoadPlan.Leg, poissonSeed: UInt64?) {
        switch share {
        case .nothing:
            break
        case .open(let pacer):
            appendOpen(poissonSeed.map(pacer.withPoissonArrivals) ?? pacer, phase: leg.phase, start: leg.start)
        case .closed(let inFlight, let limit):
            appendClosed(inFlight: inFlight, limit: limit, leg: leg)
        }
    }

    private mutating func appendOpen(_ pacer: Pacer, phase: Int, start: Int64) {
        guard pacer.count > 0 else { return }
        open.append(
            OpenLeg(phase: phase, start: start, firstPush: nextPush, firstBatch: nextBatch, pacer: pacer)
        )
        plan(pacer.count, phase: phase)
        reserve(pacer.count)
    }

    private mutating func appendClosed(inFlight: Int, limit: UInt64?, leg: LoadPlan.Leg) {
        closed.append(
            ClosedLeg(
                phase: leg.phase,
                start: leg.start,
                end: leg.end,
                inFlight: inFlight,
                firstPush: nextPush,
                firstBatch: nextBatch,
                limit: limit
            )
        )
        plan(limit, phase: leg.phase)
        reserve(limit ?? Self.closedRange)
    }

    private mutating func plan(_ count: UInt64?, phase: Int) {
        planned[phase] = planned[phase].flatMap { planned in count.map { planned + $0 } }
    }

    private mutating func reserve(_ count: UInt64) {
        let size = UInt64(batchSize)
        nextPush += count
        nextBatch += (count + size - 1) / size
    }
}

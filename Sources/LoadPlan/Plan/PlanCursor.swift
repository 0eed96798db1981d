/// Walks through one worker's pushes of a lane in order of their due times.
///
/// Taking a push costs a few nanoseconds and allocates nothing; what it needs is laid out when the cursor is made. Closed
/// phases have no due times, so they are walked through by a ``ClosedCursor``.
package struct PlanCursor: Sendable {
    /// How the next due time is found.
    private enum Stride {
        /// A constant rate: the time and its remainder each grow by a fixed amount, exactly.
        case constant
        /// A changing rate: each time is computed from its push's number.
        case linear
        /// Looked up in the leaf at hand.
        case poisson
        case replay
    }

    private let legs: [LanePlan.OpenLeg]
    private let batchSize: UInt64
    private let worker: UInt64
    private let workers: UInt64
    /// Pushes of the lane from one batch of this worker to its next.
    private let step: UInt64

    // Where we are: the batch at hand, which is the worker's next.
    private var leg = -1
    private var phase = 0
    private var batch: UInt64 = 0
    /// The batch's first push, counted within the leg; and where the leg's numbers begin.
    private var first: UInt64 = 0
    private var firstPush: UInt64 = 0
    private var taken: UInt64 = 0
    private var size: UInt64 = 0
    private var due = Int64.max

    // The segment at hand.
    private var stride = Stride.constant
    private var segment: Segment?
    /// Where the segment (or the leaf) and the leg end, as numbers within the leg.
    private var segmentEnd: UInt64 = 0
    private var count: UInt64 = 0
    private var legStart: Int64 = 0
    /// For a constant rate: the exact due time is `due + remainder / divisor`, and each step adds a time and a remainder.
    private var remainder: UInt64 = 0
    private var divisor: UInt64 = 1
    private var stepTime: Int64 = 0
    private var stepRemainder: UInt64 = 0

    // The leaf at hand, of Poisson arrivals or of a replay; empty when the lane has no such phase.
    private var leafFirst: UInt64 = 0
    private var leaf: [UInt64]
    private var namesDevices = false
    /// The devices of the batch that was taken last, by their numbers within the lane, where a replay names them.
    package private(set) var ordinals: [UInt64]

    init(_ plan: LanePlan, worker: UInt64, workers: UInt64) {
        legs = plan.open
        batchSize = UInt64(plan.batchSize)
        self.worker = worker
        self.workers = workers
        step = batchSize * workers
        let needsLeaf = legs.contains { $0.pacer.poisson != nil || $0.pacer.replay != nil }
        leaf = needsLeaf ? Array(repeating: 0, count: PoissonTimes.largestLeaf) : []
        let namesDevices = legs.contains { $0.pacer.replay?.namesDevices == true }
        ordinals = namesDevices ? Array(repeating: 0, count: plan.batchSize) : []
        enterNextLeg()
    }

    /// When the next push is due, in nanoseconds from the run's start; `nil` when there is none.
    package var nextDue: Int64? { due == .max ? nil : due }

    /// Like ``nextDue``, with `Int64.max` for none: for comparing against the clock.
    package var nextDueOrMax: Int64 { due }

    /// Takes the next push.
    ///
    /// Precondition: there is one.
    package mutating func take() -> PlannedPush {
        precondition(due != .max, "PlanCursor: taken beyond the plan's end")
        let number = firstPush &+ first &+ taken
        if namesDevices { loadOrdinals(count: 1) }
        let ordinal = namesDevices ? ordinals[0] : number
        let push = PlannedPush(push: number, ordinal: ordinal, batch: batch, due: due, phase: phase)
        taken &+= 1
        if taken == size { advance() }
        return push
    }

    /// Takes the next batch, or what is left of it.
    ///
    /// Precondition: there is one.
    package mutating func takeBatch() -> PlannedBatch {
        precondition(due != .max, "PlanCursor: taken beyond the plan's end")
        if namesDevices { loadOrdinals(count: Int(size &- taken)) }
        let planned = PlannedBatch(
            firstPush: firstPush &+ first &+ taken,
            count: Int(size &- taken),
            batch: batch,
            due: due,
            phase: phase,
            namesDevices: namesDevices
        )
        advance()
        return planned
    }
}

// MARK: - Moving on

extension PlanCursor {
    /// Goes to the worker's next batch.
    @inline(__always)
    private mutating func advance() {
        first &+= step
        guard first < count else { return enterNextLeg() }
        batch &+= workers
        taken = 0
        size = min(batchSize, count &- first)
        guard first < segmentEnd else { return enterSegment() }
        switch stride {
        case .constant: stepConstant()
        case .linear: stepLinear()
        case .poisson: lookUp()
        case .replay: lookUpReplay()
        }
    }

    @inline(__always)
    private mutating func stepConstant() {
        due &+= stepTime
        remainder &+= stepRemainder
        if remainder >= divisor {
            remainder &-= divisor
            due &+= 1
        }
    }

    private mutating func stepLinear() {
        guard let segment else { preconditionFailure("PlanCursor: no segment at hand") }
        due = legStart &+ segment.due(of: first &- segment.first)
    }

    private mutating func enterNextLeg() {
        repeat {
            leg += 1
            guard leg < legs.count else {
                due = .max
                return
            }
            // The worker's first batch of the leg: the first whose number is the worker's modulo the workers.
            let skipped = (worker + workers - legs[leg].firstBatch % workers) % workers
            batch = legs[leg].firstBatch + skipped
            first = skipped * batchSize
            count = legs[leg].pacer.count
        } while first >= count
        (firstPush, phase, legStart) = (legs[leg].firstPush, legs[leg].phase, legs[leg].start)
        namesDevices = legs[leg].pacer.replay?.namesDevices == true
        taken = 0
        size = min(batchSize, count - first)
        enterSegment()
    }

    /// Makes the segment or leaf that holds the batch at hand ready for stepping.
    private mutating func enterSegment() {
        let pacer = legs[leg].pacer
        if let poisson = pacer.poisson { return enterLeaf(of: poisson) }
        if let replay = pacer.replay { return enterLeaf(of: replay) }
        let segment = pacer.segments[pacer.segmentIndex(of: first)]
        self.segment = segment
        segmentEnd = segment.first + segment.count
        due = legStart + segment.due(of: first - segment.first)
        stride = .linear
        // Whatever does not fit 64 bits is computed push by push.
        guard segment.from == segment.to, let divisor = UInt64(exactly: 2 * UInt128(segment.from)) else { return }
        let area = UInt128(first - segment.first) * segment.push + segment.offset
        let step = (UInt128(self.step) * segment.push).quotientAndRemainder(dividingBy: UInt128(divisor))
        stride = .constant
        self.divisor = divisor
        remainder = UInt64(area % UInt128(divisor))
        // A step too long for Int64 leads out of the segment, so it is never made.
        stepTime = Int64(clamping: step.quotient)
        stepRemainder = UInt64(step.remainder)
    }

    private mutating func enterLeaf(of poisson: PoissonTimes) {
        stride = .poisson
        let number = poisson.leaf(of: first)
        leafFirst = poisson.first(ofLeaf: number)
        segmentEnd = leafFirst + UInt64(poisson.fill(&leaf, leaf: number))
        lookUp()
    }

    private mutating func enterLeaf(of replay: ReplayTimes) {
        stride = .replay
        let block = replay.fill(&leaf, holding: first)
        leafFirst = block.first
        segmentEnd = block.first + block.count
        lookUpReplay()
    }

    private mutating func lookUpReplay() { due = legStart &+ Int64(leaf[Int(first - leafFirst)]) }

    /// Finds the devices of the next pushes.
    private mutating func loadOrdinals(count: Int) {
        let next = first &+ taken
        for index in 0..<count { ordinals[index] = firstPush &+ next &+ UInt64(index) }
        legs[leg].pacer.replay?.copyDevices(from: next, count: count, into: &ordinals)
    }

    private mutating func lookUp() {
        due = legStart &+ legs[leg].pacer.time(atPosition: leaf[Int(first - leafFirst)])
    }
}

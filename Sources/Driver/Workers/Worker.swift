import Glibc
import LoadPlan
import Resources
import Sending
import Synchronization
import Transport

/// One thread's event loop over its part of every lane.
///
/// A turn: wait for sockets or the next due time, read what came, take up what is due, write. The clock is read once
/// after the wait and once before the writes of a turn.
final class Worker {
    /// Due times closer together than this are served by one wake-up: waking costs more than a push.
    static var wakeQuantum: Int64 { 100 * Nanoseconds.microsecond }
    /// How long an interrupted run waits for answers.
    static var interruptedDrain: Int64 { 2 * Nanoseconds.second }
    private static var publishInterval: Int64 { 100 * Nanoseconds.millisecond }

    let number: Int
    /// Those that the worker serves.
    let lanes: [any LaneRunning]
    /// By lane index: where in ``lanes`` it stands; -1 where the worker does not serve it.
    private let positions: [Int]
    private let poller: Poller
    private let control: RunControl
    private let progress: WorkerProgress
    private let phases: [RunPhase]
    private let drain: Int64
    private let counter = try? AllocationCounter()
    /// Told why a lane can't connect, before the load has begun.
    var onStartFailure: (RunError) -> Void = { _ in }
    private var start: Int64 = 0
    private var phase = 0
    private var second = 0
    private var nextPublish: Int64 = 0
    /// When the sockets were last asked.
    private var polledAt: Int64 = 0
    private var stoppedAt: Int64?
    private(set) var loop = LoopMeasurement()

    init(
        number: Int,
        lanes: [any LaneRunning],
        poller: Poller,
        control: RunControl,
        progress: WorkerProgress,
        phases: [RunPhase],
        drain: Int64
    ) {
        self.number = number
        self.lanes = lanes
        var positions = Array(repeating: -1, count: 1 + (lanes.map(\.setup.index).max() ?? 0))
        for (position, lane) in lanes.enumerated() { positions[lane.setup.index] = position }
        self.positions = positions
        self.poller = poller
        self.control = control
        self.progress = progress
        self.phases = phases
        self.drain = drain
    }

    /// Runs the whole life of the worker: connect, wait for the start, load, drain, close.
    func run() throws(TransportError) {
        CurrentThread.setName("worker \(number)")
        CurrentThread.setTimerSlack(nanoseconds: 1)
        try connect()
        guard let start = try waitForStart() else {
            // Ended by the user before it had begun: it was cut off at its start.
            loop.interruptedAt = 0
            return close(at: MonotonicClock.now())
        }
        self.start = start
        for lane in lanes { lane.begin(at: start) }
        loop.cpuAtStart = CPUClock.thread()
        do throws(TransportError) {
            loop.beganLate = try wait(until: start) - start
            try load()
        } catch {
            breakDown(error)
        }
        loop.cpuAtEnd = CPUClock.thread()
        close(at: MonotonicClock.now())
    }

    // MARK: Before the load

    private func connect() throws(TransportError) {
        let now = MonotonicClock.now()
        for lane in lanes { lane.connectAll(at: now) }
        while !lanes.allSatisfy({ $0.isReady }), control.current == .goOn {
            try idleTurn()
            reportFailures()
        }
        progress.isReady.store(true, ordering: .releasing)
    }

    /// A host that can't be reached before the load begins is an error of the run, not a result.
    private func reportFailures() {
        for lane in lanes {
            guard let failure = lane.startFailure else { continue }
            let address = lane.setup.route.addresses.map(\.description).joined(separator: ", ")
            onStartFailure(.host(lane: lane.setup.name, address: address, reason: failure.description))
        }
    }

    /// The start time, once all workers are ready; nil where the run was called off.
    private func waitForStart() throws(TransportError) -> Int64? {
        while control.current == .goOn {
            if let start = control.start {
                if MonotonicClock.now() >= start - Nanoseconds.millisecond { return start }
            }
            try idleTurn()
        }
        return nil
    }

    /// Waits for the start itself; returns when that was over.
    private func wait(until start: Int64) throws(TransportError) -> Int64 {
        var now = MonotonicClock.now()
        while now < start {
            try poll(until: start, at: now)
            now = MonotonicClock.now()
        }
        return now
    }

    private func idleTurn() throws(TransportError) {
        let now = MonotonicClock.now()
        for lane in lanes { lane.turn(at: now, polledAt: polledAt) }
        try poll(until: now + Nanoseconds.millisecond, at: now)
    }

    // MARK: The load

    private func load() throws(TransportError) {
        while true {
            let now = MonotonicClock.now()
            follow(order: control.current, at: now)
            advance(to: now)
            for lane in lanes { lane.turn(at: now, polledAt: polledAt) }
            if now >= nextPublish { publish(at: now) }
            if isOver(at: now) { return }
            try wait(after: now)
        }
    }

    private func wait(after now: Int64) throws(TransportError) {
        var deadline = now + Nanoseconds.second
        for lane in lanes { deadline = min(deadline, lane.nextDeadline(after: now)) }
        deadline = min(max(deadline, now + Self.wakeQuantum), nextPublish)
        let before = MonotonicClock.now()
        loop.turned(busy: before - now)
        try poll(until: deadline, at: before)
        // What came late, came late by the generator's fault.
        loop.woke(late: MonotonicClock.now() - max(deadline, before))
    }

    private func poll(until deadline: Int64, at now: Int64) throws(TransportError) {
        polledAt = now
        try poller.wait(until: deadline, at: now)
        guard let first = poller.next() else { return }
        let now = MonotonicClock.now()
        var event: Poller.Event? = first
        while let ready = event {
            if !ready.isWakeUp {
                let lane = positions[Int(ready.tag >> 32)]
                lanes[lane].ready(Int(truncatingIfNeeded: ready.tag & 0xFFFF_FFFF), at: now)
            }
            event = poller.next()
        }
    }

    /// Moves on to the phase and second that `now` lies in.
    private func advance(to now: Int64) {
        let elapsed = now - start
        while phase + 1 < phases.count, elapsed >= phases[phase].end { phase += 1 }
        if elapsed >= phases[phase].end, stoppedAt == nil { stopTaking(at: now) }
        while elapsed >= Int64(second + 1) * Nanoseconds.second {
            second += 1
            for lane in lanes { lane.endSecond(second, phase: phases[phase].index) }
            if control.isWatched { progress.latest.withLock { $0 = lanes.map(\.latest) } }
            if let news = progress.news { news.tell(newsByLane()) }
        }
    }

    /// What each lane of the run has to tell; nothing from those that this worker does not serve.
    private func newsByLane() -> [LaneNews] {
        var news = progress.lanes.map { _ in LaneNews() }
        for lane in lanes { news[lane.setup.index] = lane.news() }
        return news
    }

    private func follow(order: RunControl.Order, at now: Int64) {
        if order != .goOn, loop.interruptedAt == nil { endEarly(at: now) }
    }

    private func endEarly(at now: Int64) {
        loop.interruptedAt = now - start
        stopTaking(at: now)
        for lane in lanes { lane.skipWaiting(cause: .interrupted) }
    }

    /// The system has failed the loop itself: what was measured until then is kept, and the other workers end in order.
    private func breakDown(_ error: TransportError) {
        loop.failure = "worker \(number): \(error)"
        if loop.interruptedAt == nil { endEarly(at: MonotonicClock.now()) }
        control.give(.finishSoon)
    }

    /// The plan is over: what is due by now is taken up, and answers are waited for.
    private func stopTaking(at now: Int64) {
        stoppedAt = now
        for lane in lanes { lane.stopTaking(at: now) }
    }

    private func isOver(at now: Int64) -> Bool {
        if control.current == .abort { return true }
        let isQuiet = lanes.allSatisfy { $0.inFlight == 0 && $0.waiting == 0 }
        guard let stoppedAt else {
            return isQuiet && phase == phases.count - 1 && lanes.allSatisfy { $0.isExhausted }
        }
        let limit = loop.interruptedAt == nil ? drain : min(drain, Self.interruptedDrain)
        return isQuiet || now - stoppedAt >= limit
    }

    // MARK: Reporting

    private func publish(at now: Int64) {
        nextPublish = now + Self.publishInterval
        for lane in lanes {
            progress.lanes[lane.setup.index].show(lane.progress, inFlight: lane.inFlight, backlog: lane.waiting)
        }
        progress.longestStall.store(loop.longestStall, ordering: .relaxed)
        progress.cpu.store(CPUClock.thread() - loop.cpuAtStart, ordering: .relaxed)
        progress.http2Allocations.store(lanes.reduce(0) { $0 + $1.libraryAllocations }, ordering: .relaxed)
        progress.tlsAllocations.store(OpenSSLLibrary.threadAllocations, ordering: .relaxed)
        if progress.flushed.load(ordering: .relaxed) != control.flushEpoch {
            counter?.flushThread()
            progress.flushed.store(control.flushEpoch, ordering: .releasing)
        }
    }

    private func close(at now: Int64) {
        for lane in lanes { lane.end(at: now) }
        publish(at: now)
        progress.isFinished.store(true, ordering: .releasing)
    }
}

/// How one worker's loop kept time.
struct LoopMeasurement: Sendable {
    var turns: UInt64 = 0
    /// The longest turn, or the longest delay after a wait should have ended, in nanoseconds.
    var longestStall: Int64 = 0
    /// CPU nanoseconds of the thread.
    var cpuAtStart: Int64 = 0
    var cpuAtEnd: Int64 = 0
    /// How long after the start the load began, in nanoseconds.
    var beganLate: Int64 = 0
    /// When the worker was told to end early or broke down, in nanoseconds from the run's start.
    var interruptedAt: Int64?
    /// What the system refused the loop while it ran; nil where nothing.
    var failure: String?

    mutating func turned(busy: Int64) {
        turns += 1
        longestStall = max(longestStall, busy)
    }

    mutating func woke(late: Int64) { longestStall = max(longestStall, late) }
}

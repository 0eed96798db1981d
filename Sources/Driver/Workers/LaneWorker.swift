import Credentials
import Fleet
import HTTP2
import LoadPlan
import Push
import Sending
import Transport

/// One worker's part of one lane: its share of the plan, its connections, its results.
///
/// It carries out what the value types of `Sending` decide. Confined to its worker's thread; nothing is shared while
/// measuring. Times are monotonic nanoseconds; those of the plan count from ``start``.
final class LaneWorker<Session: ClientSession> {
    let setup: LaneSetup
    let worker: Int
    let workers: Int
    let poller: Poller
    var connections: [PushConnection<Session>]
    var cursor: PlanCursor
    var closed: ClosedCursor
    var backlog: Backlog
    var pool: PoolRotation
    var batches: Batches?
    /// The slot of the batch whose pushes are being handed out.
    var feedingBatch = -1
    var recorder: LaneRecorder
    private var random: UInt64
    var token: TokenReader
    /// The authorization header of new requests.
    private(set) var authorization = ""
    /// When the run began; all due times count from here.
    var start: Int64 = 0
    /// Pushes handed to a session and not ended.
    var inFlight = 0
    /// Whether pushes may be taken from the plan and sent.
    var isTaking = false
    /// The next time at which push time-outs are looked for.
    private var nextSweep: Int64 = 0
    /// Rows of connections that have ended.
    var closedConnections: [ConnectionMeasurement] = []
    /// Why a connection was lost last.
    var lastFailure: ConnectionFailure?

    /// How often overdue answers are looked for, in nanoseconds: a time-out is late by this at most.
    private static var sweepInterval: Int64 { 100 * Nanoseconds.millisecond }

    init(
        setup: LaneSetup,
        assignment: WorkerAssignment,
        poller: Poller,
        at now: Int64
    ) {
        let (worker, workers) = (assignment.number, assignment.workers)
        token = TokenReader(assignment.credentials[setup.index])
        self.setup = setup
        self.worker = worker
        self.workers = workers
        self.poller = poller
        let count = setup.connections(ofWorker: worker, of: workers)
        connections = (0..<count)
            .map { number in
                let tag = UInt64(setup.index) << 32 | UInt64(number)
                return PushConnection(number: number, tag: tag, worker: worker, setup: setup, at: now)
            }
        cursor = setup.plan.cursor(worker: worker, of: workers)
        closed = setup.plan.closedCursor(worker: worker, of: workers)
        backlog = Backlog(capacity: max(1, setup.backlogCapacity / workers))
        pool = PoolRotation(connections: count)
        batches = setup.batch.map { Batches(size: $0.size, inFlight: max(1, $0.inFlight / workers)) }
        let seconds = Int((assignment.phases.last?.end ?? 0) / Nanoseconds.second) + 16
        recorder = LaneRecorder(
            lane: setup.index,
            provider: setup.lane.provider,
            phases: assignment.phaseCount,
            seconds: seconds
        )
        random = scramble(scramble(setup.seed &+ UInt64(worker)) &+ UInt64(setup.index))
    }

    /// Open connections.
    var openConnections: Int { connections.count { $0.state.acceptsStreams } }

    /// Whether every connection is ready for streams.
    var isReady: Bool { openConnections == connections.count }

    /// What the lane looks like now.
    var gauges: LaneRecorder.Gauges {
        LaneRecorder.Gauges(inFlight: inFlight, backlog: backlog.count, connections: openConnections)
    }

    /// Takes up what is due, starts what has room and writes it.
    func turn(at now: Int64) {
        fireTimers(at: now)
        if isTaking { takeDue(at: now) }
        if checkToken(at: now) { startWaiting(at: now) }
        for connection in connections where connection.needsFlush { flush(connection, at: now) }
    }

    /// When the lane next has something to do by itself, in monotonic nanoseconds.
    func nextDeadline(after now: Int64) -> Int64 {
        var deadline = now + Self.sweepInterval
        if isTaking {
            if let due = cursor.nextDue { deadline = min(deadline, start + due) }
            if let window = closed.window, window.start > now - start { deadline = min(deadline, start + window.start) }
        }
        for connection in connections {
            if let timer = connection.state.timer { deadline = min(deadline, timer) }
        }
        return deadline
    }

    /// A random number that spreads waits.
    func jitter() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        return scramble(random)
    }

    /// Follows the credential; false where no token may be used, so that pushes wait.
    func checkToken(at now: Int64) -> Bool {
        switch token.check(at: now, pushes: 0) {
        case .unchanged:
            return true
        case .unavailable:
            return false
        case .changed:
            authorization = "bearer " + String(decoding: token.bytes, as: UTF8.self)
            for connection in connections { connection.setAuthorization(authorization) }
            return true
        }
    }

    private func fireTimers(at now: Int64) {
        for connection in connections {
            guard let timer = connection.state.timer, timer <= now else { continue }
            switch connection.state.timerFired(at: now, jitter: jitter()) {
            case .none: break
            case .connect: connect(connection, at: now)
            case .close: drop(connection, because: .connectTimedOut, at: now)
            }
        }
        if now >= nextSweep {
            nextSweep = now + Self.sweepInterval
            for connection in connections where connection.slots.taken > 0 { endOverdue(on: connection, at: now) }
        }
    }

    /// Gives up the pushes whose answer is overdue; their slots are free when the session says so.
    private func endOverdue(on connection: PushConnection<Session>, at now: Int64) {
        for slot in 0..<UInt32(connection.slots.count) {
            let record = connection.slots.pointer(slot)
            guard record.pointee.isTaken, !record.pointee.timedOut, record.pointee.written > 0,
                now - record.pointee.written > setup.timeouts.push
            else { continue }
            record.pointee.timedOut = true
            endFailed(record.pointee, cause: .timedOut, at: now)
            connection.session?.reset(slot: slot, code: .cancel)
            connection.needsFlush = true
        }
    }
}

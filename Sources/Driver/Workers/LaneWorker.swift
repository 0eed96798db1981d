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
/// measuring. Times are monotonic nanoseconds; those of the plan count from ``start``. Subclassed for each kind of session,
/// see `LaneRunning.swift`; nothing is overridden, and `final` says so, because access through a table costs an allocation.
class LaneWorker<Session: ClientSession> {
    final let setup: LaneSetup
    final let worker: Int
    final let poller: Poller
    /// The worker's, which every connection reads into.
    final let buffer: ReadBuffer

    // The plan.
    final var cursor: PlanCursor
    final var closed: ClosedCursor
    final var backlog: Backlog
    final var batches: Batches?
    /// The slot of the batch whose pushes are being handed out.
    final var feedingBatch = -1

    // What the sender keeps to.
    final let retries: RetryPolicy
    /// Pushes that wait for a time of their own.
    final var delayed: DelayedPushes
    final var quota: QuotaKeeper
    final var deviceQuota: DeviceQuota
    /// Whether pushes ever have to wait for a quota.
    final let keepsQuotas: Bool
    final var quotaWait = QuotaWait()
    /// When the quota lets the next push through; `Int64.max` while it holds none up.
    final var quotaOpensAt = Int64.max
    final var halt: LaneHalt
    /// Shared by the lane's workers.
    final let haltSignal: LaneHaltSignal
    /// From the run's start until nothing more may be sent, drain included.
    final let lifetime: Int64

    // The pool.
    /// By place; grows when a seat first needs a second one.
    final var connections: [PushConnection<Session>]
    final var seating: Seating
    final var rotation: PoolRotation
    final var gate: ConnectGate
    final var addresses: AddressRotation
    /// The number of the next connection.
    final var nextNumber = 0
    /// How many connections wait for the gate to open.
    final var wanting = 0
    /// How many seats have no connection because none was needed.
    final var resting = 0
    /// Tries to connect that failed since one last succeeded.
    final var failedTries = 0
    /// Why a connection was lost last.
    final var lastFailure: ConnectionFailure?
    /// Rows of connections that have ended.
    final var closedConnections: [ConnectionMeasurement] = []
    /// No connection's timer is due before this.
    final var nextTimer = Int64.max

    final var recorder: LaneRecorder
    final private var random: UInt64
    final var token: TokenReader
    /// The authorization header of new requests.
    final private(set) var authorization = ""
    /// When the run began; all due times count from here.
    ///
    /// 0 before it has.
    final var start: Int64 = 0
    /// Pushes handed to a session and not ended.
    final var inFlight = 0
    /// Whether pushes may be taken from the plan and sent.
    final var isTaking = false

    init(
        setup: LaneSetup,
        share: WorkerShare,
        assignment: WorkerAssignment,
        poller: Poller,
        buffer: ReadBuffer
    ) {
        token = TokenReader(assignment.credentials[setup.index])
        self.setup = setup
        worker = assignment.number
        self.poller = poller
        self.buffer = buffer
        let seats = share.connections
        connections = (0..<seats)
            .map { seat in
                let usesCertificate = setup.usesCertificate(seat: seat, of: share)
                return PushConnection(
                    place: seat,
                    worker: assignment.number,
                    setup: setup,
                    usesCertificate: usesCertificate
                )
            }
        seating = Seating(seats: seats)
        rotation = PoolRotation(seats: seats)
        gate = ConnectGate(backoff: setup.backoff)
        addresses = AddressRotation(addresses: setup.addresses.count)
        cursor = setup.plan.cursor(worker: share.worker, of: share.workers, in: setup.shard)
        closed = setup.plan.closedCursor(worker: share.worker, of: share.workers, in: setup.shard)
        let batchSize = setup.batch?.size ?? 1
        // Room for a batch, which goes in whole, and for all that a closed loop keeps in flight, however small a part
        // of the lane's backlog a worker has.
        let capacity = max(share.backlog, batchSize, closed.mostInFlight)
        retries = RetryPolicy(setup.retry, provider: setup.lane.provider)
        quota = QuotaKeeper(setup.quota, workers: share.workers * setup.shard.count)
        deviceQuota = DeviceQuota(setup.quota)
        keepsQuotas = quota.isActive || deviceQuota.isActive
        let mostDelayed = retries.isActive || deviceQuota.isActive ? capacity : 0
        delayed = DelayedPushes(capacity: mostDelayed)
        halt = LaneHalt(mostBadTokens: setup.mostBadTokens)
        haltSignal = assignment.halts[setup.index]
        lifetime = (assignment.phases.last?.end ?? 0) + assignment.drain
        backlog = Backlog(
            capacity: capacity,
            // A seat's connections, the one that drains and the one that has taken over.
            returned: 2 * seats * setup.slotsPerConnection + mostDelayed
        )
        batches = share.batchesInFlight.map { Batches(size: batchSize, inFlight: $0) }
        let seconds = Int((assignment.phases.last?.end ?? 0) / Nanoseconds.second) + 16
        recorder = LaneRecorder(
            lane: setup.index,
            provider: setup.lane.provider,
            phases: assignment.phaseCount,
            seconds: seconds
        )
        let globalNumber = setup.shard.globalNumber(ofWorker: assignment.number)
        random = scramble(scramble(setup.seed &+ UInt64(globalNumber)) &+ UInt64(setup.index))
    }

    /// Open connections.
    final var openConnections: Int { connections.count { $0.state.acceptsStreams } }

    /// Whether every seat has a connection that is ready for streams.
    final var isReady: Bool {
        (0..<seating.seats).allSatisfy { connections[seating.current($0)].state.acceptsStreams }
    }

    /// Why the pool can't come up: every address of the host was tried in vain.
    final var startFailure: ConnectionFailure? { failedTries >= setup.addresses.count ? lastFailure : nil }

    /// What the lane looks like now.
    final var gauges: LaneRecorder.Gauges {
        LaneRecorder.Gauges(inFlight: inFlight, backlog: backlog.count, connections: openConnections)
    }

    /// Takes up what is due, starts what has room and writes it.
    ///
    /// - Parameter polledAt: when the sockets were last asked, before which all that had come was read. Time-outs are
    ///   judged by it: after a stall of ours the answers are there, only unread.
    final func turn(at now: Int64, polledAt: Int64) {
        if nextTimer <= polledAt { fireTimers(at: polledAt) }
        if wanting > 0 { openWanted(at: now) }
        followHalt()
        if isTaking { takeDue(at: now) }
        if delayed.nextTime <= now { resumeDelayed(at: now) }
        if checkToken(at: now) { startWaiting(at: now) }
        for connection in connections where connection.needsFlush { flush(connection, at: now) }
    }

    /// When the lane next has something to do by itself, in monotonic nanoseconds; `Int64.max` for never.
    final func nextDeadline(after now: Int64) -> Int64 {
        var deadline = nextTimer
        if wanting > 0 { deadline = min(deadline, gate.opensAt) }
        deadline = min(deadline, delayed.nextTime)
        if quotaOpensAt > now { deadline = min(deadline, quotaOpensAt) }
        if isTaking {
            if let due = cursor.nextDue { deadline = min(deadline, start + due) }
            if let window = closed.window, window.start > now - start { deadline = min(deadline, start + window.start) }
        }
        return deadline
    }

    /// A random number that spreads waits.
    final func jitter() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        return scramble(random)
    }

    /// Follows the credential; false where no token may be used, so that pushes wait.
    final func checkToken(at now: Int64) -> Bool {
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
}

extension ClosedCursor {
    /// The most pushes that the worker ever keeps in flight; 0 without a closed phase.
    fileprivate var mostInFlight: Int {
        var cursor = self
        var most = 0
        while let window = cursor.window {
            most = max(most, window.inFlight)
            cursor.leaveWindow()
        }
        return most
    }
}

/// What a worker's connections read into, one after another; longer than one TLS record.
final class ReadBuffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 64)

    deinit { bytes.deallocate() }
}

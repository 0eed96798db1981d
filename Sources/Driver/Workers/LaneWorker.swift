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

    // What it proves itself with.
    /// Nil where all connections use a certificate.
    final var token: TokenReader?
    /// The authorization header of new requests.
    final var authorization = ""
    /// Which of the lane's keys ``token`` is of: 0, or 1 after the change.
    final var keyNumber = 0
    /// The key that the lane goes over to.
    final let nextKey: Credential?
    /// When it does; `Int64.max` for never or no more.
    final var keyChangesAt = Int64.max
    /// Whether connections of the key before may be left.
    final var isChangingKeys = false
    /// How many times pushes were written under each key on connections that have ended.
    final var attemptsByKey: [UInt64] = [0, 0]

    final var recorder: LaneRecorder
    final private var random: UInt64
    /// When the run began; all due times count from here.
    ///
    /// 0 before it has.
    final var start: Int64 = 0
    /// Pushes handed to a session and not ended.
    final var inFlight = 0
    /// Whether pushes may be taken from the plan and sent.
    final var isTaking = false
    /// Whether more of a closed loop's pushes are to be taken at once.
    final var hasMoreToTake = false

    init(
        setup: LaneSetup,
        share: WorkerShare,
        assignment: WorkerAssignment,
        poller: Poller,
        buffer: ReadBuffer
    ) {
        self.setup = setup
        worker = assignment.number
        self.poller = poller
        self.buffer = buffer
        cursor = setup.plan.cursor(worker: share.worker, of: share.workers, in: setup.shard)
        closed = setup.plan.closedCursor(worker: share.worker, of: share.workers, in: setup.shard)
        let room = WaitingRoom(for: share, of: setup, mostInFlight: closed.mostInFlight)
        backlog = Backlog(capacity: room.backlog, returned: room.returned)
        delayed = DelayedPushes(capacity: room.delayed)
        batches = share.batchesInFlight.map { Batches(size: setup.batch?.size ?? 1, inFlight: $0) }
        retries = RetryPolicy(setup.retry, provider: setup.lane.provider)
        quota = QuotaKeeper(setup.quota, workers: share.workers * setup.shard.count)
        deviceQuota = DeviceQuota(setup.quota)
        keepsQuotas = quota.isActive || deviceQuota.isActive
        halt = LaneHalt(mostBadTokens: setup.section.mostBadTokens)
        haltSignal = assignment.halts[setup.index]
        lifetime = assignment.loadEnd + assignment.drain
        let number = assignment.number
        connections = (0..<share.connections)
            .map { seat in
                let usesCertificate = setup.usesCertificate(seat: seat, of: share)
                return PushConnection(place: seat, worker: number, setup: setup, usesCertificate: usesCertificate)
            }
        seating = Seating(seats: share.connections)
        rotation = PoolRotation(seats: share.connections)
        gate = ConnectGate(backoff: setup.backoff)
        addresses = AddressRotation(addresses: setup.route.addresses.count)
        token = assignment.credentials[setup.index].current.map { TokenReader($0) }
        nextKey = assignment.credentials[setup.index].next
        recorder = LaneRecorder(of: setup, for: assignment)
        let globalNumber = setup.shard.globalNumber(ofWorker: number)
        random = scramble(scramble(setup.seed &+ UInt64(globalNumber)) &+ UInt64(setup.index))
    }

    /// Open connections.
    final var openConnections: Int { connections.count { $0.state.acceptsStreams } }

    /// Whether every seat has a connection that is ready for streams.
    final var isReady: Bool {
        (0..<seating.seats).allSatisfy { connections[seating.current($0)].state.acceptsStreams }
    }

    /// Why the pool can't come up: every address of the host was tried in vain.
    final var startFailure: ConnectionFailure? { failedTries >= setup.route.addresses.count ? lastFailure : nil }

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
        if keyChangesAt <= now { changeKey(at: now) }
        if isChangingKeys { leaveOldKey(at: now) }
        if wanting > 0 { openWanted(at: now) }
        followHalt()
        if isTaking { takeDue(at: now) }
        if delayed.nextTime <= now { resumeDelayed(at: now) }
        if checkToken(at: now) { startWaiting(at: now) }
        for connection in connections where connection.needsFlush { flush(connection, at: now) }
    }

    /// When the lane next has something to do by itself, in monotonic nanoseconds; `Int64.max` for never.
    final func nextDeadline(after now: Int64) -> Int64 {
        var deadline = min(nextTimer, keyChangesAt)
        if wanting > 0 { deadline = min(deadline, gate.opensAt) }
        deadline = min(deadline, delayed.nextTime)
        if quotaOpensAt > now { deadline = min(deadline, quotaOpensAt) }
        if isTaking {
            if hasMoreToTake { return now }
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
}

/// How many pushes of one worker's part of a lane may wait.
private struct WaitingRoom {
    let backlog: Int
    let delayed: Int
    /// Of pushes that come back.
    let returned: Int

    /// - Parameter mostInFlight: what a closed loop keeps in flight.
    init(for share: WorkerShare, of setup: LaneSetup, mostInFlight: Int) {
        // Room for a batch, which goes in whole, and for all that a closed loop keeps in flight, however small a part
        // of the lane's backlog a worker has.
        backlog = max(share.backlog, setup.batch?.size ?? 1, mostInFlight)
        let isDelaying = setup.retry.attempts > 1 || !setup.quota.perDevice.isEmpty || setup.quota.collapsible != nil
        delayed = isDelaying ? backlog : 0
        // A seat's connections, the one that drains and the one that has taken over.
        returned = 2 * share.connections * setup.slotsPerConnection + delayed
    }
}

extension LaneRecorder {
    fileprivate init(of setup: LaneSetup, for assignment: WorkerAssignment) {
        self.init(
            lane: setup.index,
            provider: setup.lane.provider,
            phases: assignment.phaseCount,
            seconds: Int(assignment.loadEnd / Nanoseconds.second) + 16
        )
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

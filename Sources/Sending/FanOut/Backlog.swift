/// A push that is due and waits for a stream.
package struct WaitingPush: Sendable, Equatable {
    /// Its number within the lane.
    package var push: UInt64
    /// Its device's number within the lane.
    package var ordinal: UInt64
    /// The index of its device.
    package var device: UInt64
    /// Its part of the order-independent hash of what was sent.
    package var hash: UInt64
    /// When the plan wanted it, in monotonic nanoseconds.
    package var due: Int64
    /// When a worker took it up.
    package var submitted: Int64
    /// Index of its phase.
    package var phase: Int32
    /// Its place in its batch; 0 where the lane has no batches.
    package var position: Int32
    /// How many pushes its batch has; 1 where the lane has no batches.
    package var batchCount: Int32
    /// The slot of its batch, if that has begun; -1 before, and where the lane has no batches.
    package var batch: Int32 = -1
    /// How many times its HEADERS have been written.
    package var attempts: Int32 = 0
    /// The seat of the pool that it was refused at; -1 where it was not.
    package var refusedAt: Int32 = -1
    /// How its last attempt ended; nil before, and where the host has seen none.
    package var lastTry: LastTry?
    /// What it has waited for a quota so far, in nanoseconds.
    package var quotaWait: Int64 = 0
    /// The lane's ``QuotaWait`` when the push began to wait.
    package var quotaMark: Int64 = 0
    /// How many times its token was called expired.
    package var complaints: Int32 = 0
    /// The quota of the lane, or of its device, has let it through.
    package var hasLaneGrant = false
    package var hasDeviceGrant = false

    /// Whether its batch has yet to begin; one that came back has its batch already.
    package var beginsBatch: Bool { position == 0 && batch < 0 }

    package init(
        push: UInt64,
        ordinal: UInt64,
        device: UInt64,
        hash: UInt64,
        due: Int64,
        submitted: Int64,
        phase: Int,
        position: Int,
        batchCount: Int
    ) {
        self.push = push
        self.ordinal = ordinal
        self.device = device
        self.hash = hash
        self.due = due
        self.submitted = submitted
        self.phase = Int32(phase)
        self.position = Int32(position)
        self.batchCount = Int32(batchCount)
    }
}

/// How an attempt ended that is followed by another; counts where no other gets its turn.
package struct LastTry: Sendable, Equatable, BitwiseCopyable {
    package enum Ending: Sendable, Equatable, BitwiseCopyable {
        /// The index of the lane's answer catalogue.
        case answered(Int32)
        case failed(LocalFailure)
    }

    package var ending: Ending
    /// Response and service time of the answer, in nanoseconds.
    package var response: Int64
    package var service: Int64
    /// The code of the reset, where that was the cause.
    package var resetCode: UInt8

    package init(ending: Ending, response: Int64, service: Int64, resetCode: UInt8 = 0) {
        self.ending = ending
        self.response = response
        self.service = service
        self.resetCode = resetCode
    }
}

/// The pushes of one lane and worker that are due and wait for a stream: first in, first out, of fixed capacity.
///
/// Appending to a full backlog is refused, and the caller counts the push as skipped: a generator that falls behind
/// without limit measures only its own memory. Pushes that come back from a connection stand before all others, in the
/// order in which they came back, and always find room.
package struct Backlog: ~Copyable {
    private var fresh: WaitingRing
    private var returned: WaitingRing

    /// - Parameters:
    ///   - capacity: how many pushes of the plan may wait.
    ///   - returned: how many may come back at one time: all that can be in flight.
    package init(capacity: Int, returned: Int) {
        precondition(capacity > 0, "a backlog holds at least one push")
        fresh = WaitingRing(capacity: capacity)
        self.returned = WaitingRing(capacity: returned)
    }

    /// How many wait.
    package var count: Int { fresh.count + returned.count }

    package var isEmpty: Bool { fresh.count == 0 && returned.count == 0 }

    /// How many more pushes of the plan may wait.
    package var room: Int { fresh.capacity - fresh.count }

    /// The push whose turn it is, or nil.
    package var first: WaitingPush? { returned.first ?? fresh.first }

    /// Adds a push of the plan at the end; false where the backlog is full.
    package mutating func append(_ push: WaitingPush) -> Bool {
        guard fresh.count < fresh.capacity else { return false }
        fresh.append(push)
        return true
    }

    /// Takes a push back whose turn had come already.
    package mutating func putBack(_ push: WaitingPush) { returned.append(push) }

    /// Notes something about the push whose turn it is.
    package mutating func replaceFirst(with push: WaitingPush) {
        if returned.count > 0 { returned.replaceFirst(with: push) } else { fresh.replaceFirst(with: push) }
    }

    /// Removes the push whose turn it is.
    package mutating func removeFirst() {
        if returned.count > 0 { returned.removeFirst() } else { fresh.removeFirst() }
    }
}

/// A queue of fixed capacity.
private struct WaitingRing: ~Copyable {
    let capacity: Int
    private let storage: UnsafeMutablePointer<WaitingPush>
    private var head = 0
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        // `WaitingPush` is trivial: there is nothing to deinitialise.
        storage.deallocate()
    }

    var first: WaitingPush? { count == 0 ? nil : storage[head] }

    mutating func append(_ push: WaitingPush) {
        precondition(count < capacity, "more pushes wait than can have been in flight")
        var tail = head + count
        if tail >= capacity { tail -= capacity }
        (storage + tail).initialize(to: push)
        count += 1
    }

    mutating func replaceFirst(with push: WaitingPush) {
        precondition(count > 0, "nothing waits")
        storage[head] = push
    }

    mutating func removeFirst() {
        precondition(count > 0, "nothing waits")
        head += 1
        count -= 1
        // An empty backlog begins again at its start, so that memory is touched only as far as pushes ever waited.
        if head == capacity || count == 0 { head = 0 }
    }
}

/// A push that is due and waits for a stream.
package struct WaitingPush: Sendable, Equatable {
    /// Its number within the lane.
    package var push: UInt64
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

    package init(
        push: UInt64,
        hash: UInt64,
        due: Int64,
        submitted: Int64,
        phase: Int,
        position: Int,
        batchCount: Int
    ) {
        self.push = push
        self.hash = hash
        self.due = due
        self.submitted = submitted
        self.phase = Int32(phase)
        self.position = Int32(position)
        self.batchCount = Int32(batchCount)
    }
}

/// The pushes of one lane and worker that are due and wait for a stream: first in, first out, of fixed capacity.
///
/// Appending to a full backlog is refused, and the caller counts the push as skipped: a generator that falls behind
/// without limit measures only its own memory.
package struct Backlog: ~Copyable {
    private let storage: UnsafeMutablePointer<WaitingPush>
    private let capacity: Int
    private var head = 0
    /// How many wait.
    package private(set) var count = 0

    package init(capacity: Int) {
        precondition(capacity > 0, "a backlog holds at least one push")
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        // `WaitingPush` is trivial: there is nothing to deinitialise.
        storage.deallocate()
    }

    package var isEmpty: Bool { count == 0 }

    /// How many more may wait.
    package var room: Int { capacity - count }

    /// The push that has waited longest, or nil.
    package var first: WaitingPush? { count == 0 ? nil : storage[head] }

    /// Adds a push at the end; false where the backlog is full.
    package mutating func append(_ push: WaitingPush) -> Bool {
        guard count < capacity else { return false }
        var tail = head + count
        if tail >= capacity { tail -= capacity }
        (storage + tail).initialize(to: push)
        count += 1
        return true
    }

    /// Removes the push that has waited longest.
    package mutating func removeFirst() {
        precondition(count > 0, "nothing waits")
        head += 1
        if head == capacity { head = 0 }
        count -= 1
    }
}

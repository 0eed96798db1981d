import HTTP2
import Hosts

/// An answer that is decided but not due yet.
struct PendingAnswer {
    /// Where the connection is kept, and which of those that have been kept there it is.
    var connection: ConnectionHandle
    /// The stream to answer on; nil on HTTP/1.1, which has one request at a time.
    var stream: StreamHandle?
    var answer: HostAnswer
    /// What a fault has Retry-After say.
    var retryAfter: RetryAfterField?
}

/// Answers by the time they are due, the earliest first; those due at the same time in the order they were put in.
///
/// A heap with four children per entry over 16-byte keys, beside the answers' own memory, so that sifting touches
/// few cache lines. Capacity is fixed at the start; memory is taken from the system only as it is first used.
struct AnswerHeap: ~Copyable {
    private struct Key: BitwiseCopyable {
        var due: Int64
        /// Rises by one with each answer, and starts over at 2^32.
        var order: UInt32
        var slot: UInt32

        func isBefore(_ other: Key) -> Bool {
            due != other.due ? due < other.due : Int32(bitPattern: order &- other.order) < 0
        }
    }

    private let capacity: Int
    private let keys: UnsafeMutablePointer<Key>
    private let answers: UnsafeMutablePointer<PendingAnswer>
    private let free: UnsafeMutablePointer<UInt32>
    private var freeCount = 0
    /// How many places of `answers` have ever been used.
    private var used = 0
    private var order: UInt32 = 0
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        keys = .allocate(capacity: capacity)
        answers = .allocate(capacity: capacity)
        free = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count { answers.advanced(by: Int(keys[index].slot)).deinitialize(count: 1) }
        keys.deallocate()
        answers.deallocate()
        free.deallocate()
    }

    /// When the next answer is due, on the clock that `push` was told the time by; nil if there is none.
    var nextDue: Int64? { count > 0 ? keys[0].due : nil }

    /// Keeps an answer until it is due; false if there is no room.
    mutating func push(_ answer: consuming PendingAnswer, due: Int64) -> Bool {
        guard let slot = takeSlot() else { return false }
        answers.advanced(by: slot).initialize(to: answer)
        let key = Key(due: due, order: order, slot: UInt32(slot))
        order &+= 1
        keys.advanced(by: count).initialize(to: key)
        count += 1
        siftUp(from: count - 1)
        return true
    }

    /// Takes out the earliest answer if it is due at `now`.
    mutating func pop(at now: Int64) -> PendingAnswer? {
        guard count > 0, keys[0].due <= now else { return nil }
        let slot = keys[0].slot
        count -= 1
        if count > 0 {
            keys[0] = keys[count]
            siftDown()
        }
        free.advanced(by: freeCount).initialize(to: slot)
        freeCount += 1
        return answers.advanced(by: Int(slot)).move()
    }

    private mutating func takeSlot() -> Int? {
        if freeCount > 0 {
            freeCount -= 1
            return Int(free[freeCount])
        }
        guard used < capacity else { return nil }
        used += 1
        return used - 1
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        let key = keys[child]
        while child > 0 {
            let parent = (child - 1) / 4
            guard key.isBefore(keys[parent]) else { break }
            keys[child] = keys[parent]
            child = parent
        }
        keys[child] = key
    }

    private mutating func siftDown() {
        var parent = 0
        let key = keys[0]
        while true {
            let first = 4 * parent + 1
            guard first < count else { break }
            var least = first
            var other = first + 1
            while other < min(first + 4, count) {
                if keys[other].isBefore(keys[least]) { least = other }
                other += 1
            }
            guard keys[least].isBefore(key) else { break }
            keys[parent] = keys[least]
            parent = least
        }
        keys[parent] = key
    }
}

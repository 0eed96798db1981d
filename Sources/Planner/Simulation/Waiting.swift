import LoadPlan

/// A push that waits for another try, or for a quota of its device.
struct Waiter: BitwiseCopyable {
    var at: Int64
    var push: UInt64
    var due: Int64
    var batch: Int32
    var position: Int32
    var attempts: Int32
    var hasDeviceGrant: Bool
}

/// Waiters by time, the earliest first; grows up to a bound.
struct WaiterHeap {
    private var entries: [Waiter] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }
    var nextTime: Int64 { entries.first?.at ?? .max }

    /// False where there is no room.
    mutating func insert(_ waiter: Waiter) -> Bool {
        guard entries.count < capacity else { return false }
        entries.append(waiter)
        var hole = entries.count - 1
        entries.withUnsafeMutableBufferPointer { entries in
            while hole > 0, waiter.isBefore(entries[(hole - 1) / 2]) {
                entries[hole] = entries[(hole - 1) / 2]
                hole = (hole - 1) / 2
            }
            entries[hole] = waiter
        }
        return true
    }

    mutating func takeDue(at now: Int64) -> Waiter? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty { sink(last) }
        return first
    }

    private mutating func sink(_ entry: Waiter) {
        entries.withUnsafeMutableBufferPointer { entries in
            var hole = 0
            while true {
                var child = 2 * hole + 1
                guard child < entries.count else { break }
                if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
                guard entries[child].isBefore(entry) else { break }
                entries[hole] = entries[child]
                hole = child
            }
            entries[hole] = entry
        }
    }
}

extension Waiter {
    fileprivate func isBefore(_ other: Waiter) -> Bool { (at, push) < (other.at, other.push) }
}

/// First in, first out; grows as far as ever waited.
struct Queue<Element: BitwiseCopyable> {
    private var storage: [Element] = []
    private var head = 0
    private(set) var count = 0

    var first: Element? { count == 0 ? nil : storage[head] }

    mutating func append(_ element: Element) {
        if count == storage.count { grow(with: element) }
        var tail = head + count
        if tail >= storage.count { tail -= storage.count }
        storage[tail] = element
        count += 1
    }

    mutating func replaceFirst(with element: Element) { storage[head] = element }

    mutating func removeFirst() {
        head += 1
        count -= 1
        if head == storage.count || count == 0 { head = 0 }
    }

    private mutating func grow(with filler: Element) {
        var larger = Array(repeating: filler, count: max(16, 2 * storage.count))
        for index in 0..<count { larger[index] = storage[(head + index) % storage.count] }
        (storage, head) = (larger, 0)
    }
}

/// What falls due together: a batch of the plan, or what is left of it.
struct DueBatch: BitwiseCopyable {
    var firstPush: UInt64
    var due: Int64
    var count: Int32
    /// How many of its pushes were begun.
    var begun: Int32 = 0
    /// Its slot among the batches in flight; -1 before it has one.
    var slot: Int32 = -1
    var hasDeviceGrant = false

    init(_ batch: PlannedBatch) {
        firstPush = batch.firstPush
        due = batch.due
        count = Int32(batch.count)
    }
}

/// Walks through a sender's part of the plan, and knows when the next batch is due without asking: a question to another
/// room's value from within a class costs a copy of it.
struct DueCursor {
    private var cursor: PlanCursor
    /// `Int64.max` for never.
    private(set) var nextDue: Int64

    init(_ cursor: PlanCursor) {
        self.cursor = cursor
        nextDue = cursor.nextDueOrMax
    }

    @inline(__always)
    mutating func take() -> DueBatch {
        let batch = DueBatch(cursor.takeBatch())
        nextDue = cursor.nextDueOrMax
        return batch
    }
}

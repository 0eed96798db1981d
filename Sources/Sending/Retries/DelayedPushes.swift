/// Pushes of one lane and worker that wait for a time of their own: a retry's, or a quota's of their device.
///
/// A heap of fixed capacity, the earliest first; pushes of one time in the order of their numbers. Nothing is allocated
/// when a push goes in or out.
package struct DelayedPushes: ~Copyable {
    private struct Entry {
        var at: Int64
        var push: WaitingPush

        func isBefore(_ other: Entry) -> Bool { (at, push.push) < (other.at, other.push.push) }
    }

    private let capacity: Int
    private let storage: UnsafeMutablePointer<Entry>
    /// How many wait.
    package private(set) var count = 0

    package init(capacity: Int) {
        precondition(capacity >= 0, "a queue of negative capacity")
        self.capacity = capacity
        storage = .allocate(capacity: max(capacity, 1))
    }

    deinit {
        // `Entry` is trivial: there is nothing to deinitialise.
        storage.deallocate()
    }

    package var isEmpty: Bool { count == 0 }

    /// When the next push's time is; `Int64.max` for never.
    package var nextTime: Int64 { count == 0 ? .max : storage[0].at }

    /// Adds a push; false where there is no room.
    package mutating func insert(_ push: WaitingPush, at time: Int64) -> Bool {
        guard count < capacity else { return false }
        let entry = Entry(at: time, push: push)
        var hole = count
        count += 1
        while hole > 0, entry.isBefore(storage[(hole - 1) / 2]) {
            (storage + hole).initialize(to: storage[(hole - 1) / 2])
            hole = (hole - 1) / 2
        }
        (storage + hole).initialize(to: entry)
        return true
    }

    /// Takes out the push whose time came first, if it came by `now`.
    package mutating func takeDue(at now: Int64) -> WaitingPush? {
        guard count > 0, storage[0].at <= now else { return nil }
        let first = storage[0].push
        count -= 1
        if count > 0 { sink(storage[count]) }
        return first
    }

    /// Fills the hole at the top with an entry that is not in the heap.
    private mutating func sink(_ entry: Entry) {
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < count else { break }
            if child + 1 < count, storage[child + 1].isBefore(storage[child]) { child += 1 }
            guard storage[child].isBefore(entry) else { break }
            storage[hole] = storage[child]
            hole = child
        }
        storage[hole] = entry
    }
}

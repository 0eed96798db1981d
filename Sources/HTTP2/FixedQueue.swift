/// A first-in, first-out queue of trivial values with a capacity fixed at the start; putting into a full one traps.
///
/// Used where the bound is known (one entry per slot, a piece of input's worth of events), so that nothing is
/// allocated while measuring and a mistake in the bound shows itself. Take `Array` everywhere else.
struct FixedQueue<Element: BitwiseCopyable>: ~Copyable {
    private let storage: UnsafeMutablePointer<Element>
    private let mask: Int
    private var head = 0
    private var tail = 0

    /// A queue with room for at least `capacity` elements, rounded up to a power of two.
    init(capacity: Int) {
        var rounded = 1
        while rounded < capacity { rounded *= 2 }
        storage = .allocate(capacity: rounded)
        mask = rounded - 1
    }

    deinit {
        storage.deallocate()
    }

    @inline(__always)
    var isEmpty: Bool { head == tail }
    var count: Int { tail &- head }

    @inline(__always)
    mutating func append(_ element: Element) {
        precondition(count <= mask, "FixedQueue: the bound of \(mask + 1) elements does not hold")
        (storage + (tail & mask)).initialize(to: element)
        tail &+= 1
    }

    @inline(__always)
    var first: Element? { head == tail ? nil : storage[head & mask] }

    @inline(__always)
    mutating func popFirst() -> Element? {
        if head == tail { return nil }
        let element = storage[head & mask]
        head &+= 1
        // Start over at the beginning, so that a queue that is mostly short touches little of its memory.
        if head == tail {
            head = 0
            tail = 0
        }
        return element
    }

    /// Removes the elements that do not fulfil the condition and keeps the order of the others; visits every element.
    mutating func keep(where condition: (Element) -> Bool) {
        var kept = head
        for position in head..<tail where condition(storage[position & mask]) {
            storage[kept & mask] = storage[position & mask]
            kept &+= 1
        }
        tail = kept
    }
}

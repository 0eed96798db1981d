/// A push that is on its way to its answer.
struct Flight: BitwiseCopyable {
    var push: UInt64
    var due: Int64
    var written: Int64
    /// Nanoseconds that the host asks to wait; -1 where it doesn't say.
    var retryAfter: Int64
    var batch: Int32
    var position: Int32
    var attempts: Int32
    var answer: UInt8
}

/// All pushes in flight over one pool, the next answer first.
///
/// A heap of four children a node, whose entries are a time and a place in a table: what moves is 16 bytes. Everything is
/// allocated once.
struct FlightTable: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var time: Int64
        var place: Int
    }

    private let capacity: Int
    private let heap: UnsafeMutablePointer<Entry>
    private let flights: UnsafeMutablePointer<Flight>
    /// Places that are free, the last one first.
    private let free: UnsafeMutablePointer<Int>
    private(set) var count = 0

    init(capacity: Int) {
        precondition(capacity > 0, "a pool without streams")
        self.capacity = capacity
        heap = .allocate(capacity: capacity)
        flights = .allocate(capacity: capacity)
        free = .allocate(capacity: capacity)
        for place in 0..<capacity { (free + place).initialize(to: capacity - 1 - place) }
    }

    deinit {
        // All three hold trivial values: there is nothing to deinitialise.
        heap.deallocate()
        flights.deallocate()
        free.deallocate()
    }

    /// When the next answer comes; `Int64.max` for never.
    @inline(__always)
    var nextTime: Int64 { count == 0 ? .max : heap[0].time }

    @inline(__always)
    mutating func insert(_ flight: Flight, until time: Int64) {
        precondition(count < capacity, "more pushes in flight than streams")
        let place = free[capacity - 1 - count]
        (flights + place).initialize(to: flight)
        var hole = count
        count += 1
        while hole > 0 {
            let parent = (hole - 1) >> 2
            guard time < heap[parent].time else { break }
            (heap + hole).initialize(to: heap[parent])
            hole = parent
        }
        (heap + hole).initialize(to: Entry(time: time, place: place))
    }

    /// Takes out the push that is answered first.
    @inline(__always)
    mutating func takeFirst() -> Flight {
        let place = heap[0].place
        count -= 1
        free[capacity - 1 - count] = place
        if count > 0 { sink(heap[count]) }
        return flights[place]
    }

    /// Which of four neighbours comes first, without a branch: which one it is nobody can foretell, the processor neither.
    @inline(__always)
    private func leastOfFour(_ first: Int) -> Int {
        let (t0, t1, t2, t3) = (heap[first].time, heap[first &+ 1].time, heap[first &+ 2].time, heap[first &+ 3].time)
        let left = first &+ (t1 < t0 ? 1 : 0)
        let right = first &+ (t3 < t2 ? 3 : 2)
        return min(t2, t3) < min(t0, t1) ? right : left
    }

    private func leastOfFew(_ first: Int) -> Int {
        var least = first
        for child in first + 1..<count where heap[child].time < heap[least].time { least = child }
        return least
    }

    @inline(__always)
    private mutating func sink(_ entry: Entry) {
        var hole = 0
        while true {
            let first = hole &* 4 &+ 1
            guard first < count else { break }
            let least = first &+ 4 <= count ? leastOfFour(first) : leastOfFew(first)
            guard heap[least].time < entry.time else { break }
            heap[hole] = heap[least]
            hole = least
        }
        heap[hole] = entry
    }
}

/// Non-empty buckets in rising order, in as few bytes as they need: the counts of HdrHistogram's V2 encoding.
///
/// A list of numbers (``ZigZag``) that goes through the buckets from the first: a positive one is the count of the next
/// bucket, a 0 an empty bucket, and −n a gap of n of them. Where neighbouring buckets are in use, as in a second of a run,
/// that is one or two bytes a bucket, and a record's text is read and written without being put in another form.
///
/// Equal buckets have equal bytes: numbers are as short as can be, a gap is one number (a 0 for one bucket), none is last.
struct PackedBuckets: Sendable, Equatable {
    /// The encoding as it stands in a V2 text, but for no bucket at all, for which that has a 0.
    private(set) var bytes: [UInt8] = []
    /// The last bucket and its count; an index of -1 where there is none.
    private(set) var last: (index: Int, count: UInt64) = (-1, 0)
    private(set) var first = -1

    init() {}

    /// Bytes that are known to be such an encoding.
    init(bytes: [UInt8], first: Int, last: (index: Int, count: UInt64)) {
        (self.bytes, self.first, self.last) = (bytes, first, last)
    }

    static func == (left: PackedBuckets, right: PackedBuckets) -> Bool { left.bytes == right.bytes }

    /// Calls `body` with the index and the count of every bucket, in rising order, until it returns false.
    @inline(__always)
    func visit<Failure: Error>(_ body: (Int, UInt64) throws(Failure) -> Bool) throws(Failure) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            var place = Place()
            while place.next(in: bytes) {
                guard try body(place.index, place.count) else { return }
            }
        }
    }

    /// The bucket at hand, of an encoding that is being gone through and is known to be one.
    struct Place {
        private var position = 0
        private(set) var index = -1
        private(set) var count: UInt64 = 0

        /// Goes to the next bucket; false after the last.
        @inline(__always)
        mutating func next(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            while let number = ZigZag.read(bytes, at: &position) {
                index &+= number < 0 ? Int(-number) : 1
                guard number <= 0 else {
                    count = UInt64(number)
                    return true
                }
            }
            return false
        }
    }

    /// The buckets of two, those with equal indexes added up.
    ///
    /// No bucket, with the gap before it, takes more bytes than the one or two that it comes from.
    init(merging left: PackedBuckets, _ right: PackedBuckets) {
        self.init(upTo: left.bytes.count + right.bytes.count) { writer in
            left.bytes.withUnsafeBufferPointer { left in
                right.bytes.withUnsafeBufferPointer { right in Self.merge(left, right, to: &writer) }
            }
        }
    }

    private static func merge(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>,
        to writer: inout Writer
    ) {
        var (mine, theirs) = (Place(), Place())
        var (hasMine, hasTheirs) = (mine.next(in: left), theirs.next(in: right))
        while hasMine || hasTheirs {
            let (first, second) = (hasMine ? mine.index : .max, hasTheirs ? theirs.index : .max)
            let count = (first <= second ? mine.count : 0) &+ (second <= first ? theirs.count : 0)
            writer.append(index: min(first, second), count: count)
            if first <= second { hasMine = mine.next(in: left) }
            if second <= first { hasTheirs = theirs.next(in: right) }
        }
    }
}

// MARK: - Writing

extension PackedBuckets {
    /// Writes buckets in rising order into memory that is large enough.
    struct Writer {
        fileprivate let memory: UnsafeMutableBufferPointer<UInt8>
        fileprivate var position = 0
        fileprivate var last: (index: Int, count: UInt64) = (-1, 0)
        fileprivate var first = -1

        /// Adds a bucket behind the last one; its count must not be 0.
        ///
        /// A count of 2^63 or more is kept as 2^63 − 1, the most that the encoding can say.
        @inline(__always)
        mutating func append(index: Int, count: UInt64) {
            let gap = index &- last.index &- 1
            if gap > 0 { position = ZigZag.write(gap == 1 ? 0 : Int64(-gap), to: memory, at: position) }
            let kept = Int64(clamping: count)
            position = ZigZag.write(kept, to: memory, at: position)
            last = (index, UInt64(kept))
            if first < 0 { first = index }
        }
    }

    /// What `body` writes, which must take no more than so many bytes.
    init(upTo limit: Int, _ body: (inout Writer) -> Void) {
        self.init()
        bytes = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
            var writer = Writer(memory: memory)
            body(&writer)
            count = writer.position
            (first, last) = (writer.first, writer.last)
        }
        // Gives back the room that was not needed.
        bytes = bytes.withUnsafeBufferPointer(Array.init)
    }
}

/// Non-empty buckets in rising order, in as few bytes as they need.
///
/// For each the distance from the one before and the count, both in LEB128. Where neighbouring buckets are in use, as in a second of a run, that is two or three bytes a bucket.
///
/// Equal buckets have equal bytes.
struct PackedBuckets: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// The last bucket and its count; an index of -1 where there is none.
    private(set) var last: (index: Int, count: UInt64) = (-1, 0)
    private(set) var first = -1

    init() {}

    /// Makes room for so many buckets with the usual bytes.
    mutating func reserve(_ buckets: Int) { bytes.reserveCapacity(3 * buckets) }

    /// Gives back room that was not needed.
    mutating func trim() { bytes = bytes.withUnsafeBufferPointer(Array.init) }

    /// Adds a bucket behind the last one.
    mutating func append(index: Int, count: UInt64) {
        precondition(
            index > last.index && count > 0,
            "bucket \(index) with \(count) values behind bucket \(last.index)"
        )
        append(UInt64(index - last.index))
        append(count)
        last = (index, count)
        if first < 0 { first = index }
    }

    private mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    static func == (left: PackedBuckets, right: PackedBuckets) -> Bool { left.bytes == right.bytes }

    /// Goes through the buckets from the first.
    func makeReader() -> Reader { Reader(bytes: bytes) }

    /// Reads the buckets one after another.
    struct Reader {
        fileprivate let bytes: [UInt8]
        private var place = Place()

        fileprivate init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// The next bucket; nil after the last.
        mutating func next() -> (index: Int, count: UInt64)? {
            bytes.withUnsafeBufferPointer { place.next(in: $0) ? (place.index, place.count) : nil }
        }
    }

    /// The bucket at hand, of some that are being gone through.
    fileprivate struct Place {
        var position = 0
        var index = -1
        var count: UInt64 = 0

        /// Goes to the next bucket; false after the last.
        @inline(__always)
        mutating func next(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            guard position < bytes.count else { return false }
            index &+= Int(truncatingIfNeeded: read(bytes))
            count = read(bytes)
            return true
        }

        @inline(__always)
        private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let byte = bytes[position]
                position &+= 1
                value |= UInt64(byte & 0x7F) << shift
                guard byte & 0x80 != 0 else { return value }
                shift += 7
            }
        }
    }
}

// MARK: - Many at a time

extension PackedBuckets {
    /// How many bytes they take.
    var size: Int { bytes.count }

    /// Calls `body` with the index and the count of every bucket, in rising order.
    @inline(__always)
    func visit(_ body: (Int, UInt64) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            var place = Place()
            while place.next(in: bytes) { body(place.index, place.count) }
        }
    }

    /// Writes buckets in rising order into memory that is large enough.
    struct Writer {
        fileprivate let memory: UnsafeMutableBufferPointer<UInt8>
        fileprivate var position = 0
        fileprivate var last: (index: Int, count: UInt64) = (-1, 0)
        fileprivate var first = -1

        @inline(__always)
        mutating func append(index: Int, count: UInt64) {
            write(UInt64(index - last.index))
            write(count)
            last = (index, count)
            if first < 0 { first = index }
        }

        /// The same where both fit in one byte, and nothing where there are no values: without a branch to guess wrong.
        ///
        /// Returns false, having done nothing, where the distance does not fit. There must be room for two bytes either way.
        @inline(__always)
        mutating func append(index: Int, fewer count: UInt8) -> Bool {
            let distance = index &- last.index
            guard distance < 0x80 else { return false }
            memory[position] = UInt8(truncatingIfNeeded: distance)
            memory[position &+ 1] = count
            let isUsed = count > 0
            position &+= isUsed ? 2 : 0
            last = isUsed ? (index, UInt64(count)) : last
            first = first < 0 && isUsed ? index : first
            return true
        }

        @inline(__always)
        private mutating func write(_ value: UInt64) {
            var rest = value
            while rest >= 0x80 {
                memory[position] = UInt8(truncatingIfNeeded: rest) | 0x80
                position &+= 1
                rest >>= 7
            }
            memory[position] = UInt8(truncatingIfNeeded: rest)
            position &+= 1
        }
    }

    /// What `body` writes, which must take no more than so many bytes.
    init(upTo limit: Int, _ body: (inout Writer) -> Void) {
        self.init()
        let written = [UInt8](unsafeUninitializedCapacity: limit) { memory, count in
            var writer = Writer(memory: memory)
            body(&writer)
            count = writer.position
            (first, last) = (writer.first, writer.last)
        }
        bytes = written
        trim()
    }

    /// The buckets of two, those with equal indexes added up.
    ///
    /// No bucket takes more bytes than the one or two that it comes from.
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

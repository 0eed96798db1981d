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
    mutating func trim() { bytes = Array(bytes) }

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
        private var position = 0
        private var index = -1

        fileprivate init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// The next bucket; nil after the last.
        mutating func next() -> (index: Int, count: UInt64)? {
            guard position < bytes.count else { return nil }
            index += Int(read())
            return (index, read())
        }

        private mutating func read() -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let byte = bytes[position]
                position += 1
                value |= UInt64(byte & 0x7F) << shift
                guard byte & 0x80 != 0 else { return value }
                shift += 7
            }
        }
    }
}

import FoundationEssentials

/// The V2 compressed encoding of HdrHistogram (`AbstractHistogram.encodeIntoCompressedByteBuffer`), in base64.
///
///     0x1c849314, length | zlib( 0x1c849313, payload length, 0, 3, 1, 24 h, 1.0 | counts )
///
/// Integers are big-endian; cookies carry 0x10 for "zigzag LEB128 counts". A count is its bucket's, by index from 0; a
/// negative one stands for that many empty buckets; a single empty bucket is a 0. Exact minimum, maximum, sum and
/// overflow have no place in it; `Codable` keeps them.
private enum V2 {
    static let compressedCookie: UInt32 = 0x1c84_9314
    static let cookie: UInt32 = 0x1c84_9313
    static let headerLength = 40

    /// The size with every bucket in use and the longest counts: nothing valid inflates to more.
    static let longestContents = headerLength + 9 * (BucketLayout.lastIndex + 1)
}

extension BucketCounts {
    /// The counts as HdrHistogram's V2 compressed encoding in base64, which its readers in any language decode.
    package func encodedV2() -> String {
        let compressed = Zlib.compress(contentsV2())
        var message = BigEndianWriter()
        message.append(V2.compressedCookie)
        message.append(UInt32(compressed.count))
        message.append(compressed)
        return Data(message.bytes).base64EncodedString()
    }

    private func contentsV2() -> [UInt8] {
        let counts = countsV2()
        var contents = BigEndianWriter()
        contents.append(V2.cookie)
        contents.append(UInt32(counts.count))
        contents.append(UInt32(0))  // normalizing index offset
        contents.append(BucketLayout.significantDigits)
        contents.append(Int64(1))  // lowest discernible value
        contents.append(BucketLayout.highestValue)
        contents.append((1.0).bitPattern)  // integer to double ratio
        contents.append(counts)
        return contents.bytes
    }

    private func countsV2() -> [UInt8] {
        var counts = BigEndianWriter()
        var next = 0
        forEachIndexedCount { index, count in
            let gap = index - next
            if gap > 0 { counts.appendZigZag(gap == 1 ? 0 : Int64(-gap)) }
            counts.appendZigZag(Int64(clamping: count))
            next = index + 1
            return true
        }
        // An empty histogram has one empty bucket, as the reference writes it.
        if next == 0 { counts.appendZigZag(0) }
        return counts.bytes
    }
}

extension SparseHistogram {
    /// Decodes what `encodedV2` or another HdrHistogram wrote with our settings (3 digits, unit 1, any highest value).
    ///
    /// Counts are exact. Minimum and maximum are those of the outermost buckets and the sum takes each value as the
    /// middle of its bucket, as the reference does when it decodes: the encoding carries nothing better.
    package init(encodedV2 text: String) throws(HistogramError) {
        let (buckets, _) = try Self.decodeV2(text)
        var totals = HistogramTotals()
        var reader = buckets.makeReader()
        while let bucket = reader.next() { totals.record(bucket: bucket.index, times: bucket.count) }
        self.init(buckets: buckets, totals: totals)
    }

    /// The buckets, and how many values they count together.
    static func decodeV2(_ text: String) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        try decodeV2(bytes: Base64.decode(text))
    }

    /// The same from what was base64; nil is none.
    static func decodeV2(bytes data: [UInt8]?) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        guard let data else { throw .notBase64 }
        var message = BigEndianReader(data)
        let cookie = try message.read(UInt32.self)
        guard cookie == V2.compressedCookie else { throw .unknownCookie(cookie) }
        guard try message.read(UInt32.self) == UInt32(message.remainder.count) else { throw .wrongLength }
        var contents = BigEndianReader(try Zlib.inflate(message.remainder, limit: V2.longestContents))
        try checkHeaderV2(&contents)
        return try countsV2(contents.remainder)
    }

    private static func checkHeaderV2(_ contents: inout BigEndianReader) throws(HistogramError) {
        let cookie = try contents.read(UInt32.self)
        guard cookie == V2.cookie else { throw .unknownCookie(cookie) }
        let length = try contents.read(UInt32.self)
        let offset = try contents.read(UInt32.self)
        guard offset == 0 else { throw .unsupported("normalizing index offset is \(offset), only 0 is read") }
        let digits = try contents.read(UInt32.self)
        guard digits == BucketLayout.significantDigits else {
            throw .unsupported("keeps \(digits) significant digits, only 3 are read")
        }
        let unit = try contents.read(Int64.self)
        guard unit == 1 else { throw .unsupported("lowest discernible value is \(unit), only 1 is read") }
        _ = try contents.read(Int64.self)  // highest value: any, as long as the counts fit our buckets
        let ratio = Double(bitPattern: try contents.read(UInt64.self))
        guard ratio == 1 else { throw .unsupported("values are scaled by \(ratio), only 1.0 is read") }
        guard length == UInt32(contents.remainder.count) else { throw .wrongLength }
    }

    private static func countsV2(_ bytes: ArraySlice<UInt8>) throws(HistogramError) -> (PackedBuckets, UInt64) {
        var failure: HistogramError?
        var count: UInt64 = 0
        // A distance takes no more bytes than the gap it comes from, or one; a count no more than it did.
        let buckets = PackedBuckets(upTo: 2 * bytes.count) { writer in
            bytes.withUnsafeBufferPointer { bytes in
                do throws(HistogramError) {
                    count = try Self.countsV2(bytes, to: &writer)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return (buckets, count)
    }

    private static var tooHigh: HistogramError { .contradiction("counts values above 24 h, the highest that is read") }

    private static func countsV2(
        _ bytes: UnsafeBufferPointer<UInt8>,
        to destination: inout PackedBuckets.Writer
    ) throws(HistogramError) -> UInt64 {
        var (position, index, sum) = (0, Int64(0), UInt64(0))
        // A copy stays in registers, where the compiler would store the original for every byte that is written.
        var writer = destination
        defer { destination = writer }
        while position < bytes.count {
            let byte = bytes[position]
            // Nearly all are one byte: an even one is a count, an odd one a gap.
            let few = byte & 1 == 0 ? byte >> 1 : 0
            if byte < 0x80, sum < 1 << 63, writer.append(index: Int(index), fewer: few) {
                position &+= 1
                sum &+= UInt64(few)
                index &+= byte & 1 == 0 ? 1 : Int64(byte >> 1) &+ 1
                guard index <= Int64(BucketLayout.lastIndex) + 1 else { throw tooHigh }
                continue
            }
            let number = try ZigZag.read(bytes, at: &position)
            let (next, overflow) = index.subtractingReportingOverflow(number < 0 ? number : -1)
            guard !overflow, next <= Int64(BucketLayout.lastIndex) + 1 else { throw tooHigh }
            if number > 0 {
                writer.append(index: Int(index), count: UInt64(number))
                let added = sum.addingReportingOverflow(UInt64(number))
                guard !added.overflow else { throw .contradiction("counts add up to 2^64 or more") }
                sum = added.partialValue
            }
            index = next
        }
        return sum
    }
}

extension HistogramTotals {
    /// Takes in a bucket of which nothing but the count is known.
    ///
    /// Its values are taken to be in range: only the last bucket could hold others, and the encoding does not tell.
    fileprivate mutating func record(bucket index: Int, times: UInt64) {
        record(Swift.min(BucketLayout.middleValue(at: index), BucketLayout.highestValue), times: times)
        smallest = Swift.min(smallest, BucketLayout.lowestValue(at: index))
        largest = Swift.max(largest, Swift.min(BucketLayout.highestValue(at: index), BucketLayout.highestValue))
    }
}

extension Histogram {
    /// Decodes a V2 text; see `SparseHistogram.init(encodedV2:)`.
    package init(encodedV2 text: String) throws(HistogramError) {
        self.init(try SparseHistogram(encodedV2: text))
    }
}

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
        guard let data = Base64.decode(text) else { throw .notBase64 }
        var message = BigEndianReader(data)
        let cookie = try message.read(UInt32.self)
        guard cookie == V2.compressedCookie else { throw .unknownCookie(cookie) }
        guard try message.read(UInt32.self) == UInt32(message.remainder.count) else { throw .wrongLength }
        var contents = BigEndianReader(try Zlib.inflate(message.remainder, limit: V2.longestContents))
        try Self.checkHeaderV2(&contents)
        try self.init(countsV2: &contents)
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

    private init(countsV2 contents: inout BigEndianReader) throws(HistogramError) {
        var buckets = PackedBuckets()
        var totals = HistogramTotals()
        var index: Int64 = 0
        while !contents.isAtEnd {
            let number = try contents.readZigZag()
            let (next, overflow) = index.subtractingReportingOverflow(number < 0 ? number : -1)
            guard !overflow, next <= Int64(BucketLayout.lastIndex) + 1 else {
                throw .contradiction("counts values above 24 h, the highest that is read")
            }
            if number > 0 {
                buckets.append(index: Int(index), count: UInt64(number))
                try totals.record(bucket: Int(index), times: UInt64(number))
            }
            index = next
        }
        self.init(buckets: buckets, totals: totals)
    }
}

extension HistogramTotals {
    /// Takes in a bucket of which nothing but the count is known.
    ///
    /// Its values are taken to be in range: only the last bucket could hold others, and the encoding does not tell.
    fileprivate mutating func record(bucket index: Int, times: UInt64) throws(HistogramError) {
        guard !count.addingReportingOverflow(times).overflow else {
            throw .contradiction("counts add up to 2^64 or more")
        }
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

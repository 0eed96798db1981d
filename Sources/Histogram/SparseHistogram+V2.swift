import FoundationEssentials

/// The V2 compressed encoding of HdrHistogram (`AbstractHistogram.encodeIntoCompressedByteBuffer`), in base64.
///
///     0x1c849314, length | zlib( 0x1c849313, payload length, 0, 3, 1, 24 h, 1.0 | counts )
///
/// Integers are big-endian; cookies carry 0x10 for "zigzag LEB128 counts". A count is its bucket's, by index from 0; a
/// negative one stands for that many empty buckets; a single empty bucket is a 0. Exact minimum, maximum, sum and
/// overflow have no place in it; `Codable` keeps them.
enum V2 {
    static let compressedCookie: UInt32 = 0x1c84_9314
    static let cookie: UInt32 = 0x1c84_9313
    static let headerLength = 40

    /// The size with every bucket in use and the longest counts: nothing valid inflates to more.
    static let longestContents = headerLength + 9 * (BucketLayout.lastIndex + 1)
}

extension SparseHistogram {
    /// The counts as HdrHistogram's V2 compressed encoding in base64, which its readers in any language decode.
    package func encodedV2() -> String {
        let compressed = Zlib.compress(contentsV2)
        var message = BigEndianWriter()
        message.append(V2.compressedCookie)
        message.append(UInt32(compressed.count))
        message.append(compressed)
        return Data(message.bytes).base64EncodedString()
    }

    private var contentsV2: [UInt8] {
        // An empty histogram has one empty bucket, as the reference writes it.
        let counts = isEmpty ? [0] : buckets.bytes
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

    /// Decodes what `encodedV2` or another HdrHistogram wrote with our settings (3 digits, unit 1, any highest value).
    ///
    /// Counts are exact. Minimum and maximum are those of the outermost buckets and the sum takes each value as the
    /// middle of its bucket, as the reference does when it decodes: the encoding carries nothing better.
    package init(encodedV2 text: String) throws(HistogramError) {
        let (buckets, _) = try V2Decoder().buckets(of: text)
        var totals = HistogramTotals()
        buckets.visit { index, count in
            totals.record(bucket: index, times: count)
            return true
        }
        self.init(buckets: buckets, totals: totals)
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

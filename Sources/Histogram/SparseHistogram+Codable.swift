/// A snapshot in a JSON record: `{"v2": "<base64>", "min": 1, "max": 9, "sum": "12", "overflowed": 0}`.
///
/// The counts in the encoding that HdrHistogram's tools read, next to what it has no place for, so that a decoded
/// snapshot equals the original bit for bit. The sum is a string because it can pass what JSON readers keep exactly.
extension SparseHistogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case v2, min, max, sum, overflowed
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(encodedV2(), forKey: .v2)
        try container.encode(min, forKey: .min)
        try container.encode(max, forKey: .max)
        try container.encode(String(sum), forKey: .sum)
        try container.encode(overflowed, forKey: .overflowed)
    }

    /// Throws a `HistogramError` when the text is damaged or the totals contradict the buckets.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let decoded = try V2Decoder().buckets(of: container.decode(String.self, forKey: .v2))
        let min = try container.decode(Int64.self, forKey: .min)
        let max = try container.decode(Int64.self, forKey: .max)
        let overflowed = try container.decode(UInt64.self, forKey: .overflowed)
        guard let sum = UInt128(try container.decode(String.self, forKey: .sum)) else {
            throw HistogramError.contradiction("sum is not a number")
        }
        try self.init(decoded, min: min, max: max, sum: sum, overflowed: overflowed)
    }

    /// From the members of that object, for readers of many records; the same errors.
    ///
    /// - Parameter encoded: the base64, in UTF-8.
    package init(
        encodedV2 encoded: UnsafeBufferPointer<UInt8>,
        by decoder: V2Decoder,
        min: Int64,
        max: Int64,
        sum: UInt128,
        overflowed: UInt64
    ) throws(HistogramError) {
        try self.init(decoder.buckets(of: encoded), min: min, max: max, sum: sum, overflowed: overflowed)
    }

    private init(
        _ decoded: (buckets: PackedBuckets, count: UInt64),
        min: Int64,
        max: Int64,
        sum: UInt128,
        overflowed: UInt64
    ) throws(HistogramError) {
        let (first, last) = (decoded.buckets.first, decoded.buckets.last)
        guard first >= 0 else {
            guard min == 0, max == 0, sum == 0, overflowed == 0 else {
                throw .contradiction("no values, but totals of some")
            }
            self.init()
            return
        }
        guard min >= 0, BucketLayout.index(of: min) == first, BucketLayout.index(of: max) == last.index else {
            throw .contradiction("min and max lie outside the first and last bucket")
        }
        guard overflowed <= last.count, (overflowed > 0) == (max > BucketLayout.highestValue) else {
            throw .contradiction("overflowed contradicts max")
        }
        var totals = HistogramTotals()
        totals.count = decoded.count
        totals.smallest = min
        totals.largest = max
        totals.sum = sum
        totals.overflowed = overflowed
        self.init(buckets: decoded.buckets, totals: totals)
    }
}

extension BucketCounts {
    /// The value that this share of all values (0 to 1) is at or below; see `value(atPercentile:)`.
    package func value(atQuantile quantile: Double) -> Int64 {
        value(atPercentile: quantile * 100)
    }

    /// The value that this percentage of all values (0 to 100) is at or below; 0 when nothing was recorded.
    ///
    /// Takes the value of rank `max(1, floor(percentile × count / 100 + 0.5))`, as the C and Python HdrHistogram do, and
    /// answers with the highest value of its bucket, but never with one outside the exact minimum and maximum. Worked
    /// example: of 10 values, p50 is the 5th, p99 the 10th and p94 the 9th (9.4 rounds down). Percentile 0 is the minimum.
    package func value(atPercentile percentile: Double) -> Int64 {
        guard percentile > 0 else { return totals.min }
        let rank = rank(atPercentile: percentile)
        var seen: UInt64 = 0
        var value: Int64 = 0
        forEachIndexedCount { index, count in
            seen &+= count
            guard seen >= rank else { return true }
            value = Swift.min(highestValue(at: index), totals.max)
            return false
        }
        return value
    }

    /// The standard deviation of the values, each taken as the middle of its bucket, around the exact mean.
    package var standardDeviation: Double {
        guard totals.count > 0 else { return 0 }
        let mean = totals.mean
        var squares = 0.0
        forEachIndexedCount { index, count in
            let deviation = Double(BucketLayout.middleValue(at: index)) - mean
            squares += deviation * deviation * Double(count)
            return true
        }
        return (squares / Double(totals.count)).squareRoot()
    }

    /// The rank, from 1, of the value at a percentile.
    ///
    /// The order of operations is the reference's, so that both round alike.
    private func rank(atPercentile percentile: Double) -> UInt64 {
        let exact = Swift.min(percentile, 100) * Double(totals.count) / 100 + 0.5
        // Compared first: a count near 2^64 rounds up to a double that no longer fits.
        return exact >= Double(totals.count) ? totals.count : Swift.max(UInt64(exact), 1)
    }
}

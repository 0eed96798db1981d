/// A stretch of values that a histogram does not tell apart, and how many values fell into it.
package struct Bucket: Sendable, Equatable {
    /// The smallest value counted here, in nanoseconds.
    package let from: Int64

    /// The first value no longer counted here.
    ///
    /// In the last bucket, if values above the range were recorded: the maximum plus 1.
    package let to: Int64

    /// How many values were counted here; never 0.
    package let count: UInt64
}

/// What `Histogram` and its snapshot `SparseHistogram` have in common: exact totals and the buckets in use.
package protocol BucketCounts: Sendable {
    /// Count, sum, minimum, maximum and overflow of everything recorded.
    var totals: HistogramTotals { get }

    /// Calls `body` with the index and the count of every non-empty bucket in rising order, until it returns false.
    func forEachIndexedCount<Failure: Error>(_ body: (Int, UInt64) throws(Failure) -> Bool) throws(Failure)
}

extension BucketCounts {
    /// How many values were recorded.
    package var count: UInt64 { totals.count }

    /// The exact sum of all values, in nanoseconds.
    package var sum: UInt128 { totals.sum }

    /// The smallest value, exactly as recorded; 0 when there is none.
    package var min: Int64 { totals.min }

    /// The largest value, exactly as recorded; 0 when there is none.
    package var max: Int64 { totals.max }

    /// The mean of the values as recorded; 0 when there is none.
    package var mean: Double { totals.mean }

    /// How many of the values were above the range of 24 h.
    package var overflowed: UInt64 { totals.overflowed }

    /// Whether nothing was recorded.
    package var isEmpty: Bool { totals.count == 0 }

    /// Calls `body` with every non-empty bucket, in rising order.
    package func forEachBucket<Failure: Error>(_ body: (Bucket) throws(Failure) -> Void) throws(Failure) {
        try forEachIndexedCount { (index, count) throws(Failure) in
            let from = BucketLayout.lowestValue(at: index)
            try body(Bucket(from: from, to: highestValue(at: index) + 1, count: count))
            return true
        }
    }

    /// The largest value that bucket `index` may hold here; the last one has no upper end but the maximum.
    func highestValue(at index: Int) -> Int64 {
        let highest = BucketLayout.highestValue(at: index)
        return index == BucketLayout.lastIndex ? Swift.max(highest, Swift.min(totals.max, .max - 1)) : highest
    }
}

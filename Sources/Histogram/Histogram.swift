/// Counts times of up to 24 h in nanoseconds to three significant digits, in fixed memory and without sampling.
///
/// An HDR histogram: same buckets and quantiles as HdrHistogram, so its files can be read by that project's tools, but
/// minimum, maximum and sum are kept exactly. All memory (305 KiB) is taken by `init`; recording never allocates as long
/// as the histogram is mutated in place and not copied while it is being written to. Each worker has its own; after the
/// run, `merge` gives the same histogram, bit for bit, as one that had recorded everything.
///
/// For a series of snapshots take `SparseHistogram`, which keeps the buckets in use only.
@usableFromInline  // Without it the compiler does not inline `record` into other rooms, whatever that itself says.
package struct Histogram: Sendable, Equatable {
    /// The counts of all buckets; see `BucketLayout` for which values go where.
    @usableFromInline var counts: [UInt64]

    /// Count, sum, minimum, maximum and overflow of everything recorded.
    @usableFromInline package internal(set) var totals = HistogramTotals()

    /// An empty histogram with the memory for every bucket.
    package init() {
        counts = [UInt64](repeating: 0, count: BucketLayout.lastIndex + 1)
    }

    /// Counts one value.
    ///
    /// A negative value is a bug of the caller's clocks and traps. One above 24 h is counted in the last bucket and in
    /// `overflowed`; minimum, maximum and sum take it as it is.
    @inlinable
    @inline(__always)
    package mutating func record(_ value: Int64) {
        precondition(value >= 0, "a negative time was recorded")
        counts[BucketLayout.index(of: value)] &+= 1
        totals.record(value)
    }

    /// Counts one value several times; not at all when `times` is 0.
    package mutating func record(_ value: Int64, times: UInt64) {
        precondition(value >= 0, "a negative time was recorded")
        guard times > 0 else { return }
        counts[BucketLayout.index(of: value)] &+= times
        totals.record(value, times: times)
    }

    /// Adds everything that `other` has recorded.
    ///
    /// Exact: the result equals, bit for bit, one histogram that recorded both parts.
    package mutating func merge(_ other: Histogram) {
        guard let used = other.usedIndexes else { return }
        counts.withUnsafeMutableBufferPointer { mine in
            other.counts.withUnsafeBufferPointer { theirs in
                for index in used { mine[index] &+= theirs[index] }
            }
        }
        totals.merge(other.totals)
    }

    /// Adds everything that a snapshot holds, as exactly as `merge` of a whole histogram.
    package mutating func merge(_ other: SparseHistogram) {
        other.forEachIndexedCount { index, count in
            counts[index] &+= count
            return true
        }
        totals.merge(other.totals)
    }

    /// Forgets everything recorded and keeps the memory.
    ///
    /// Costs time for the buckets between minimum and maximum only.
    package mutating func reset() {
        guard let used = usedIndexes else { return }
        counts.withUnsafeMutableBufferPointer { $0[used].update(repeating: 0) }
        totals = HistogramTotals()
    }

    /// From the bucket of the minimum to that of the maximum; nil when nothing was recorded.
    ///
    /// No bucket outside is in use.
    var usedIndexes: ClosedRange<Int>? {
        guard totals.count > 0 else { return nil }
        return BucketLayout.index(of: totals.smallest)...BucketLayout.index(of: totals.largest)
    }
}

extension Histogram: BucketCounts {
    package func forEachIndexedCount<Failure: Error>(
        _ body: (Int, UInt64) throws(Failure) -> Bool
    ) throws(Failure) {
        guard let used = usedIndexes else { return }
        for index in used where counts[index] > 0 {
            guard try body(index, counts[index]) else { return }
        }
    }
}

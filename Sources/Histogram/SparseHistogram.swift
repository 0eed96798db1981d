/// A snapshot of a histogram that holds the buckets in use only: one or two bytes for each.
///
/// For series of intervals, records and files. Equal to the histogram it was taken from in every count, total and
/// quantile; adding snapshots to a `Histogram` is as exact as merging whole ones. Not for recording.
package struct SparseHistogram: Sendable, Equatable {
    private(set) var buckets = PackedBuckets()

    package private(set) var totals = HistogramTotals()

    /// An empty snapshot.
    package init() {}

    /// What `histogram` holds now.
    package init(_ histogram: Histogram) {
        // No number of a bucket, nor of the gap before it, is longer.
        let buckets = PackedBuckets(upTo: 2 * ZigZag.longest * histogram.bucketsInUse) { writer in
            histogram.forEachIndexedCount { index, count in
                writer.append(index: index, count: count)
                return true
            }
        }
        self.init(buckets: buckets, totals: histogram.totals)
    }

    /// Buckets and the totals that go with them.
    init(buckets: PackedBuckets, totals: HistogramTotals) {
        self.buckets = buckets
        self.totals = totals
    }

    /// Adds another snapshot, as exactly as merging the histograms they were taken from.
    package mutating func merge(_ other: SparseHistogram) {
        buckets = PackedBuckets(merging: buckets, other.buckets)
        totals.merge(other.totals)
    }
}

extension SparseHistogram: BucketCounts {
    package func forEachIndexedCount<Failure: Error>(
        _ body: (Int, UInt64) throws(Failure) -> Bool
    ) throws(Failure) {
        try buckets.visit(body)
    }
}

extension Histogram {
    /// What a snapshot holds, ready to record more.
    package init(_ snapshot: SparseHistogram) {
        self.init()
        merge(snapshot)
    }

    /// The number of non-empty buckets.
    package var bucketsInUse: Int {
        guard let used = usedIndexes else { return 0 }
        return counts[used].reduce(into: 0) { $0 += $1 > 0 ? 1 : 0 }
    }
}

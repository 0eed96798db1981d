/// A snapshot of a histogram that holds the buckets in use only: 10 bytes for each.
///
/// For series of intervals, records and files. Equal to the histogram it was taken from in every count, total and
/// quantile; adding snapshots to a `Histogram` is as exact as merging whole ones. Not for recording.
package struct SparseHistogram: Sendable, Equatable {
    /// The rising indexes of the non-empty buckets (`BucketLayout.lastIndex` fits 16 bits).
    private(set) var indexes: [UInt16]

    /// The count of each of `indexes`, never 0.
    private(set) var counts: [UInt64]

    package private(set) var totals: HistogramTotals

    /// An empty snapshot.
    package init() {
        indexes = []
        counts = []
        totals = HistogramTotals()
    }

    /// What `histogram` holds now.
    package init(_ histogram: Histogram) {
        self.init(copying: histogram, buckets: histogram.bucketsInUse)
    }

    /// Buckets by rising index, none of them empty, and the totals that go with them.
    init(indexes: [UInt16], counts: [UInt64], totals: HistogramTotals) {
        self.indexes = indexes
        self.counts = counts
        self.totals = totals
    }

    /// Adds another snapshot, as exactly as merging the histograms they were taken from.
    package mutating func merge(_ other: SparseHistogram) {
        var merged = SparseHistogram()
        merged.indexes.reserveCapacity(indexes.count + other.indexes.count)
        merged.counts.reserveCapacity(indexes.count + other.indexes.count)
        var mine = 0
        var theirs = 0
        while mine < indexes.count || theirs < other.indexes.count {
            let myIndex = mine < indexes.count ? indexes[mine] : .max
            let theirIndex = theirs < other.indexes.count ? other.indexes[theirs] : .max
            merged.indexes.append(Swift.min(myIndex, theirIndex))
            merged.counts.append(
                (myIndex <= theirIndex ? counts[mine] : 0) &+ (theirIndex <= myIndex ? other.counts[theirs] : 0)
            )
            mine += myIndex <= theirIndex ? 1 : 0
            theirs += theirIndex <= myIndex ? 1 : 0
        }
        merged.totals = totals
        merged.totals.merge(other.totals)
        self = merged
    }

    private init(copying histogram: Histogram, buckets: Int) {
        self.init()
        indexes.reserveCapacity(buckets)
        counts.reserveCapacity(buckets)
        histogram.forEachIndexedCount { index, count in
            indexes.append(UInt16(index))
            counts.append(count)
            return true
        }
        totals = histogram.totals
    }
}

extension SparseHistogram: BucketCounts {
    package func forEachIndexedCount<Failure: Error>(
        _ body: (Int, UInt64) throws(Failure) -> Bool
    ) throws(Failure) {
        for position in indexes.indices {
            guard try body(Int(indexes[position]), counts[position]) else { return }
        }
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

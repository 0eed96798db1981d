/// Adds up snapshots, as exactly as merging the histograms that they were taken from.
///
/// For many at a time and again and again, as the seconds of a thousand shards: a bucket is added where it belongs, without
/// looking for its place among the others'. All memory (310 KiB) is taken by `init`.
package struct SnapshotSum {
    private static let wordBits = UInt64.bitWidth

    /// The counts of all buckets.
    private var counts = [UInt64](repeating: 0, count: BucketLayout.lastIndex + 1)

    /// A bit for each bucket in use, so that taking the sum looks at no others.
    private var used = [UInt64](repeating: 0, count: BucketLayout.lastIndex / wordBits + 1)

    private var totals = HistogramTotals()

    /// How many bytes the buckets of the sum take at most: no bucket more than all that it comes from.
    private var mostBytes = 0

    package init() {}

    /// Adds a snapshot.
    package mutating func add(_ snapshot: SparseHistogram) {
        totals.merge(snapshot.totals)
        mostBytes += snapshot.buckets.size
        counts.withUnsafeMutableBufferPointer { counts in
            used.withUnsafeMutableBufferPointer { used in
                snapshot.buckets.visit { index, count in
                    counts[index] &+= count
                    used[index / Self.wordBits] |= 1 << UInt64(index % Self.wordBits)
                }
            }
        }
    }

    /// What was added since the last time, which is forgotten.
    package mutating func take() -> SparseHistogram {
        guard totals.count > 0 else { return SparseHistogram() }
        let range = BucketLayout.index(of: totals.smallest)...BucketLayout.index(of: totals.largest)
        let buckets = PackedBuckets(upTo: mostBytes) { take(range, to: &$0) }
        defer { (totals, mostBytes) = (HistogramTotals(), 0) }
        return SparseHistogram(buckets: buckets, totals: totals)
    }

    private mutating func take(_ range: ClosedRange<Int>, to destination: inout PackedBuckets.Writer) {
        var writer = destination
        defer { destination = writer }
        for word in range.lowerBound / Self.wordBits...range.upperBound / Self.wordBits {
            while used[word] != 0 {
                let index = word * Self.wordBits + used[word].trailingZeroBitCount
                used[word] &= used[word] - 1
                writer.append(index: index, count: counts[index])
                counts[index] = 0
            }
        }
    }
}

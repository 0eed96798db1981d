/// Adds up snapshots, as exactly as merging the histograms that they were taken from.
///
/// For many at a time and again and again, as the seconds of a thousand shards: a bucket is added where it belongs, without
/// looking for its place among the others'. All memory (310 KiB) is taken by `init`.
package struct SnapshotSum {
    /// Neighbouring buckets that are looked at together when the sum is taken, as a power of two.
    private static let groupMagnitude = 6
    private static let group = 1 << groupMagnitude

    /// The counts of all buckets, in whole groups.
    private var counts = [UInt64](repeating: 0, count: (BucketLayout.lastIndex / group + 1) * group)

    /// For each group whether anything was added there, so that taking the sum looks at no others.
    private var isUsed = [Bool](repeating: false, count: BucketLayout.lastIndex / group + 1)

    private var totals = HistogramTotals()

    /// How many bytes the buckets of the sum take at most: no bucket, with the gap before it, more than all it comes from.
    private var mostBytes = 0

    package init() {}

    /// Adds a snapshot.
    package mutating func add(_ snapshot: SparseHistogram) {
        totals.merge(snapshot.totals)
        mostBytes += snapshot.buckets.bytes.count
        counts.withUnsafeMutableBufferPointer { counts in
            isUsed.withUnsafeMutableBufferPointer { isUsed in
                snapshot.buckets.bytes.withUnsafeBufferPointer { Self.add($0, to: counts, isUsed) }
            }
        }
    }

    private static func add(
        _ bytes: UnsafeBufferPointer<UInt8>,
        to counts: UnsafeMutableBufferPointer<UInt64>,
        _ isUsed: UnsafeMutableBufferPointer<Bool>
    ) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let memory = UnsafeRawBufferPointer(bytes)
        var (position, index) = (0, 0)
        while position < bytes.count {
            if position + 8 <= bytes.count {
                let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                if word & (ones << 7) == 0 {
                    // Eight numbers of one byte, as nearly all are: an even one is a count (or a bucket of none), an odd one a
                    // gap. Without a branch for which it is, since that can't be foreseen; adding nothing does no harm.
                    let halves = (word >> 1) & (ones &* 0x3F)
                    let isGap = (word & ones) &* 0xFF
                    var (more, steps) = (halves & ~isGap, ones &+ (halves & isGap))
                    for _ in 0..<8 {
                        counts[index] &+= more & 0xFF
                        isUsed[index &>> groupMagnitude] = true
                        index &+= Int(truncatingIfNeeded: steps & 0xFF)
                        (more, steps) = (more >> 8, steps >> 8)
                    }
                    position &+= 8
                    continue
                }
            }
            guard let number = ZigZag.read(bytes, at: &position) else { return }
            if number > 0 {
                counts[index] &+= UInt64(number)
                isUsed[index &>> groupMagnitude] = true
            }
            index &+= number < 0 ? Int(-number) : 1
        }
    }

    /// What was added since the last time, which is forgotten.
    package mutating func take() -> SparseHistogram {
        guard totals.count > 0 else { return SparseHistogram() }
        let first = BucketLayout.index(of: totals.smallest) / Self.group
        let last = BucketLayout.index(of: totals.largest) / Self.group
        let buckets = PackedBuckets(upTo: mostBytes) { writer in
            for group in first...last where isUsed[group] {
                isUsed[group] = false
                for index in group * Self.group..<(group + 1) * Self.group where counts[index] > 0 {
                    writer.append(index: index, count: counts[index])
                    counts[index] = 0
                }
            }
        }
        defer { (totals, mostBytes) = (HistogramTotals(), 0) }
        return SparseHistogram(buckets: buckets, totals: totals)
    }
}

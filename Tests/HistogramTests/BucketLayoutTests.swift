import Testing

@testable import Histogram

@Suite struct BucketLayoutTests {
    /// Indexes computed by the reference (`HdrHistogram(1, 86400 * 10**9, 3).get_counts_array_index`).
    @Test(
        arguments: [
            (0, 0, 0, 0), (1, 1, 1, 1), (2_047, 2_047, 2_047, 2_047),
            (2_048, 2_048, 2_048, 2_049), (2_049, 2_048, 2_048, 2_049), (4_095, 3_071, 4_094, 4_095),
            (4_096, 3_072, 4_096, 4_099), (1_000_000, 11_169, 999_936, 1_000_447),
            (20_000_000, 15_556, 19_988_480, 20_004_863),
            (86_400_000_000_000, 38_121, 86_380_382_257_152, 86_449_101_733_887),
        ] as [(Int64, Int, Int64, Int64)]
    )
    func valueGoesToTheBucketThatTheReferenceTakes(value: Int64, index: Int, lowest: Int64, highest: Int64) {
        #expect(BucketLayout.index(of: value) == index)
        #expect(BucketLayout.lowestValue(at: index) == lowest)
        #expect(BucketLayout.highestValue(at: index) == highest)
    }

    @Test func bucketsCoverEveryValueOnceAndInOrder() {
        var next: Int64 = 0
        for index in 0...BucketLayout.lastIndex {
            let lowest = BucketLayout.lowestValue(at: index)
            let highest = BucketLayout.highestValue(at: index)
            guard lowest == next, BucketLayout.index(of: lowest) == index else {
                Issue.record("bucket \(index) starts at \(lowest), not at \(next)")
                return
            }
            guard BucketLayout.index(of: min(highest, BucketLayout.highestValue)) == index else {
                Issue.record("bucket \(index) does not hold its highest value \(highest)")
                return
            }
            guard (highest - lowest) * 1_000 <= lowest else {
                Issue.record("bucket \(index) is wider than three significant digits allow")
                return
            }
            next = highest + 1
        }
        #expect(next > BucketLayout.highestValue)
    }

    @Test(arguments: [86_400_000_000_001, 1 << 50, .max] as [Int64])
    func valueAboveTheRangeGoesToTheLastBucket(value: Int64) {
        #expect(BucketLayout.index(of: value) == BucketLayout.lastIndex)
    }
}

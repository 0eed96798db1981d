import Histogram
import Testing

@Suite struct RecordingTests {
    @Test func emptyHistogramHasZeroesAndNoBuckets() {
        let histogram = Histogram()
        #expect(histogram.isEmpty)
        #expect((histogram.count, histogram.min, histogram.max, histogram.overflowed) == (0, 0, 0, 0))
        #expect(histogram.sum == 0)
        #expect(histogram.mean == 0)
        #expect(histogram.standardDeviation == 0)
        #expect(histogram.value(atQuantile: 0.99) == 0)
        #expect(buckets(of: histogram).isEmpty)
    }

    @Test(arguments: Samples.allCases)
    func totalsAreExact(samples: Samples) throws {
        let values = samples.values(10_000)
        let histogram = Histogram(recording: values)
        let sum = values.reduce(0, +)
        #expect(histogram.count == 10_000)
        #expect(histogram.min == values.min())
        #expect(histogram.max == values.max())
        #expect(histogram.sum == UInt128(sum))
        #expect(histogram.mean == Double(sum) / 10_000)
        #expect(histogram.overflowed == 0)
    }

    @Test func sumPasses64Bits() {
        var histogram = Histogram()
        histogram.record(10_000_000_000, times: 4_000_000_000)
        #expect(histogram.sum == 40_000_000_000_000_000_000)
        #expect(histogram.mean == 10_000_000_000)
    }

    @Test(arguments: [0, 1, 2_047, 1_000_000, 90_000_000_000_000] as [Int64], [0, 1, 7] as [UInt64])
    func timesCountsAsOftenAsRecordingOneByOne(value: Int64, times: UInt64) {
        var atOnce = Histogram(recording: [5])
        atOnce.record(value, times: times)
        var oneByOne = Histogram(recording: [5])
        for _ in 0..<times { oneByOne.record(value) }
        #expect(atOnce == oneByOne)
    }

    @Test func valueAboveTheRangeIsCountedInTheLastBucketAndAsOverflow() throws {
        let hours30: Int64 = 108_000_000_000_000
        let histogram = Histogram(recording: [86_400_000_000_000, 86_400_000_000_001, hours30])
        #expect(histogram.count == 3)
        #expect(histogram.overflowed == 2)
        #expect(histogram.max == hours30)
        #expect(histogram.value(atQuantile: 1) == hours30)
        let bucket = try #require(buckets(of: histogram).first)
        #expect((bucket.from, bucket.to, bucket.count) == (86_380_382_257_152, hours30 + 1, 3))
    }

    @Test func resetHistogramEqualsAFreshOne() {
        for samples in Samples.allCases {
            var histogram = Histogram(recording: samples.values(1_000))
            histogram.record(.max)
            histogram.reset()
            #expect(histogram == Histogram())
        }
    }

    @Test func bucketsHoldEveryValueBetweenTheirEnds() {
        let values = Samples.everyMagnitude.values(5_000).sorted()
        let buckets = buckets(of: Histogram(recording: values))
        var rest = values[...]
        for bucket in buckets {
            let inside = rest.prefix { $0 < bucket.to }
            #expect(inside.count == Int(bucket.count))
            #expect(inside.allSatisfy { $0 >= bucket.from })
            rest = rest.dropFirst(inside.count)
        }
        #expect(rest.isEmpty)
    }

    @Test func bucketIterationPassesTheErrorOfItsBodyOn() {
        struct Full: Error {}
        var seen = 0
        #expect(throws: Full.self) {
            try Histogram(recording: [1, 2, 3])
                .forEachBucket { _ in
                    seen += 1
                    if seen == 2 { throw Full() }
                }
        }
        #expect(seen == 2)
    }

    @Test func negativeTimeTraps() async {
        await #expect(processExitsWith: .failure) {
            var histogram = Histogram()
            histogram.record(-1)
        }
    }
}

@Suite struct MergeTests {
    @Test(arguments: Samples.allCases, 1...4)
    func mergeOfPartsEqualsTheWhole(samples: Samples, parts: Int) {
        let values = samples.values(20_000) + [0, .max, 86_400_000_000_000]
        var merged = Histogram()
        var mergedFromSnapshots = Histogram()
        var mergedSnapshot = SparseHistogram()
        for part in 0..<parts {
            let share = Histogram(recording: values.indices.filter { $0 % parts == part }.map { values[$0] })
            merged.merge(share)
            mergedFromSnapshots.merge(SparseHistogram(share))
            mergedSnapshot.merge(SparseHistogram(share))
        }
        let whole = Histogram(recording: values)
        #expect(merged == whole)
        #expect(mergedFromSnapshots == whole)
        #expect(mergedSnapshot == SparseHistogram(whole))
    }

    @Test func mergeOfAnEmptyHistogramChangesNothing() {
        var histogram = Histogram(recording: [7, 9])
        histogram.merge(Histogram())
        histogram.merge(SparseHistogram())
        #expect(histogram == Histogram(recording: [7, 9]))
        var empty = Histogram()
        empty.merge(Histogram())
        #expect(empty == Histogram())
    }

    @Test func mergeLeavesACopyOfTheOtherAlone() {
        let other = Histogram(recording: [1])
        var histogram = other
        histogram.merge(other)
        #expect(other.count == 1)
        #expect(histogram.count == 2)
    }
}

@Suite struct SparseHistogramTests {
    @Test(arguments: Samples.allCases)
    func snapshotHoldsWhatTheHistogramHeld(samples: Samples) {
        let histogram = Histogram(recording: samples.values(3_000) + [.max])
        let snapshot = SparseHistogram(histogram)
        #expect(Histogram(snapshot) == histogram)
        #expect(buckets(of: snapshot) == buckets(of: histogram))
        #expect(snapshot.totals == histogram.totals)
        for percentile in [0, 50, 99, 99.9, 100] {
            #expect(snapshot.value(atPercentile: percentile) == histogram.value(atPercentile: percentile))
        }
    }

    @Test func snapshotOfNothingIsEmpty() {
        #expect(SparseHistogram(Histogram()) == SparseHistogram())
        #expect(Histogram(SparseHistogram()) == Histogram())
        #expect(SparseHistogram().value(atQuantile: 0.5) == 0)
    }
}

private func buckets(of histogram: some BucketCounts) -> [Bucket] {
    var buckets: [Bucket] = []
    histogram.forEachBucket { buckets.append($0) }
    return buckets
}

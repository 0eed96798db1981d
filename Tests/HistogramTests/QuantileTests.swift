import Histogram
import Testing

@Suite struct QuantileTests {
    static let percentiles = [0.001, 1, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 99.999, 100]

    /// Of the values from 1 to `count`, whose buckets are exact, the percentile's rank is the value itself.
    @Test(
        arguments: [
            (1, 50, 1), (1, 99.9, 1), (2, 50, 1), (2, 51, 1), (2, 75, 2), (3, 50, 2), (10, 50, 5), (10, 94, 9),
            (10, 95, 10),
            (10, 99, 10), (10, 1, 1), (100, 99, 99), (100, 99.9, 100), (100, 99.4, 99), (1_000, 99.9, 999),
            (1_000, 99.95, 1_000), (1_000, 100, 1_000), (1_000, 250, 1_000), (1_000, 0, 1), (1_000, -5, 1),
        ] as [(Int64, Double, Int64)]
    )
    func rankIsRoundedHalfUpAsInTheReference(count: Int64, percentile: Double, rank: Int64) {
        #expect(Histogram(recording: 1...count).value(atPercentile: percentile) == rank)
    }

    @Test(arguments: Samples.allCases, [1, 2, 3, 99, 100, 1_000, 12_345])
    func percentilesAgreeWithASortOfAllValues(samples: Samples, count: Int) {
        let values = samples.values(count, seed: UInt64(count))
        let histogram = Histogram(recording: values)
        let sorted = values.sorted()
        for percentile in Self.percentiles {
            let rank = max(1, Int(percentile * Double(count) / 100 + 0.5))
            let exact = sorted[rank - 1]
            let answer = histogram.value(atPercentile: percentile)
            #expect(answer >= exact, "p\(percentile) of \(count) \(samples)")
            #expect(answer <= sorted[count - 1], "p\(percentile) of \(count) \(samples)")
            #expect(Double(answer - exact) <= Double(exact) / 1_024, "p\(percentile) of \(count) \(samples)")
        }
    }

    @Test func outermostQuantilesAreExact() {
        let histogram = Histogram(recording: [1_000_123, 5_000_456, 9_000_789])
        #expect(histogram.value(atQuantile: 0) == 1_000_123)
        #expect(histogram.value(atQuantile: 1) == 9_000_789)
        #expect(histogram.value(atQuantile: 0.999) == 9_000_789)
        #expect(histogram.value(atQuantile: 0.5) == 5_001_215)
    }

    /// The quantiles of the result files must not lose the reference's rounding to the conversion from a share.
    @Test(arguments: [(0.5, 50), (0.75, 75), (0.9, 90), (0.95, 95), (0.99, 99), (0.999, 99.9), (0.9999, 99.99)])
    func quantileIsThePercentileOfAHundredfold(quantile: Double, percentile: Double) {
        for count in [1, 2, 5, 50, 150, 500, 1_500, 5_000] as [Int64] {
            let histogram = Histogram(recording: 1...count)
            #expect(histogram.value(atQuantile: quantile) == histogram.value(atPercentile: percentile))
        }
    }

    @Test func countsNear64BitsDoNotTrap() {
        var histogram = Histogram()
        histogram.record(3, times: .max - 10)
        histogram.record(9, times: 10)
        #expect(histogram.value(atPercentile: 50) == 3)
        #expect(histogram.value(atPercentile: 100) == 9)
    }

    @Test func standardDeviationIsThatOfTheBuckets() {
        #expect(Histogram(recording: [2, 4, 4, 4, 5, 5, 7, 9]).standardDeviation == 2)
        #expect(Histogram(recording: [100]).standardDeviation == 0)
    }
}

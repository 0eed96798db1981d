import Foundation
import Histogram
import Testing

@Suite struct FixedDecimalTests {
    @Test(
        arguments: [
            (0, 3, "0.000"), (1, 0, "1"), (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"), (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            (0.1, 12, "0.100000000000"), (999.9996, 3, "1000.000"), (1e-300, 3, "0.000"),
            (0x1p62, 1, "4611686018427387904.0"),
            (.infinity, 3, "inf"), (-1.5, 1, "-1.5"), (-0.0625, 3, "-0.062"), (-1e-9, 3, "0.000"),
        ] as [(Double, Int, String)]
    )
    func numberIsRoundedAsPrintfDoes(value: Double, decimals: Int, text: String) {
        #expect(FixedDecimal.text(value, digits: decimals) == text)
    }

    @Test func randomNumbersMatchPrintf() {
        var random = SplitMix(seed: 3)
        for _ in 0..<20_000 {
            let value =
                Double(random.next() >> UInt64.random(in: 1...63, using: &random)) / Double(random.next() >> 40 | 1)
            let decimals = Int.random(in: 0...12, using: &random)
            guard value < 0x1p62 else { continue }
            #expect(FixedDecimal.text(value, digits: decimals) == String(format: "%.\(decimals)f", value))
        }
    }

    @Test(
        arguments: [
            (0, 1_000, "0.000"), (1, 1_000, "0.001"), (1_795_944_120_250, 1_000, "1795944120.250"),
            (499_999, 1_000_000_000, "0.000"), (500_000, 1_000_000_000, "0.001"), (27_132_499, 1_000_000, "27.132"),
            (.max, 1, "9223372036854775807.000"),
        ] as [(Int64, Int64, String)]
    )
    func quotientIsExact(numerator: Int64, denominator: Int64, text: String) {
        #expect(FixedDecimal(Int128(numerator), over: Int128(denominator), digits: 3)?.description == text)
    }
}

@Suite struct HistogramLogTests {
    @Test func headerNamesVersionAndStart() {
        #expect(
            HistogramLog.header(startedAt: 1_795_944_120_250, comment: "pushbench mixed-fleet") == """
                #pushbench mixed-fleet
                #[Histogram log format version 1.3]
                #[StartTime: 1795944120.250 (seconds since epoch), 2026-11-29T09:22:00Z]
                #[BaseTime: 1795944120.250 (seconds since epoch)]
                "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

                """
        )
    }

    @Test func lineHasTagIntervalAndMaximumInMilliseconds() {
        let histogram = Histogram(recording: [20_000_000, 27_132_499])
        let line = HistogramLog.line(
            SparseHistogram(histogram),
            tag: "fcm.response",
            from: 2_000_000_000,
            to: 2_999_600_000
        )
        #expect(line == "Tag=fcm.response,2.000,1.000,27.132,\(histogram.encodedV2())\n")
    }

    @Test(arguments: ["a,b", "a b", "a\n"])
    func tagThatWouldBreakTheFormatTraps(tag: String) async {
        await #expect(processExitsWith: .failure) { [tag] in
            _ = HistogramLog.line(SparseHistogram(), tag: tag, from: 0, to: 1)
        }
    }
}

@Suite struct PercentileTextTests {
    @Test func textHasTheReferencesLines() {
        #expect(
            Histogram(recording: [1_000, 2_000, 3_000, 1_000_000]).percentileText(unit: 1_000) == """
                       Value     Percentile TotalCount 1/(1-Percentile)

                       1.000 0.000000000000          1           1.00
                       1.000 0.100000000000          1           1.11
                       1.000 0.200000000000          1           1.25
                       2.000 0.300000000000          2           1.43
                       2.000 0.400000000000          2           1.67
                       2.000 0.500000000000          2           2.00
                       3.001 0.550000000000          3           2.22
                       3.001 0.600000000000          3           2.50
                       3.001 0.650000000000          3           2.86
                       3.001 0.700000000000          3           3.33
                       3.001 0.750000000000          3           4.00
                    1000.000 0.775000000000          4           4.44
                    1000.000 1.000000000000          4
                #[Mean    =      251.500, StdDeviation   =      432.230]
                #[Max     =     1000.000, Total count    =            4]
                #[Buckets =           37, SubBuckets     =         2048]

                """
        )
    }

    @Test func emptyHistogramHasHeaderAndFooterOnly() {
        #expect(
            Histogram().percentileText() == """
                       Value     Percentile TotalCount 1/(1-Percentile)

                #[Mean    =        0.000, StdDeviation   =        0.000]
                #[Max     =        0.000, Total count    =            0]
                #[Buckets =           37, SubBuckets     =         2048]

                """
        )
    }

    @Test(arguments: Samples.allCases)
    func everyLineCountsTheValuesUpToItsOwn(samples: Samples) throws {
        let values = samples.values(5_000)
        let lines = Histogram(recording: values).percentileText(unit: 1).split(separator: "\n").dropFirst()
        var rows = 0
        for line in lines where !line.hasPrefix("#") {
            let fields = line.split(separator: " ")
            let value = try #require(Double(fields[0]))
            #expect(fields[2] == "\(values.count { Double($0) <= value })")
            rows += 1
        }
        #expect(rows >= 2)
    }
}

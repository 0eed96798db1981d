import Histogram

/// Numbers of one name, as monitoring systems have them: what the Prometheus text and OTLP are both made from.
struct MetricFamily {
    enum Kind {
        /// Only ever grows within a run.
        case counter
        case gauge
        case histogram
    }

    struct Point {
        /// In a fixed order, names of letters and underscores.
        var labels: [(name: String, value: String)]
        var value: Value
    }

    enum Value {
        case number(FixedDecimal)
        case times(FixedBuckets)
    }

    /// With its base unit in it, as Prometheus asks for: `pushbench_response_seconds`.
    var name: String
    /// One sentence.
    var help: String
    var kind: Kind
    /// As UCUM writes it: `s`, `By`, `1`.
    var unit: String
    var points: [Point]
}

/// Times counted in buckets that are the same in every run, so that many runs can be added up.
struct FixedBuckets {
    /// Upper ends in nanoseconds, inclusive.
    static let ends: [Int64] = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
        30_000_000_000,
    ]

    /// One for each end, and one for what lies beyond the last.
    let counts: [UInt64]
    let count: UInt64
    /// Exact.
    let sum: FixedDecimal

    /// A recorded bucket that reaches across an end, at most a thousandth of it wide, is counted above.
    init(_ times: some BucketCounts) {
        var counts = [UInt64](repeating: 0, count: Self.ends.count + 1)
        var place = 0
        times.forEachBucket { bucket in
            while place < Self.ends.count, bucket.to - 1 > Self.ends[place] { place += 1 }
            counts[place] += bucket.count
        }
        self.counts = counts
        count = times.count
        sum = FixedDecimal(Int128(times.sum), over: 1_000_000_000, digits: 9) ?? .seconds(0)
    }
}

import Histogram

/// Recording one time, with answers spread over 18 to 42 ms as from a busy host.
struct HistogramRecord: Benchmark {
    static let name = "histogram/record"

    private var histogram = Histogram()
    private let times = spreadTimes()

    mutating func run(_ count: Int) -> UInt64 {
        for position in 0..<count {
            histogram.record(times[position & (times.count - 1)])
        }
        return histogram.count
    }
}

/// 4,096 times of 18 to 42 ms, the same in every run: steps of the golden ratio, which spread evenly.
func spreadTimes() -> [Int64] {
    (0..<4_096).map { 18_000_000 + Int64((UInt64($0) &* 0x9e37_79b9_7f4a_7c15) >> 40) * 24_000_000 >> 24 }
}

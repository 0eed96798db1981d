import Histogram

/// Adding one worker's histogram, with times of 18 to 42 ms, to the sum.
struct HistogramMerge: Benchmark {
    static let name = "histogram/merge"

    private var sum = Histogram()
    private var part = Histogram()

    init() {
        for time in spreadTimes() { part.record(time) }
    }

    mutating func run(_ count: Int) -> UInt64 {
        for _ in 0..<count { sum.merge(part) }
        return sum.count
    }
}

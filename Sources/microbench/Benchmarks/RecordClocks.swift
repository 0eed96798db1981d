import Histogram
import Sending

/// Recording the four times of one push, each into its histogram.
struct RecordClocks: Benchmark {
    static let name = "sending/record-four-clocks"

    private var clocks = ClockHistograms()
    private let times = spreadTimes()

    mutating func run(_ count: Int) -> UInt64 {
        for position in 0..<count {
            let time = times[position & (times.count - 1)]
            clocks.response.record(time)
            clocks.service.record(time &- 900_000)
            clocks.lag.record(time & 0xf_ffff)
            clocks.streamWait.record(time & 0xff)
        }
        return clocks.response.count
    }
}

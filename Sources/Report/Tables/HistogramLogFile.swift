import Histogram
import Sending

/// `histograms.hlog`: HdrHistogram's log of intervals, one tag for each lane and clock.
///
/// Response times are kept by the second; the other clocks by phase, handshakes and batches for the whole run.
enum HistogramLogFile {
    private struct Interval {
        var start: Int64
        var end: Int64
        var tag: String
        var times: RecordedHistogram
    }

    static func write(_ record: RunRecord, to text: ResultText) {
        let milliseconds = record.startedAt.nanoseconds / 1_000_000
        let name = record.name.split(whereSeparator: \.isNewline).joined(separator: " ")
        text.append(HistogramLog.header(startedAt: milliseconds, comment: "pushbench \(name)"))
        // Readers rely on rising starts; the tag makes the order of equal ones the same every time.
        for interval in intervals(of: record).sorted(by: { ($0.start, $0.tag) < ($1.start, $1.tag) }) {
            text.append(
                HistogramLog.line(interval.times.values, tag: interval.tag, from: interval.start, to: interval.end)
            )
        }
    }

    private static func intervals(of record: RunRecord) -> [Interval] {
        record.lanes.flatMap { lane in
            (seconds(of: lane, in: record) + phases(of: lane, in: record) + wholeRun(of: lane, in: record))
                .filter { !$0.times.values.isEmpty }
        }
    }

    private static func seconds(of lane: LaneRecord, in record: RunRecord) -> [Interval] {
        let second: Int64 = 1_000_000_000
        return lane.timeline.map { interval in
            let start = Int64(interval.second) * second
            // The run's last second may be a short one.
            let end = max(start, min(start + second, max(record.duration, start)))
            return Interval(start: start, end: end, tag: tag(lane, .response), times: interval.response)
        }
    }

    private static func phases(of lane: LaneRecord, in record: RunRecord) -> [Interval] {
        let clocks = PushClock.allCases.filter { lane.timeline.isEmpty || $0 != .response }
        return clocks.flatMap { clock in
            zip(record.phases, lane.phases)
                .map { phase, part in
                    Interval(start: phase.start, end: phase.end, tag: tag(lane, clock), times: part[clock])
                }
        }
    }

    private static func wholeRun(of lane: LaneRecord, in record: RunRecord) -> [Interval] {
        [("handshake", lane.handshake), ("batch", lane.batch)]
            .map { clock, times in
                Interval(start: 0, end: record.duration, tag: "\(lane.name).\(clock)", times: times)
            }
    }

    private static func tag(_ lane: LaneRecord, _ clock: PushClock) -> String { "\(lane.name).\(clock.rawValue)" }
}

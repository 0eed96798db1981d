import Histogram

/// `timeline.csv`: one row for each second and lane, in order of time.
package enum TimelineTable {
    static let columns = [
        "t_s", "phase", "lane", "planned", "sent", "answered", "delivered", "rejected", "failed", "skipped",
        "in_flight", "backlog", "connections", "response_p50_us", "response_p99_us", "response_max_us",
    ]

    /// Writes the rows of a record.
    ///
    /// - Parameter first: the first second that is written; later than 0, the header is left out.
    package static func write(_ record: RunRecord, from first: Int = 0, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns, hasHeader: first == 0)
        record.forEachSecond(from: first) { lane, interval in
            let response = interval.response.values
            func time(_ nanoseconds: Int64) -> FixedDecimal? {
                response.isEmpty ? nil : .microseconds(nanoseconds)
            }
            csv.row([
                interval.second, record.phases[interval.phase].name, lane.name, interval.planned, interval.sent,
                interval.answered, interval.delivered, interval.rejected, interval.failed, interval.skipped,
                interval.inFlight, interval.backlog, interval.connections, time(response.value(atQuantile: 0.5)),
                time(response.value(atQuantile: 0.99)), time(response.max),
            ])
        }
    }
}

extension RunRecord {
    /// Every lane's seconds in order of time; within a second in the order of the lanes.
    func forEachSecond(from first: Int = 0, _ body: (LaneRecord, IntervalRecord) -> Void) {
        var rest = lanes.map { lane in
            lane.timeline[(lane.timeline.firstIndex { $0.second >= first } ?? lane.timeline.endIndex)...]
        }
        while let second = rest.compactMap({ $0.first?.second }).min() {
            for (index, lane) in lanes.enumerated() {
                guard let interval = rest[index].first, interval.second == second else { continue }
                body(lane, interval)
                rest[index] = rest[index].dropFirst()
            }
        }
    }
}

import Histogram

/// `timeline.csv`: one row for each second and lane, in order of time.
enum TimelineTable {
    static let columns = [
        "t_s", "phase", "lane", "planned", "sent", "answered", "delivered", "rejected", "failed", "skipped",
        "in_flight", "backlog", "connections", "response_p50_us", "response_p99_us", "response_max_us",
    ]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        record.forEachSecond { lane, interval in
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
    func forEachSecond(_ body: (LaneRecord, IntervalRecord) -> Void) {
        var rest = lanes.map { $0.timeline[...] }
        while let second = rest.compactMap({ $0.first?.second }).min() {
            for (index, lane) in lanes.enumerated() {
                guard let interval = rest[index].first, interval.second == second else { continue }
                body(lane, interval)
                rest[index] = rest[index].dropFirst()
            }
        }
    }
}

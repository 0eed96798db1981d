import Histogram
import Sending

/// `latency.csv`: the non-empty buckets of each lane's histograms over all measured phases, for plotting.
///
/// Connects and batches are not counted by phase, so `handshake` and `batch` are about the whole run.
enum LatencyTable {
    static let columns = ["lane", "clock", "from_us", "to_us", "count", "cumulative_share"]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        for lane in record.lanes {
            for clock in PushClock.allCases {
                write(record.measured(lane, clock), lane: lane, clock: clock.rawValue, to: csv)
            }
            write(record.quotaWaits(of: lane), lane: lane, clock: "quota_wait", to: csv)
            write(lane.handshake.values, lane: lane, clock: "handshake", to: csv)
            write(lane.batch.values, lane: lane, clock: "batch", to: csv)
        }
    }

    private static func write(_ times: some BucketCounts, lane: LaneRecord, clock: String, to csv: CSVWriter) {
        var seen: UInt64 = 0
        times.forEachBucket { bucket in
            seen += bucket.count
            csv.row([
                lane.name, clock, FixedDecimal.microseconds(bucket.from), FixedDecimal.microseconds(bucket.to),
                bucket.count, FixedDecimal.share(seen, of: times.count, digits: 9),
            ])
        }
    }
}

extension RunRecord {
    /// How long the lane's quota keeper held pushes up, over all measured phases.
    fileprivate func quotaWaits(of lane: LaneRecord) -> Histogram {
        measuredPhases.reduce(into: Histogram()) { sum, phase in
            if let waits = lane.phases[phase].quotaWait { sum.merge(waits.values) }
        }
    }

    /// One clock of a lane over all measured phases.
    fileprivate func measured(_ lane: LaneRecord, _ clock: PushClock) -> Histogram {
        measuredPhases.reduce(into: Histogram()) { $0.merge(lane.phases[$1][clock].values) }
    }
}

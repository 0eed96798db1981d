import Histogram
import Sending

/// `summary.csv`: one row for each phase and lane, with `all` as a lane and, for all measured phases, as a phase.
enum SummaryTable {
    static let counts = ["planned", "delivered", "rejected", "failed", "skipped", "unanswered", "attempts"]
    static let rates = ["duration_s", "planned_per_s", "sent_per_s", "answered_per_s", "peak_sent_per_s"]
    static let statistics = ["mean", "p50", "p90", "p99", "p999", "max"]

    static var columns: [String] {
        let clocks = PushClock.allCases.flatMap { clock in statistics.map { "\(clock.rawValue)_\($0)_us" } }
        return ["phase", "lane"] + counts + rates + clocks + ["bytes_out_per_push", "bytes_in_per_push", "retries"]
            + statistics.map { "quota_wait_\($0)_us" }
    }

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        record.forEachSummaryRow { csv.row(row($0)) }
    }

    private static func row(_ totals: RunTotals) -> [(any CustomStringConvertible)?] {
        let counts = totals.counts
        var row: [(any CustomStringConvertible)?] = [
            totals.phase, totals.lane, counts.planned, counts.delivered, counts.rejected, counts.failed, counts.skipped,
            counts.unanswered, counts.attempts, FixedDecimal.seconds(totals.duration),
        ]
        for count in [counts.planned, totals.sent, counts.answered] {
            row.append(FixedDecimal.perSecond(count, in: totals.duration))
        }
        row.append(totals.peakSent)
        for clock in PushClock.allCases { row.append(contentsOf: statistics(of: totals.clocks[clock])) }
        for bytes in [totals.bytesOut, totals.bytesIn] {
            row.append(FixedDecimal(Int128(bytes), over: Int128(totals.bytesSent), digits: 1))
        }
        row.append(counts.retries)
        row.append(contentsOf: statistics(of: totals.quotaWait))
        return row
    }

    /// Empty fields when nothing was recorded: a time of 0 would be a claim.
    private static func statistics(of times: Histogram) -> [FixedDecimal?] {
        guard !times.isEmpty else { return statistics.map { _ in nil } }
        let quantiles = [0.5, 0.9, 0.99, 0.999].map { FixedDecimal.microseconds(times.value(atQuantile: $0)) }
        return [times.meanMicroseconds] + quantiles + [FixedDecimal.microseconds(times.max)]
    }
}

extension BucketCounts {
    /// The mean from the exact sum, without a detour through `Double`; nil when nothing was recorded.
    var meanMicroseconds: FixedDecimal? {
        FixedDecimal(Int128(sum), over: Int128(count) * 1_000, digits: 3)
    }
}

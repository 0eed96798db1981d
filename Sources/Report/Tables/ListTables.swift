import Histogram
import Sending

/// `outcomes.csv`: how pushes ended, by what was said; `share` is of the lane's planned pushes in the phase.
enum OutcomesTable {
    static let columns = ["phase", "lane", "status", "reason", "disposition", "count", "share"]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        for (index, phase) in record.phases.enumerated() {
            for lane in record.lanes {
                let part = lane.phases[index]
                for row in part.outcomes.inOrder {
                    csv.row([
                        phase.name, lane.name, row.status, row.reason, row.disposition, row.count,
                        FixedDecimal.share(row.count, of: part.counts.planned),
                    ])
                }
            }
        }
    }
}

/// `retries.csv`: what attempts ended with that were followed by another.
enum RetriesTable {
    static let columns = ["phase", "lane", "status", "reason", "count"]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        for (index, phase) in record.phases.enumerated() {
            for lane in record.lanes {
                for row in (lane.phases[index].retried ?? []).inOrder {
                    csv.row([phase.name, lane.name, row.status, row.reason, row.count])
                }
            }
        }
    }
}

extension [OutcomeRow] {
    /// Answers by status, then ends without one; the most frequent first.
    ///
    /// Workers meet reasons in any order, so the order of the rows as counted differs from run to run.
    var inOrder: [OutcomeRow] {
        sorted { left, right in
            let (leftStatus, rightStatus) = (left.status ?? .max, right.status ?? .max)
            if leftStatus != rightStatus { return leftStatus < rightStatus }
            if left.count != right.count { return left.count > right.count }
            return (left.disposition, left.reason) < (right.disposition, right.reason)
        }
    }
}

/// `credentials.csv`: one row for each credential; `tokens_at_s` has the time of every new token, with spaces between them.
enum CredentialsTable {
    static let columns = [
        "lane", "credential", "signed", "refreshed", "served_from_cache", "sign_p50_us", "sign_max_us", "oldest_used_s",
        "shard", "tokens_at_s",
    ]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        for use in record.credentials {
            csv.row([
                use.lane, use.credential, use.signed, use.refreshed, use.servedFromCache,
                FixedDecimal.microseconds(use.signP50), FixedDecimal.microseconds(use.signMax),
                FixedDecimal.seconds(use.oldestUsed), use.shard,
                use.tokensAt.map { $0.map { FixedDecimal.seconds($0).description }.joined(separator: " ") },
            ])
        }
    }
}

/// `connections.csv`: one row for each connection, however short its life.
enum ConnectionsTable {
    static let columns = [
        "lane", "worker", "connection", "opened_s", "closed_s", "connect_us", "handshake_us", "streams", "peak_streams",
        "peer_limit_min", "peer_limit_max", "bytes_out", "bytes_in", "goaway_code", "goaway_reason",
        "goaway_last_stream", "resets", "closed_by", "shard", "credential",
    ]

    static func write(_ record: RunRecord, to text: ResultText) {
        let csv = CSVWriter(to: text, columns: columns)
        for life in record.connections {
            csv.row([
                life.lane, life.worker, life.connection, FixedDecimal.seconds(life.opened),
                FixedDecimal.seconds(life.closed), FixedDecimal.microseconds(life.connect),
                FixedDecimal.microseconds(life.handshake), life.streams, life.peakStreams, life.peerLimitMin,
                life.peerLimitMax, life.bytesOut, life.bytesIn, life.goAwayCode, life.goAwayReason,
                life.goAwayLastStream, life.resets, life.closedBy, life.shard, life.credential,
            ])
        }
    }
}

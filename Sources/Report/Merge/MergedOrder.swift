import LoadPlan
import Sending

/// The order that lists have in a merged record: the same whatever order the parts came in.
///
/// Rows that agree in what tells rows apart, as those of a shard that is there twice, are put in order by their whole text.
private func isInOrder<Row: Encodable, Key: Comparable>(_ left: Row, _ right: Row, by key: (Row) -> [Key]) -> Bool {
    let (first, second) = (key(left), key(right))
    if first != second { return first.lexicographicallyPrecedes(second) }
    return text(of: left) < text(of: right)
}

private func text(of row: some Encodable) -> String {
    ResultText.collect { OrderedJSON.write(row, to: $0, brokenDepth: 0) }
}

extension ShardRecord {
    static func isInOrder(_ left: ShardRecord, _ right: ShardRecord) -> Bool {
        Report.isInOrder(left, right) { [Int64($0.number), Int64($0.of), $0.startedAt.nanoseconds] }
    }
}

extension [ConnectionMeasurement] {
    /// By shard, lane, worker and connection.
    var inOrder: [ConnectionMeasurement] {
        sorted { left, right in
            isInOrder(left, right) { row in
                [row.shard ?? 0, LaneName.all.firstIndex(of: row.lane) ?? .max, row.worker, row.connection]
            }
        }
    }
}

extension [CredentialMeasurement] {
    /// By shard, lane and credential.
    var inOrder: [CredentialMeasurement] {
        sorted { left, right in
            if left.shard ?? 0 != right.shard ?? 0 { return left.shard ?? 0 < right.shard ?? 0 }
            return isInOrder(left, right) { [$0.lane, $0.credential] }
        }
    }
}

package import Push

/// One line of an error mix: an end, by what was said, and how often.
package struct OutcomeRow: Sendable, Equatable, Codable {
    /// The HTTP status; nil where no host answered.
    package var status: Int?
    /// The host's reason, or our own word for a local cause.
    package var reason: String
    /// A ``Disposition``'s word, or `failed`, `skipped`, `unanswered`.
    package var disposition: String
    package var count: UInt64

    package init(status: Int?, reason: String, disposition: String, count: UInt64) {
        self.status = status
        self.reason = reason
        self.disposition = disposition
        self.count = count
    }

    /// Whether the two lines count the same end.
    package func isSameEnd(as other: OutcomeRow) -> Bool {
        status == other.status && reason == other.reason && disposition == other.disposition
    }
}

extension OutcomeCounts {
    /// The lines with a count, answers first, in the order of the catalogue.
    package func rows(naming answered: [Answer]) -> [OutcomeRow] {
        var rows: [OutcomeRow] = []
        for (index, count) in answers.enumerated() where count > 0 {
            let answer = answered[index]
            rows.append(
                OutcomeRow(
                    status: answer.status,
                    reason: answer.reason,
                    disposition: answer.disposition.rawValue,
                    count: count
                )
            )
        }
        for cause in LocalFailure.allCases where count(of: cause) > 0 {
            rows.append(
                OutcomeRow(status: nil, reason: cause.rawValue, disposition: "failed", count: count(of: cause))
            )
        }
        for cause in SkipCause.allCases where count(of: cause) > 0 {
            rows.append(
                OutcomeRow(status: nil, reason: cause.rawValue, disposition: "skipped", count: count(of: cause))
            )
        }
        if unanswered > 0 {
            rows.append(OutcomeRow(status: nil, reason: "", disposition: "unanswered", count: unanswered))
        }
        return rows
    }
}

extension [OutcomeRow] {
    /// Adds lines of another part of the same run: equal ends are added up, new ones appended.
    package mutating func merge(_ other: [OutcomeRow]) {
        for row in other {
            if let index = firstIndex(where: { $0.isSameEnd(as: row) }) {
                self[index].count += row.count
            } else {
                append(row)
            }
        }
    }
}

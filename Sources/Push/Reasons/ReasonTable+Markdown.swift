import Fleet

extension ReasonTable {
    /// The table as the page `docs/reasons.md`.
    package static var markdown: String {
        var lines = [
            "# What an answer means",
            "",
            "Printed by `pushbench reasons` from the table that the sending core itself goes by; a test holds this page",
            "against it.",
            "",
            "## Dispositions",
            "",
            "| disposition | what a sender should do |",
            "| --- | --- |",
        ]
        lines += Disposition.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }
        lines += section("APNs", .apns, source: "Apple, \"Handling notification responses from APNs\"")
        lines += section("FCM", .fcm, source: "Firebase, \"ErrorCode\" of the FCM v1 REST API, and \"FCM error codes\"")
        lines += fallback
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ title: String, _ provider: Provider, source: String) -> [String] {
        let head = [
            "", "## \(title)", "", "Source: \(source).", "", "| status | reason | disposition | note |",
            "| --- | --- | --- | --- |",
        ]
        return head
            + rules.filter { $0.provider == provider }
            .map {
                "| \($0.status) | `\($0.reason)` | `\($0.disposition.rawValue)` | \($0.note) |"
            }
    }

    private static var fallback: [String] {
        let rows = Disposition.statusRules.map { rule in
            let (low, high) = (rule.statuses.lowerBound, rule.statuses.upperBound)
            return "| \(low == high ? "\(low)" : "\(low) to \(high)") | `\(rule.disposition.rawValue)` |"
        }
        return [
            "", "## Any other answer", "",
            "A reason that is not in the tables is kept as it came and judged by its status, in this order. A body without a",
            "reason stands as `(empty)`, `(html)` or `(no reason)`. A 2xx is `delivered`.",
            "", "| status | disposition |", "| --- | --- |",
        ] + rows + ["| any other | `rejected` |"]
    }
}

import Histogram
import Sending

/// `summary.md`: a run in GitHub's Markdown, for a job summary or a comment.
///
/// Verdict and thresholds first. GitHub takes at most 1 MiB a step; the lists that a run can make long have bounds of their
/// own, so that a summary stays far below that.
enum MarkdownSummary {
    /// The most lines of one table; the rest is counted.
    private static let most = 100

    static func write(_ record: RunRecord, to text: ResultText) {
        let data = PageData(record, hasPictures: false)
        text.append("## \(MarkdownText.escape(record.name)): \(record.verdict.word)\n\n")
        if let missing = record.missingRemark { text.append("**MISSING**: \(MarkdownText.escape(missing))\n\n") }
        for cause in record.verdict.causes { text.append("- \(MarkdownText.escape(cause.sentence, limit: 400))\n") }
        if !record.verdict.causes.isEmpty { text.append("\n") }
        text.append("\(MarkdownText.escape(figures(data), limit: 400))\n\n")
        if let early = record.earlyEnd {
            let sentence = early.prefix(1).uppercased() + early.dropFirst()
            text.append("\(MarkdownText.escape(sentence, limit: 600)).\n\n")
        }
        if let shards = record.shardRemark {
            text.append("\(MarkdownText.escape(shards.prefix(1).uppercased() + shards.dropFirst())).\n\n")
        }
        writeThresholds(record, to: text)
        writeLanes(data, to: text)
        writeOutcomes(data, to: text)
        text.append("\(MarkdownText.escape(ProfileSentence(data).text, limit: 1_500))\n")
    }

    private static func figures(_ data: PageData) -> String {
        let all = data.measured
        var figures = [
            "\(HumanUnits.count(all.sent)) of \(HumanUnits.count(all.counts.planned)) planned were sent",
            "\(HumanUnits.perSecond(all.counts.answered, in: all.duration)) answered/s",
        ]
        if !all.clocks.lag.isEmpty {
            figures.append("lag p99 \(HumanUnits.time(all.clocks.lag.value(atQuantile: 0.99)))")
        }
        if let headroom = Headroom(data.record) { figures.append(headroom.figure) }
        return figures.joined(separator: " · ")
    }

    private static func writeThresholds(_ record: RunRecord, to text: ResultText) {
        guard !record.thresholds.isEmpty else { return }
        let failed = record.failedThresholds
        text.append("\(record.thresholds.count - failed) of \(record.thresholds.count) thresholds hold.\n\n")
        // What failed comes first, where it is seen.
        let ordered = record.thresholds.filter { !$0.holds } + record.thresholds.filter(\.holds)
        let rows = ordered.map { result in
            [
                result.holds ? "✅" : "❌ **FAILED**", MarkdownText.code(result.metric),
                MarkdownText.code(result.conditionText),
                result.valueText, result.marginText,
            ]
        }
        write(rows, under: ["", "metric", "condition", "value", "margin"], alignment: "lllrl", to: text)
    }

    private static func writeLanes(_ data: PageData, to text: ResultText) {
        guard !data.lanes.isEmpty else { return }
        var rows = data.lanes.map { row($0.totals, name: $0.record.name) }
        if data.lanes.count > 1 { rows.append(row(data.measured, name: RunTotals.all)) }
        let counts = ["planned", "delivered", "rejected", "failed", "skipped", "unanswered"]
        let times = ["response p50", "p99", "p99.9", "service p50", "p99", "p99.9"]
        write(rows, under: ["lane"] + counts + times, alignment: "l", to: text)
    }

    private static func row(_ totals: RunTotals, name: String) -> [String] {
        let counts = totals.counts
        let numbers = [
            counts.planned, counts.delivered, counts.rejected, counts.failed, counts.skipped, counts.unanswered,
        ]
        let times = [totals.clocks.response, totals.clocks.service]
            .flatMap { times in
                [0.5, 0.99, 0.999].map { times.isEmpty ? "–" : HumanUnits.time(times.value(atQuantile: $0)) }
            }
        return [MarkdownText.escape(name)] + numbers.map(HumanUnits.count) + times
    }

    /// Every end but "delivered", by lane, the most frequent first.
    private static func writeOutcomes(_ data: PageData, to text: ResultText) {
        let rows = data.lanes.flatMap { lane in
            lane.totals.outcomes.inOrder.filter { $0.disposition != "delivered" }.sorted { $0.count > $1.count }
                .map { row in
                    [
                        MarkdownText.escape(lane.record.name), MarkdownText.escape(row.words),
                        HumanUnits.count(row.count),
                        HumanUnits.percent(row.count, of: lane.totals.counts.planned),
                        MarkdownText.escape(row.disposition),
                    ]
                }
        }
        guard !rows.isEmpty else { return }
        text.append("<details><summary>Not delivered</summary>\n\n")
        write(rows, under: ["lane", "answer", "pushes", "share", "what to do"], alignment: "llrrl", to: text)
        text.append("</details>\n\n")
    }

    /// - Parameter alignment: a letter for each column, `l` or `r`; `r` for those that it is too short for.
    private static func write(
        _ rows: [[String]],
        under headings: [String],
        alignment: String,
        to text: ResultText
    ) {
        let letters = Array(alignment)
        let rules = headings.indices.map { $0 < letters.count && letters[$0] == "l" ? "---" : "---:" }
        text.append("| \(headings.joined(separator: " | ")) |\n| \(rules.joined(separator: " | ")) |\n")
        for row in rows.prefix(most) { text.append("| \(row.joined(separator: " | ")) |\n") }
        text.append("\n")
        if rows.count > most { text.append("And \(rows.count - most) more.\n\n") }
    }
}

/// Text on its way into Markdown: nothing in it becomes markup, a link, a mention or a new cell.
enum MarkdownText {
    static func escape(_ text: String, limit: Int = 200) -> String {
        var escaped = ""
        for scalar in HumanUnits.line(text, limit: limit).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // As an entity, since GitHub mentions people and links addresses after a backslash too.
            case "@", "#": escaped += "&#\(scalar.value);"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "!", "$": escaped += "\\" + String(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// As code, in HTML: between backticks a bar would still end a table's cell.
    static func code(_ text: String) -> String {
        let html = HTMLText.escape(text)
        return "<code>\(html.replacing("|", with: "&#124;"))</code>"
    }
}

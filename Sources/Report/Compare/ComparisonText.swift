import Histogram

/// A comparison for people and programs.
package struct ComparisonText {
    private let comparison: Comparison
    private let names: (first: String, second: String)

    /// - Parameter names: of the two sides, as the user typed them.
    package init(_ comparison: Comparison, names: (first: String, second: String)) {
        self.comparison = comparison
        self.names = names
    }

    private static let headings = ["lane", "metric", "A", "B", "difference", "95% interval", "", ""]

    /// For a terminal, with a line end after each line.
    package func terminal(colours: Bool) -> String {
        let paint = Paint(isOn: colours)
        let right = [false, false, true, true, true, true, false, false]
        var table = TextTable(
            zip(Self.headings, right).map { TextTable.Column(heading: $0, alignment: $1 ? .right : .left) }
        )
        for row in comparison.rows { table.add(cells(row)) }
        let lines = table.lines(headings: true).enumerated()
            .map { index, line in
                guard index > 0 else { return paint.dim(line) }
                switch comparison.rows[index - 1].word {
                case .worse: return paint.bad(line)
                case .better: return paint.good(line)
                case .same: return line
                case .unknown: return paint.dim(line)
                }
            }
        var parts = [heading, lines.joined(separator: "\n"), summary]
        if !comparison.differences.isEmpty { parts.insert(warnings.map(paint.bad).joined(separator: "\n"), at: 1) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// For a job summary or a comment.
    package var markdown: String {
        var text = "## \(comparison.isWorse ? "Worse" : "Not worse")\n\n\(MarkdownText.escape(heading, limit: 400))\n\n"
        for warning in warnings { text += "- ⚠️ \(MarkdownText.escape(warning, limit: 600))\n" }
        if !comparison.differences.isEmpty { text += "\n" }
        text +=
            "| lane | metric | A | B | difference | 95% interval |  |  |\n| --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n"
        for row in comparison.rows {
            var cells = cells(row).map { MarkdownText.escape($0) }
            if row.word == .worse || row.word == .better { cells[6] = "**\(cells[6])**" }
            text += "| \(cells.joined(separator: " | ")) |\n"
        }
        return text + "\n\(MarkdownText.escape(summary, limit: 400))\n"
    }

    /// One line of JSON.
    package var json: String {
        String(
            ResultText.collect { OrderedJSON.write(JSONComparison(comparison, names: names), to: $0, brokenDepth: 0) }
                .dropLast()
        )
    }

    private var heading: String {
        func runs(_ count: Int?) -> String {
            guard let count else { return "baseline" }
            return count == 1 ? "1 run" : "\(count) runs"
        }
        let sides =
            "A: \(names.first) (\(runs(comparison.runs.first))) · B: \(names.second) (\(runs(comparison.runs.second)))"
        guard let pairs = comparison.pairs else { return sides }
        return sides + " · made at once, compared within \(pairs) pairs"
    }

    private var warnings: [String] {
        comparison.differences.map { "not alike, so a difference may have another cause: \($0)" }
    }

    private var summary: String {
        let words: [Comparison.Word] = [.worse, .better, .same, .unknown]
        let counts = words.compactMap { word -> String? in
            let count = comparison.rows.count { $0.word == word }
            return count == 0 ? nil : "\(count) \(word.rawValue)"
        }
        let single =
            comparison.runs.first == 1 && comparison.runs.second == 1
            ? " One run a side: the intervals know nothing of the noise between runs." : ""
        return "B against A: \(counts.joined(separator: ", "))." + single
    }

    private func cells(_ row: Comparison.Row) -> [String] {
        let interval = row.interval.map { "\(percent($0.lowerBound, row)) to \(percent($0.upperBound, row))" } ?? "–"
        return [
            row.lane, row.name, value(row.first, row.unit), value(row.second, row.unit), percent(row.shift, row),
            interval,
            row.word.rawValue, row.note,
        ]
    }

    private func value(_ value: Double, _ unit: ComparedMetric.Unit) -> String {
        switch unit {
        case .time: HumanUnits.exactTime(Int64(value.rounded()))
        case .rate: HumanUnits.count(UInt64(max(0, value).rounded())) + "/s"
        case .share: HumanUnits.percent(value)
        case .bytes: FixedDecimal.text(value, digits: 1) + " B"
        case .number: FixedDecimal.text(value, digits: 2)
        }
    }

    /// A difference as a share of A; of shares in points, and of nothing in its own unit.
    private func percent(_ shift: Double, _ row: Comparison.Row) -> String {
        let sign = shift > 0 ? "+" : ""
        if row.unit == .share { return sign + FixedDecimal.text(shift * 100, digits: 2) + " pp" }
        guard row.first != 0 else { return sign + FixedDecimal.text(shift, digits: 2) }
        return sign + FixedDecimal.text(shift / row.first * 100, digits: 1) + "%"
    }
}

/// The comparison as a program reads it.
private struct JSONComparison: Encodable {
    struct Row: Encodable {
        let lane: String
        let metric: String
        let first: FixedDecimal?
        let second: FixedDecimal?
        let unit: String
        let difference: FixedDecimal?
        let low: FixedDecimal?
        let high: FixedDecimal?
        let probability: FixedDecimal?
        let word: String
        let note: String?

        private enum CodingKeys: String, CodingKey {
            case lane, metric
            case first = "a"
            case second = "b"
            case unit, difference
            case low = "difference_low"
            case high = "difference_high"
            case probability = "p"
            case word, note
        }

        init(_ row: Comparison.Row) {
            // Times as in every other file: microseconds.
            let scale = row.unit == .time ? 1e-3 : 1
            func number(_ value: Double) -> FixedDecimal? { FixedDecimal(value * scale, digits: 6) }
            lane = row.lane
            metric = row.name
            first = number(row.first)
            second = number(row.second)
            unit = row.unit.word
            difference = number(row.shift)
            low = row.interval.flatMap { number($0.lowerBound) }
            high = row.interval.flatMap { number($0.upperBound) }
            probability = row.probability.flatMap { FixedDecimal($0, digits: 6) }
            word = row.word.rawValue
            note = row.note.isEmpty ? nil : row.note
        }
    }

    let first: String
    let second: String
    let firstRuns: Int?
    let secondRuns: Int?
    let pairs: Int?
    let worse: Bool
    let notAlike: [String]
    let rows: [Row]

    private enum CodingKeys: String, CodingKey {
        case first = "a"
        case second = "b"
        case firstRuns = "runs_a"
        case secondRuns = "runs_b"
        case pairs, worse
        case notAlike = "not_alike"
        case rows
    }

    init(_ comparison: Comparison, names: (first: String, second: String)) {
        (first, second) = names
        (firstRuns, secondRuns) = comparison.runs
        pairs = comparison.pairs
        worse = comparison.isWorse
        notAlike = comparison.differences
        rows = comparison.rows.map(Row.init)
    }
}

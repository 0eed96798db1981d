import Histogram
package import Planner

/// `report.html` of a tuning: what was found, the pools as a heat map, and response times against load with the knee.
package enum TunePage {
    package static func write(_ result: TuneResult, to text: ResultText) {
        PageHead.write(title: "Tuning: \(HumanUnits.line(result.name)) · pushbench", to: text)
        let facts = "\(result.lane) · seed \(result.seed) · \(result.rows.count) trials"
        text.append(
            "<header><h1>\(HTMLText.escape(result.name))</h1><p class=\"dim\">\(HTMLText.escape(facts))</p></header>\n"
        )
        for finding in result.findings { writeFinding(finding, of: result, to: text) }
        if let highest = result.highestRate {
            writeList(TuneSentences.highest(highest), isGood: highest.perSecond != nil, to: text)
        }
        if let pool = result.pool { writeSettings(pool, of: result, to: text) }
        let figures = TuneFigures(result: result).figures
        if !figures.isEmpty {
            text.append("<section id=\"pictures\"><h2>Pictures</h2><div class=\"grid\">\n")
            for figure in figures { figure.write(to: text) }
            text.append("</div></section>\n")
        }
        text.append("<section id=\"trials\"><h2>Trials</h2>\(trials(result).html)</section>\n")
        PageHead.writeEnd(to: text)
    }

    private static func writeFinding(_ finding: TuneFinding, of result: TuneResult, to text: ResultText) {
        writeList(TuneSentences.finding(finding, lane: result.lane), isGood: finding.pool != nil, to: text)
    }

    private static func writeList(_ lines: [String], isGood: Bool, to text: ResultText) {
        text.append(
            "<section id=\"verdict\" class=\"\(isGood ? "" : "bad")\"><h2>\(HTMLText.escape(lines[0]))</h2><ul>"
        )
        for line in lines.dropFirst() { text.append("<li>\(HTMLText.escape(line, limit: 400))</li>") }
        text.append("</ul></section>\n")
    }

    private static func writeSettings(_ pool: TunedPool, of result: TuneResult, to text: ResultText) {
        text.append("<section id=\"settings\"><h2>Settings</h2><pre>")
        text.append(HTMLText.escape(pool.fragment(lane: result.lane), limit: 400) + "</pre>")
        var table = HTMLTable("The pool in other senders", [.text("sender"), .text("options"), .text("")])
        for setting in KnownSenders.settings(pool, lane: result.lane) {
            table.add([.init(setting.sender), .init(setting.options), .init(setting.note)])
        }
        text.append(table.html + "</section>\n")
    }

    private static func trials(_ result: TuneResult) -> HTMLTable {
        var table = HTMLTable(
            "Every trial, in order",
            [
                .number("trial", "trial"), .text("goal", "goal"), .number("connections", "connections"),
                .number("streams", "streams"), .number("batches", "batches"), .text("verdict", "verdict"),
                .number("rate", "rate_per_s"), .number("p50", "response_p50_us"), .number("p99", "response_p99_us"),
                .text("holds", "holds"),
            ]
        )
        for row in result.rows {
            let facts = row.facts
            table.add([
                .init("\(row.number)"), .init(row.goal), .init("\(row.connections)"), .init("\(row.streams)"),
                .init(row.batches.map { "\($0)" } ?? "–"),
                .init(facts == nil ? "INVALID: \(row.causes.joined(separator: "; "))" : "VALID"),
                .init(facts.map { HumanUnits.count(UInt64(max(0, $0.rate).rounded())) } ?? "–"),
                .init(facts.map { HumanUnits.time($0.p50) } ?? "–"),
                .init(facts.map { HumanUnits.time($0.p99) } ?? "–"),
                .init(row.holds.map { $0 ? "yes" : "no" } ?? "–"),
            ])
        }
        return table
    }
}

/// The pictures of a tuning.
struct TuneFigures {
    let result: TuneResult

    private static let levels = 8

    var figures: [Figure] { [heatMap, load].compactMap { $0 } }

    private var valid: [(row: TuneRow, facts: TrialFacts)] {
        result.rows.compactMap { row in row.facts.map { (row, $0) } }
    }

    /// Connections to the right, streams upwards, the rate as strength; each cell as wide as the values that were tried.
    private var heatMap: Figure? {
        let across = Set(valid.map(\.row.connections)).sorted()
        let up = Set(valid.map(\.row.streams)).sorted()
        let highest = valid.map(\.facts.rate).max() ?? 0
        guard across.count > 1 || up.count > 1, highest > 0 else { return nil }
        let frame = ChartFrame(right: 392)
        var drawing = SVGDrawing()
        frame.drawHorizontalGrid(ticks(up), in: &drawing)
        frame.drawBottomTicks(ticks(across), in: &drawing)
        drawCells(across, up, highest: highest, in: frame, &drawing)
        let sentence =
            "Connections to the right, streams of each upwards, as far as they were tried. The stronger a cell, the higher its "
            + "rate; the strongest is \(HumanUnits.count(UInt64(highest.rounded())))/s."
        return Figure(
            id: "pools",
            title: "Pools",
            sentence: sentence,
            svg: frame.svg(drawing, label: sentence),
            table: table
        )
    }

    private func drawCells(
        _ across: [Int],
        _ up: [Int],
        highest: Double,
        in frame: ChartFrame,
        _ drawing: inout SVGDrawing
    ) {
        func extent(_ value: Int, of values: [Int]) -> (Double, Double) {
            let place = Double(values.firstIndex(of: value) ?? 0)
            return (place / Double(values.count), (place + 1) / Double(values.count))
        }
        var cells = [SVGPath](repeating: SVGPath(), count: Self.levels)
        var hits: [(Double, Double, Double, Double, [String])] = []
        for (row, facts) in latest {
            let ((left, right), (low, high)) = (extent(row.connections, of: across), extent(row.streams, of: up))
            let level = max(0, min(Self.levels - 1, Int(facts.rate / highest * Double(Self.levels))))
            let (x, y) = (frame.x(left), frame.y(high))
            let (width, height) = (frame.x(right) - x, frame.y(low) - y)
            cells[level].rect(x, y, width, height)
            let lines = [
                "\(row.connections) x \(row.streams)", TuneSentences.rate(facts), "p99 \(HumanUnits.time(facts.p99))",
            ]
            hits.append((x, y, width, height, lines))
        }
        for (level, path) in cells.enumerated() { drawing.path(path, class: "mark heat h\(level + 1)") }
        for hit in hits { drawing.hit(hit.0, hit.1, hit.2, hit.3, hit.4) }
    }

    /// Of several trials of one pool the last.
    private var latest: [(row: TuneRow, facts: TrialFacts)] {
        var pools: [[Int]: (row: TuneRow, facts: TrialFacts)] = [:]
        for trial in valid { pools[[trial.row.connections, trial.row.streams]] = trial }
        return pools.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { pools[$0] }
    }

    private func ticks(_ values: [Int]) -> [Tick] {
        let each = max(1, (values.count + 7) / 8)
        return values.enumerated().filter { $0.offset % each == 0 }
            .map { Tick(position: (Double($0.offset) + 0.5) / Double(values.count), label: "\($0.element)") }
    }

    /// Each trial by its rate and its response time; a circle marks the knee.
    private var load: Figure? {
        guard valid.count > 1, let scale = times else { return nil }
        let frame = ChartFrame(right: 380)
        let rates = LinearScale(upTo: valid.map(\.facts.rate).max() ?? 1)
        var drawing = SVGDrawing()
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        frame.drawBottomTicks(rates.ticks, in: &drawing)
        drawTrials(rates, scale, in: frame, &drawing)
        var marks: [String] = []
        for facts in result.findings.compactMap(\.found) {
            let (x, y) = (frame.x(rates.position(facts.rate)), frame.y(scale.position(facts.p99)))
            drawing.line(from: (x, frame.top), to: (x, frame.bottom), class: "edge")
            drawing.text("knee", x - 4, y - 6, .end, class: "phase")
            marks.append("\(TuneSentences.rate(facts)) at \(HumanUnits.time(facts.p99))")
        }
        let sentence =
            "Each trial by what it delivered and how long that took"
            + (marks.isEmpty ? "." : "; the knee is at \(marks.joined(separator: ", ")).")
        return Figure(
            id: "load",
            title: "Response time against load",
            sentence: sentence,
            svg: frame.svg(drawing, label: sentence),
            table: table
        )
    }

    private func drawTrials(
        _ rates: LinearScale,
        _ scale: TimeScale,
        in frame: ChartFrame,
        _ drawing: inout SVGDrawing
    ) {
        for (name, style, value) in [("p50", "b", \TrialFacts.p50), ("p99", "a", \TrialFacts.p99)] {
            var path = SVGPath()
            for (_, facts) in valid.sorted(by: { $0.facts.rate < $1.facts.rate }) {
                path.rect(
                    frame.x(rates.position(facts.rate)) - 1.5,
                    frame.y(scale.position(facts[keyPath: value])) - 1.5,
                    3,
                    3
                )
            }
            drawing.path(path, class: "mark line \(style)")
            drawing.text(name, frame.left + (name == "p50" ? 4 : 36), frame.top - 5, class: "end \(style)")
        }
    }

    private var times: TimeScale? {
        TimeScale(from: valid.map(\.facts.p50).min() ?? 1, to: valid.map(\.facts.p99).max() ?? 1)
    }

    private var table: HTMLTable {
        var table = HTMLTable(
            "Pools by rate",
            [.number("connections"), .number("streams"), .number("rate"), .number("p50"), .number("p99")]
        )
        for (row, facts) in latest {
            table.add([
                .init("\(row.connections)"), .init("\(row.streams)"), .init(TuneSentences.rate(facts)),
                .init(HumanUnits.time(facts.p50)), .init(HumanUnits.time(facts.p99)),
            ])
        }
        return table
    }
}

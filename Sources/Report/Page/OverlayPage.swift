import Histogram
import Sending

/// Several runs in one page: their figures side by side, their curves over one another.
package enum OverlayPage {
    /// More could not be told apart by colour.
    package static let mostRuns = 6

    /// - Parameter runs: two to ``mostRuns``, with the names that the user typed.
    package static func write(_ runs: [(name: String, record: RunRecord)], to text: ResultText) {
        precondition((2...mostRuns).contains(runs.count), "a page of \(runs.count) runs")
        let overlay = Overlay(runs)
        PageHead.write(title: "\(runs.count) runs · pushbench", to: text)
        text.append("<header><h1>\(runs.count) runs</h1></header>\n")
        writeWarnings(runs.map(\.record), to: text)
        text.append("<section id=\"runs\"><h2>Runs</h2>\(overlay.table.html)</section>\n")
        let figures =
            overlay.lanes.compactMap { overlay.percentiles(lane: $0) }
            + [overlay.latency, overlay.rate].compactMap { $0 }
        text.append("<section id=\"pictures\"><h2>Pictures</h2><div class=\"grid\">\n")
        for figure in figures { figure.write(to: text) }
        text.append("</div></section>\n")
        PageHead.writeEnd(to: text)
    }

    private static func writeWarnings(_ records: [RunRecord], to text: ResultText) {
        let differences = EnvironmentDifferences.between(records.map(EnvironmentDifferences.facts))
        guard !differences.isEmpty else { return }
        text.append(
            "<section id=\"verdict\" class=\"warn\"><p>The runs are not alike, so a difference may have another cause:</p><ul>"
        )
        for difference in differences { text.append("<li>\(HTMLText.escape(difference, limit: 600))</li>") }
        text.append("</ul></section>\n")
    }
}

/// What the pictures of several runs share.
private struct Overlay {
    private struct Run {
        /// `A`, `B` and so on; also in the legend.
        let letter: String
        let name: String
        let style: String
        let data: PageData
    }

    private let runs: [Run]
    private let times: TimeScale?
    private let time: RunTimeScale

    init(_ runs: [(name: String, record: RunRecord)]) {
        self.runs = runs.enumerated()
            .map { index, run in
                Run(
                    letter: String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index))),
                    name: run.name,
                    style: "r\(index)",
                    data: PageData(run.record)
                )
            }
        let ends = self.runs.compactMap(\.data.times)
        times =
            ends.isEmpty
            ? nil
            : TimeScale(
                from: Int64(ends.map(\.lowest).min() ?? 1),
                to: Int64(ends.map(\.highest).max() ?? 1)
            )
        time = RunTimeScale(end: self.runs.map(\.data.timeline.scale.end).max() ?? 1)
    }

    var lanes: [String] {
        runs.flatMap { $0.data.lanes.map(\.record.name) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    var table: HTMLTable {
        var table = HTMLTable(
            "Figures of every run",
            [
                .text(""), .text("run"), .text("verdict"), .number("planned", "planned"),
                .number("delivered", "delivered"),
            ]
                + [.number("answered/s", "answered_per_s")]
                + [("p50", "p50"), ("p99", "p99"), ("p99.9", "p999")]
                .map { .number($0, "response_\($1)_us", group: "response time") }
                + ["p50", "p99"].map { .number($0, "service_\($0)_us", group: "service time") }
        )
        for run in runs {
            let (record, measured) = (run.data.record, run.data.measured)
            func time(_ histogram: Histogram, _ quantile: Double) -> HTMLTable.Cell {
                guard !histogram.isEmpty else { return .init("–") }
                let value = histogram.value(atQuantile: quantile)
                return .init(HumanUnits.time(value), exact: .microseconds(value))
            }
            let clocks = measured.clocks
            table.add(
                [
                    .init(html: "<b class=\"key \(run.style)\">\(run.letter)</b>"),
                    .init("\(record.name), \(run.name)"), .init(record.verdict.word),
                    .init(HumanUnits.count(measured.counts.planned)),
                    .init(HumanUnits.count(measured.counts.delivered)),
                    .init(
                        HumanUnits.perSecond(measured.counts.answered, in: measured.duration),
                        exact: .perSecond(measured.counts.answered, in: measured.duration)
                    ),
                ] + [0.5, 0.99, 0.999].map { time(clocks.response, $0) } + [0.5, 0.99].map { time(clocks.service, $0) }
            )
        }
        return table
    }

    // MARK: Pictures

    /// The runs that have the lane, with its response times.
    private func responses(lane: String) -> [(run: Run, times: Histogram)] {
        runs.compactMap { run in
            guard let lane = run.data.lanes.first(where: { $0.record.name == lane }),
                !lane.totals.clocks.response.isEmpty
            else { return nil }
            return (run, lane.totals.clocks.response)
        }
    }

    func percentiles(lane: String) -> Figure? {
        let responses = responses(lane: lane)
        guard let times, !responses.isEmpty else { return nil }
        var table = HTMLTable(
            "Response time of \(lane) by run",
            [.text("run")] + Self.stops.map { .number(Self.name($0)) }
        )
        for (run, histogram) in responses {
            table.add(
                [.init(run.letter)] + Self.stops.map { .init(HumanUnits.exactTime(histogram.value(atQuantile: $0))) }
            )
        }
        let sentence =
            responses
            .map { "\($0.letter) \(HumanUnits.time($1.value(atQuantile: 0.99)))" }
            .joined(separator: ", ")
        return Figure(
            id: "percentiles-\(lane)",
            title: "Response time of \(lane)",
            sentence: "99% were answered within: \(sentence).",
            svg: curves(
                responses,
                times,
                label: "Response time of \(lane) by percentile. 99% within: \(sentence)."
            ),
            table: table
        )
    }

    /// The shares that values are shown for.
    private static let stops = [0.5, 0.9, 0.99, 0.999]

    private func curves(_ responses: [(run: Run, times: Histogram)], _ times: TimeScale, label: String) -> String {
        let frame = ChartFrame()
        let tail = TailScale(count: responses.map(\.times.count).max() ?? 1)
        var drawing = SVGDrawing()
        frame.drawHorizontalGrid(times.ticks, in: &drawing)
        frame.drawBottomTicks(Array(tail.ticks.dropFirst()), in: &drawing)
        for (run, histogram) in responses {
            drawing.path(PercentileChart.curve(histogram, times, tail, frame), class: "mark line \(run.style)")
        }
        self.label(responses.map { ($0.run, frame.y(times.position($0.times.max))) }, in: frame, &drawing)
        let places = Self.stops.map { frame.x(tail.position(quantile: $0)) }
        var start = frame.left
        for (index, stop) in Self.stops.enumerated() {
            let end = index + 1 < places.count ? (places[index] + places[index + 1]) / 2 : frame.right
            let lines = responses.map { "\($0.letter) \(HumanUnits.time($1.value(atQuantile: stop)))" }
            drawing.hit(start, frame.top, max(0, end - start), frame.bottom - frame.top, [Self.name(stop)] + lines)
            start = end
        }
        return frame.svg(drawing, label: label)
    }

    private static func name(_ quantile: Double) -> String {
        ["p50", "p90", "p99", "p99.9"][[0.5, 0.9, 0.99, 0.999].firstIndex(of: quantile) ?? 0]
    }

    var latency: Figure? {
        guard let times else { return nil }
        return overTime(
            id: "latency",
            title: "Response time p99",
            ticks: times.ticks,
            position: { bin in bin.response.isEmpty ? nil : times.position(bin.response.value(atQuantile: 0.99)) },
            text: { bin in bin.response.isEmpty ? "–" : HumanUnits.time(bin.response.value(atQuantile: 0.99)) }
        )
    }

    var rate: Figure? {
        let scale = LinearScale(
            upTo: runs.flatMap { $0.data.timeline.bins.map { $0.perSecond($0.answered) } }.max() ?? 0
        )
        return overTime(
            id: "rate",
            title: "Answered a second",
            ticks: scale.ticks,
            position: { scale.position($0.perSecond($0.answered)) },
            text: { HumanUnits.perSecond($0.answered, in: Int64($0.length) * 1_000_000_000) }
        )
    }

    private func overTime(
        id: String,
        title: String,
        ticks: [Tick],
        position: (TimeBin) -> Double?,
        text: (TimeBin) -> String
    ) -> Figure? {
        let rows = rows(text)
        guard !rows.isEmpty else { return nil }
        let frame = ChartFrame()
        var drawing = SVGDrawing()
        frame.drawHorizontalGrid(ticks, in: &drawing)
        frame.drawBottomTicks(time.ticks, in: &drawing)
        drawLines(position, in: frame, &drawing)
        var table = HTMLTable("\(title) by time and run", [.number("second")] + runs.map { .number($0.letter) })
        for (bin, values) in rows {
            table.add([.init("\(bin.second)")] + values.map { .init($0) })
            let lines = zip(runs, values).map { "\($0.letter) \($1)" }
            let (start, end) = (edge(bin.second, frame), edge(bin.second + bin.length, frame))
            drawing.hit(start, frame.top, end - start, frame.bottom - frame.top, ["second \(bin.second)"] + lines)
        }
        let sentence = "One line for each run, from its start."
        return Figure(
            id: id,
            title: title,
            sentence: sentence,
            svg: frame.svg(drawing, label: "\(title) over time. \(sentence)"),
            table: table
        )
    }

    private func edge(_ second: Int, _ frame: ChartFrame) -> Double { frame.x(time.position(Double(second))) }

    /// The columns of the longest run, each with what every run has there.
    private func rows(_ text: (TimeBin) -> String) -> [(bin: TimeBin, values: [String])] {
        let longest = runs.max { $0.data.timeline.bins.count < $1.data.timeline.bins.count }
        return (longest?.data.timeline.bins ?? [])
            .map { bin in
                let values = runs.map { run in
                    run.data.timeline.bins.last { $0.second <= bin.second && bin.second < $0.second + $0.length }
                        .map(text) ?? "–"
                }
                return (bin, values)
            }
    }

    private func drawLines(_ position: (TimeBin) -> Double?, in frame: ChartFrame, _ drawing: inout SVGDrawing) {
        var ends: [(Run, Double)] = []
        for run in runs {
            let line = StepLine(
                steps: run.data.timeline.bins.map {
                    let (start, end) = (edge($0.second, frame), edge($0.second + $0.length, frame))
                    return .init(start: start, end: end, position: position($0))
                }
            )
            drawing.path(line.path(in: frame), class: "mark line \(run.style)")
            if let y = line.lastY(in: frame) { ends.append((run, y)) }
        }
        label(ends, in: frame, &drawing)
    }

    private func label(_ ends: [(run: Run, y: Double)], in frame: ChartFrame, _ drawing: inout SVGDrawing) {
        EndLabel.draw(ends.map { EndLabel(text: $0.run.letter, y: $0.y, style: $0.run.style) }, in: frame, &drawing)
    }
}

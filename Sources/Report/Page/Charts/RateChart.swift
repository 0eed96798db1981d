import Histogram
import Sending

/// Planned, sent and answered pushes a second.
enum RateChart {
    static func figure(_ data: PageData) -> Figure? {
        let timeline = data.timeline
        guard !timeline.bins.isEmpty else { return nil }
        return Figure(
            id: "rate",
            title: "Rate",
            sentence: sentence(data),
            svg: svg(data),
            table: table(data)
        )
    }

    private static func sentence(_ data: PageData) -> String {
        let (counts, duration) = (data.measured.counts, data.measured.duration)
        let rates = [counts.planned, data.measured.sent, counts.answered].map { HumanUnits.perSecond($0, in: duration) }
        return "On average \(rates[0]) pushes a second were planned, \(rates[1]) sent and \(rates[2]) answered"
            + (data.measured.peakSent.map { "; at most \(HumanUnits.count($0)) were sent in one second." } ?? ".")
    }

    private static func svg(_ data: PageData) -> String {
        let (timeline, frame) = (data.timeline, ChartFrame())
        let highest = timeline.bins.map { $0.perSecond(max($0.planned, $0.sent, $0.answered)) }.max() ?? 0
        let scale = LinearScale(upTo: highest)
        func line(_ count: (TimeBin) -> UInt64) -> StepLine {
            timeline.line(in: frame) { scale.position($0.perSecond(count($0))) }
        }
        let planned = line(\.planned)
        let lines = [("sent", "a", line(\.sent)), ("answered", "b", line(\.answered))]
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        drawing.path(planned.area(in: frame), class: "mark plan")
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        for (_, style, line) in lines { drawing.path(line.path(in: frame), class: "mark line \(style)") }
        var labels = lines.compactMap { name, style, line in
            line.lastY(in: frame).map { EndLabel(text: name, y: $0, style: style) }
        }
        if let y = planned.lastY(in: frame) { labels.append(EndLabel(text: "planned", y: y, style: "c")) }
        EndLabel.draw(labels, in: frame, &drawing)
        timeline.drawHits(data.record, frame, in: &drawing) { bin in
            [("planned", bin.planned), ("sent", bin.sent), ("answered", bin.answered)]
                .map { "\($0) \(perSecond($1, bin))" }
        }
        return frame.svg(drawing, label: "Pushes a second over time. " + sentence(data))
    }

    private static func perSecond(_ count: UInt64, _ bin: TimeBin) -> String {
        bin.length == 1
            ? HumanUnits.count(count)
            : HumanUnits.perSecond(count, in: Int64(bin.length) * 1_000_000_000) + "/s"
    }

    private static func table(_ data: PageData) -> HTMLTable {
        var table = HTMLTable(
            "Pushes by time",
            [
                data.timeline.timeColumn, .text("phase", "phase"), .number("planned", "planned"),
                .number("sent", "sent"),
                .number("answered", "answered"),
            ]
        )
        for bin in data.timeline.bins {
            let counts = [bin.planned, bin.sent, bin.answered].map { HTMLTable.Cell(HumanUnits.count($0)) }
            table.add([.init("\(bin.second)"), .init(data.record.phases[bin.phase].name)] + counts)
        }
        return table
    }
}

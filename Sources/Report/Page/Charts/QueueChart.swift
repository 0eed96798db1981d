import Sending

/// Pushes in flight, and those that are due and not yet written.
enum QueueChart {
    static func figure(_ data: PageData) -> Figure? {
        guard !data.timeline.bins.isEmpty else { return nil }
        return Figure(
            id: "queue",
            title: "In flight and backlog",
            sentence: sentence(data),
            svg: svg(data),
            table: table(data)
        )
    }

    private static func sentence(_ data: PageData) -> String {
        let inFlight = data.timeline.bins.map(\.inFlight).max() ?? 0
        let backlog = data.timeline.bins.map(\.backlog).max() ?? 0
        return "At the end of a second at most \(HumanUnits.count(inFlight)) pushes waited for their answer and "
            + "\(HumanUnits.count(backlog)) were due but not yet written."
    }

    private static func svg(_ data: PageData) -> String {
        let (timeline, frame) = (data.timeline, ChartFrame())
        let scale = LinearScale(upTo: Double(timeline.bins.map { max($0.inFlight, $0.backlog) }.max() ?? 0))
        let lines = [
            ("in flight", "a", timeline.line(in: frame) { scale.position(Double($0.inFlight)) }),
            ("backlog", "bad", timeline.line(in: frame) { scale.position(Double($0.backlog)) }),
        ]
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        for (_, style, line) in lines { drawing.path(line.path(in: frame), class: "mark line \(style)") }
        let labels = lines.compactMap { name, style, line in
            line.lastY(in: frame).map { EndLabel(text: name, y: $0, style: style) }
        }
        EndLabel.draw(labels, in: frame, &drawing)
        timeline.drawHits(data.record, frame, in: &drawing) { bin in
            ["in flight \(HumanUnits.count(bin.inFlight))", "backlog \(HumanUnits.count(bin.backlog))"]
        }
        return frame.svg(drawing, label: "Pushes in flight and overdue over time. " + sentence(data))
    }

    private static func table(_ data: PageData) -> HTMLTable {
        var table = HTMLTable(
            "In flight, backlog and connections by time",
            [
                data.timeline.timeColumn, .number("in flight", "in_flight"), .number("backlog", "backlog"),
                .number("connections", "connections"),
            ]
        )
        for bin in data.timeline.bins {
            let counts = [bin.inFlight, bin.backlog, bin.connections].map { HTMLTable.Cell(HumanUnits.count($0)) }
            table.add([.init("\(bin.second)")] + counts)
        }
        return table
    }
}

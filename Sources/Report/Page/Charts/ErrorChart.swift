import Histogram

/// Pushes that were not delivered, over time, by kind.
enum ErrorChart {
    private typealias Kind = (name: String, style: String, count: @Sendable (TimeBin) -> UInt64)

    /// From the bottom of a column.
    private static let kinds: [Kind] = [
        ("rejected", "amber", { $0.rejected }), ("failed", "bad", { $0.failed }), ("skipped", "c", { $0.skipped }),
    ]

    /// Nil when every push was delivered: the table of ends says so.
    static func figure(_ data: PageData) -> Figure? {
        guard data.timeline.bins.contains(where: { $0.rejected + $0.failed + $0.skipped > 0 }) else { return nil }
        return Figure(
            id: "errors",
            title: "Not delivered",
            sentence: sentence(data),
            svg: svg(data),
            table: table(data)
        )
    }

    private static func total(_ kind: Kind, _ data: PageData) -> UInt64 {
        data.timeline.bins.reduce(0) { $0 + kind.count($1) }
    }

    private static func sentence(_ data: PageData) -> String {
        let planned = data.timeline.bins.reduce(0) { $0 + $1.planned }
        let parts = kinds.compactMap { kind -> String? in
            let count = total(kind, data)
            guard count > 0 else { return nil }
            return "\(HumanUnits.count(count)) were \(kind.name == "failed" ? "lost to failures" : kind.name)"
        }
        return "Of \(HumanUnits.count(planned)) pushes in the whole run \(parts.joined(separator: ", "))."
    }

    private static func svg(_ data: PageData) -> String {
        let (timeline, frame) = (data.timeline, ChartFrame())
        let shown = kinds.filter { total($0, data) > 0 }
        let highest = timeline.bins.map { $0.perSecond($0.rejected + $0.failed + $0.skipped) }.max() ?? 0
        let scale = LinearScale(upTo: highest)
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        var below = timeline.line(in: frame) { _ in 0 }
        var labels: [EndLabel] = []
        for (index, kind) in shown.enumerated() {
            let top = timeline.line(in: frame) { bin in
                scale.position(bin.perSecond(shown[...index].reduce(0) { $0 + $1.count(bin) }))
            }
            drawing.path(top.area(in: frame, above: below), class: "mark fill \(kind.style)")
            labels.append(EndLabel(text: kind.name, y: frame.top + 40 - Double(index) * 14, style: kind.style))
            below = top
        }
        EndLabel.draw(labels, in: frame, &drawing)
        timeline.drawHits(data.record, frame, in: &drawing) { bin in
            kinds.map { "\($0.name) \(HumanUnits.count($0.count(bin)))" } + [
                "of \(HumanUnits.count(bin.planned)) planned"
            ]
        }
        return frame.svg(drawing, label: "Pushes a second that were not delivered, over time. " + sentence(data))
    }

    private static func table(_ data: PageData) -> HTMLTable {
        var table = HTMLTable(
            "Pushes not delivered by time",
            [data.timeline.timeColumn] + kinds.map { .number($0.name, $0.name) } + [.number("delivered", "delivered")]
        )
        for bin in data.timeline.bins {
            let counts = kinds.map { $0.count(bin) } + [bin.delivered]
            table.add([.init("\(bin.second)")] + counts.map { .init(HumanUnits.count($0)) })
        }
        return table
    }
}

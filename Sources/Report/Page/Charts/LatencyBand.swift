import Histogram

/// Response time over time: the band from the median to p99.
enum LatencyBand {
    static func figure(_ data: PageData) -> Figure? {
        guard let scale = data.times, data.timeline.bins.contains(where: { !$0.response.isEmpty }) else { return nil }
        return Figure(
            id: "latency",
            title: "Response time",
            sentence: sentence(data),
            svg: svg(data, scale),
            table: table(data)
        )
    }

    private static func times(_ bin: TimeBin) -> (p50: Int64, p99: Int64, max: Int64)? {
        guard !bin.response.isEmpty else { return nil }
        return (bin.response.value(atQuantile: 0.5), bin.response.value(atQuantile: 0.99), bin.response.max)
    }

    private static func sentence(_ data: PageData) -> String {
        let all = data.timeline.bins.compactMap { bin in times(bin).map { (bin: bin, times: $0) } }
        guard let worst = all.max(by: { $0.times.p99 < $1.times.p99 }),
            let best = all.min(by: { $0.times.p99 < $1.times.p99 })
        else { return "Nothing was answered." }
        let medians = all.map(\.times.p50)
        let (low, high) = (medians.min() ?? 0, medians.max() ?? 0)
        return "The median lay between \(HumanUnits.time(low)) and \(HumanUnits.time(high)), p99 between "
            + "\(HumanUnits.time(best.times.p99)) and \(HumanUnits.time(worst.times.p99)) "
            + "(\(data.timeline.name(of: worst.bin, in: data.record)))."
    }

    private static func svg(_ data: PageData, _ scale: TimeScale) -> String {
        let (timeline, frame) = (data.timeline, ChartFrame())
        let p50 = timeline.line(in: frame) { times($0).map { scale.position($0.p50) } }
        let p99 = timeline.line(in: frame) { times($0).map { scale.position($0.p99) } }
        let most = timeline.line(in: frame) { times($0).map { scale.position($0.max) } }
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        drawing.path(p99.area(in: frame, above: p50), class: "mark band")
        drawing.path(most.path(in: frame), class: "mark line thin")
        drawing.path(p99.path(in: frame), class: "mark line a")
        drawing.path(p50.path(in: frame), class: "mark line a strong")
        let labels = [("max", "c", most), ("p99", "a", p99), ("p50", "a", p50)]
            .compactMap { name, style, line in
                line.lastY(in: frame).map { EndLabel(text: name, y: $0, style: style) }
            }
        EndLabel.draw(labels, in: frame, &drawing)
        timeline.drawHits(data.record, frame, in: &drawing) { bin in
            guard let times = times(bin) else { return ["nothing was answered"] }
            return [
                "p50 \(HumanUnits.time(times.p50))", "p99 \(HumanUnits.time(times.p99))",
                "max \(HumanUnits.time(times.max))",
                "of \(HumanUnits.count(bin.response.count)) answers",
            ]
        }
        return frame.svg(drawing, label: "Response time over time. " + sentence(data))
    }

    private static func table(_ data: PageData) -> HTMLTable {
        var table = HTMLTable(
            "Response time by time, in milliseconds",
            [data.timeline.timeColumn, .number("answers"), .number("p50 ms"), .number("p99 ms"), .number("max ms")]
        )
        for bin in data.timeline.bins {
            let cells = times(bin)
                .map { times in
                    [times.p50, times.p99, times.max]
                        .map { HTMLTable.Cell(FixedDecimal.milliseconds($0).description, exact: .microseconds($0)) }
                }
            let none = HTMLTable.Cell("–")
            table.add(
                [.init("\(bin.second)"), .init(HumanUnits.count(bin.response.count))] + (cells ?? [none, none, none])
            )
        }
        return table
    }
}

import Histogram

/// How response times are spread over time: a column for each stretch, a row for each stretch of the logarithmic axis.
enum HeatMap {
    private static let rows = 24
    private static let levels = 8

    static func figure(_ data: PageData) -> Figure? {
        guard let scale = data.times else { return nil }
        let columns = data.timeline.bins.map { column(of: $0, scale) }
        let highest = columns.flatMap { $0 }.max() ?? 0
        guard highest > 0 else { return nil }
        let sentence =
            "The stronger a cell, the more answers took so long; the strongest holds \(HumanUnits.count(highest)) of them."
        return Figure(
            id: "heat",
            title: "Response times, all of them",
            sentence: sentence,
            svg: svg(
                data,
                scale,
                columns,
                highest: highest,
                label: "Heat map of response times over time. " + sentence
            ),
            table: table(data)
        )
    }

    /// The counts of a column by row, from the lowest.
    private static func column(of bin: TimeBin, _ scale: TimeScale) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: rows)
        bin.response.forEachBucket { bucket in
            let middle = bucket.from + (bucket.to - bucket.from) / 2
            counts[min(rows - 1, Int(scale.position(middle) * Double(rows)))] += bucket.count
        }
        return counts
    }

    private static func svg(
        _ data: PageData,
        _ scale: TimeScale,
        _ columns: [[UInt64]],
        highest: UInt64,
        label: String
    ) -> String {
        let (timeline, frame) = (data.timeline, ChartFrame(right: 392))
        var cells = [SVGPath](repeating: SVGPath(), count: levels)
        for (bin, counts) in zip(timeline.bins, columns) {
            let (start, end) = timeline.extent(of: bin, in: frame)
            for (row, count) in counts.enumerated() where count > 0 {
                // The square root keeps rare slow answers visible beside the many fast ones.
                let share = (Double(count) / Double(highest)).squareRoot()
                let level = max(0, min(levels - 1, Int(share * Double(levels))))
                let (low, high) = (Double(row) / Double(rows), Double(row + 1) / Double(rows))
                cells[level].rect(start, frame.y(high), end - start, frame.y(low) - frame.y(high))
            }
        }
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        for (level, path) in cells.enumerated() { drawing.path(path, class: "mark heat h\(level + 1)") }
        timeline.drawHits(data.record, frame, in: &drawing) { bin in
            let response = bin.response
            guard !response.isEmpty else { return ["nothing was answered"] }
            return ["\(HumanUnits.count(response.count)) answers"]
                + [0.1, 0.5, 0.9, 0.99]
                .map { "p\(Int(($0 * 100).rounded())) \(HumanUnits.time(response.value(atQuantile: $0)))" }
        }
        return frame.svg(drawing, label: label)
    }

    private static func table(_ data: PageData) -> HTMLTable {
        let quantiles: [(String, Double)] = [("p10", 0.1), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p90", 0.9)]
        var table = HTMLTable(
            "Spread of response times by time, in milliseconds",
            [data.timeline.timeColumn, .number("min ms")] + quantiles.map { .number("\($0.0) ms") }
        )
        for bin in data.timeline.bins where !bin.response.isEmpty {
            let times = [bin.response.min] + quantiles.map { bin.response.value(atQuantile: $0.1) }
            table.add(
                [.init("\(bin.second)")]
                    + times.map { .init(FixedDecimal.milliseconds($0).description, exact: .microseconds($0)) }
            )
        }
        return table
    }
}

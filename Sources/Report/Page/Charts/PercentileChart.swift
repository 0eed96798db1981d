import Histogram
import Sending

/// Response and service time of one lane by percentile, with the tail spread out.
enum PercentileChart {
    private static let quantiles: [(name: String, quantile: Double)] = [
        ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.5", 0.995), ("p99.9", 0.999),
        ("p99.95", 0.9995), ("p99.99", 0.9999), ("p99.999", 0.99999),
    ]

    static func figure(_ lane: PageData.Lane, in data: PageData) -> Figure? {
        guard let times = data.times, !lane.totals.clocks.response.isEmpty else { return nil }
        let sentence = sentence(lane.totals.clocks)
        return Figure(
            id: "percentiles-\(lane.record.name)",
            title: "Percentiles of \(lane.record.name)",
            sentence: sentence,
            svg: svg(lane.totals.clocks, times, label: "Percentiles of \(lane.record.name). " + sentence),
            table: table(lane)
        )
    }

    private static func sentence(_ clocks: ClockHistograms) -> String {
        func time(_ quantile: Double) -> String {
            let (response, service) = (
                clocks.response.value(atQuantile: quantile), clocks.service.value(atQuantile: quantile)
            )
            return "\(HumanUnits.time(response)) (service \(HumanUnits.time(service)))"
        }
        return "Half of \(HumanUnits.count(clocks.response.count)) answers came within \(time(0.5)), 99% within "
            + "\(time(0.99)), the last after \(HumanUnits.time(clocks.response.max))."
    }

    /// The percentiles that the answers are enough for: above each there is at least one.
    private static func known(_ count: UInt64) -> [(name: String, quantile: Double)] {
        quantiles.filter { (1 - $0.quantile) * Double(count) >= 1 - 1e-9 }
    }

    private static func svg(_ clocks: ClockHistograms, _ times: TimeScale, label: String) -> String {
        let frame = ChartFrame()
        let tail = TailScale(count: clocks.response.count)
        var drawing = SVGDrawing()
        frame.drawHorizontalGrid(times.ticks, in: &drawing)
        for tick in tail.ticks.dropFirst() {
            drawing.line(
                from: (frame.x(tick.position), frame.top),
                to: (frame.x(tick.position), frame.bottom),
                class: "grid"
            )
        }
        frame.drawBottomTicks(Array(tail.ticks.dropFirst()), in: &drawing)
        let curves = [("service", "b", clocks.service), ("response", "a", clocks.response)]
        for (_, style, histogram) in curves {
            drawing.path(curve(histogram, times, tail, frame), class: "mark line \(style)")
        }
        let labels = curves.map { name, style, histogram in
            EndLabel(text: name, y: frame.y(times.position(histogram.max)), style: style)
        }
        EndLabel.draw(labels, in: frame, &drawing)
        drawHits(clocks, tail, frame, in: &drawing)
        return frame.svg(drawing, label: label)
    }

    /// Through the top of every bucket, but no finer than can be seen.
    static func curve(
        _ histogram: Histogram,
        _ times: TimeScale,
        _ tail: TailScale,
        _ frame: ChartFrame
    ) -> SVGPath {
        var path = SVGPath()
        var seen: UInt64 = 0
        var last: (x: Double, y: Double)?
        histogram.forEachBucket { bucket in
            let y = frame.y(times.position(min(bucket.to - 1, histogram.max)))
            if last == nil { path.move(frame.left, y) }
            seen += bucket.count
            let x = frame.x(tail.position(beyond: histogram.count - seen, of: histogram.count))
            if let known = last, x - known.x < 0.6, abs(y - known.y) < 0.6, seen < histogram.count { return }
            if let known = last, known.y != y { path.line(known.x, y) }
            path.across(to: x)
            last = (x, y)
        }
        return path
    }

    private static func drawHits(
        _ clocks: ClockHistograms,
        _ tail: TailScale,
        _ frame: ChartFrame,
        in drawing: inout SVGDrawing
    ) {
        var stops = known(clocks.response.count)
            .map { (name: $0.name, x: frame.x(tail.position(quantile: $0.quantile)), quantile: $0.quantile) }
        stops.append((name: "max", x: frame.right, quantile: 1))
        var start = frame.left
        for (index, stop) in stops.enumerated() {
            let end = index + 1 < stops.count ? (stop.x + stops[index + 1].x) / 2 : frame.right
            let values = [("response", clocks.response), ("service", clocks.service)]
                .map { "\($0) \(HumanUnits.time($1.value(atQuantile: stop.quantile)))" }
            drawing.hit(start, frame.top, end - start, frame.bottom - frame.top, [stop.name] + values)
            start = end
        }
    }

    private static func table(_ lane: PageData.Lane) -> HTMLTable {
        var table = HTMLTable(
            "Percentiles of \(lane.record.name), in milliseconds",
            [.text("")] + PushClock.allCases.map { .number($0.rawValue.replacingUnderscores + " ms") }
        )
        func add(_ name: String, _ value: (Histogram) -> Int64?) {
            let cells = PushClock.allCases.map { clock -> HTMLTable.Cell in
                let histogram = lane.totals.clocks[clock]
                guard !histogram.isEmpty, let value = value(histogram) else { return .init("–") }
                return .init(FixedDecimal.milliseconds(value).description, exact: .microseconds(value))
            }
            table.add([.init(name)] + cells)
        }
        add("min") { $0.min }
        for (name, quantile) in known(lane.totals.clocks.response.count) {
            add(name) { $0.value(atQuantile: quantile) }
        }
        add("max") { $0.max }
        return table
    }
}

extension String {
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? " " : $0 }) }
}

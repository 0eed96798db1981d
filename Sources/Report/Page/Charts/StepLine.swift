/// Values that each hold for a stretch of the horizontal axis, as a line of steps; nil breaks it.
struct StepLine {
    struct Step {
        var start: Double
        var end: Double
        /// From 0 at the bottom of the plot to 1 at its top.
        var position: Double?
    }

    var steps: [Step]

    func path(in frame: ChartFrame) -> SVGPath {
        var path = SVGPath()
        var isOpen = false
        for step in steps {
            guard let position = step.position else {
                isOpen = false
                continue
            }
            let y = frame.y(position)
            if isOpen { path.line(step.start, y) } else { path.move(step.start, y) }
            path.across(to: step.end)
            isOpen = true
        }
        return path
    }

    /// The area between this line and a lower one, or the bottom of the plot.
    func area(in frame: ChartFrame, above lower: StepLine? = nil) -> SVGPath {
        var path = SVGPath()
        var rest = steps.indices[...]
        while let start = rest.firstIndex(where: { steps[$0].position != nil }) {
            // One outline for what hangs together: between two areas a seam would show.
            let run = rest[start...].prefix { steps[$0].position != nil }
            path.move(steps[start].start, frame.y(lower?.steps[start].position ?? 0))
            for index in run {
                path.line(steps[index].start, frame.y(steps[index].position ?? 0))
                path.across(to: steps[index].end)
            }
            for index in run.reversed() {
                path.line(steps[index].end, frame.y(lower?.steps[index].position ?? 0))
                path.across(to: steps[index].start)
            }
            path.close()
            rest = rest[run.endIndex...]
        }
        return path
    }

    /// The height of the last step that has one and is wide enough to be seen: what drains after the load is a sliver.
    func lastY(in frame: ChartFrame) -> Double? {
        let drawn = steps.filter { $0.position != nil }
        let wide = drawn.last { $0.end - $0.start >= 3 }
        return (wide ?? drawn.last)?.position.map { frame.y($0) }
    }
}

extension RunTimeline {
    /// One step for each column.
    func line(in frame: ChartFrame, _ position: (TimeBin) -> Double?) -> StepLine {
        StepLine(
            steps: bins.map { bin in
                let extent = extent(of: bin, in: frame)
                return StepLine.Step(start: extent.start, end: extent.end, position: position(bin))
            }
        )
    }

    /// Draws what every picture over time has: the phases, the axis of time and the places that show their values.
    func drawFrame(_ frame: ChartFrame, in drawing: inout SVGDrawing) {
        frame.drawPhases(spans, scale, in: &drawing)
        frame.drawBottomTicks(scale.ticks, in: &drawing)
    }

    func drawHits(
        _ record: RunRecord,
        _ frame: ChartFrame,
        in drawing: inout SVGDrawing,
        _ lines: (TimeBin) -> [String]
    ) {
        for bin in bins {
            let (start, end) = extent(of: bin, in: frame)
            drawing.hit(
                start,
                frame.top,
                end - start,
                frame.bottom - frame.top,
                [name(of: bin, in: record)] + lines(bin)
            )
        }
    }

    /// The heading of a table's first column.
    var timeColumn: HTMLTable.Column {
        .number(binLength == 1 ? "second" : "from second", binLength == 1 ? "t_s" : nil)
    }
}

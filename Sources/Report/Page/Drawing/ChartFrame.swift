/// The measures of a picture and what all pictures have: axes, grid, phases.
///
/// Pictures are 400 units wide, so that on a phone's width their text is still text; on a wide screen two stand side by side.
struct ChartFrame {
    static let width = 400.0

    var height = 216.0
    var left = 46.0
    var right = 336.0
    var top = 18.0
    /// The room under the plot for the axis.
    var below = 24.0

    var bottom: Double { height - below }

    func x(_ position: Double) -> Double { left + (right - left) * position }

    func y(_ position: Double) -> Double { bottom - (bottom - top) * position }

    func drawHorizontalGrid(_ ticks: [Tick], in drawing: inout SVGDrawing) {
        for tick in ticks {
            let y = y(tick.position)
            drawing.line(from: (left, y), to: (right, y), class: tick.position == 0 ? "axis" : "grid")
            drawing.text(tick.label, left - 5, y + 4, .end, class: "tick")
        }
    }

    /// The widest that a character gets, which is on a phone.
    private static let characterWidth = 7.4

    /// Ticks in rising order; a label for which the one before leaves no room is left out.
    func drawBottomTicks(_ ticks: [Tick], in drawing: inout SVGDrawing) {
        var free = -Double.infinity
        for tick in ticks {
            let x = x(tick.position)
            drawing.line(from: (x, bottom), to: (x, bottom + 3), class: "axis")
            let width = Double(tick.label.count) * Self.characterWidth
            let start = tick.position == 0 ? x : x - width / 2
            guard start >= free else { continue }
            drawing.text(tick.label, x, bottom + 15, tick.position == 0 ? .start : .middle, class: "tick")
            free = start + width + 2
        }
    }

    /// Shades the warm-up and separates the phases, with names where there is room for them.
    func drawPhases(_ spans: [PhaseSpan], _ time: RunTimeScale, in drawing: inout SVGDrawing) {
        for span in spans {
            let (start, end) = (x(time.position(span.start)), x(time.position(span.end)))
            if span.warmUp { drawing.rect(start, top, max(0, end - start), bottom - top, class: "warm") }
            if span.start > 0 { drawing.line(from: (start, top), to: (start, bottom), class: "edge") }
            let name = HumanUnits.line(span.name, limit: 24)
            guard Double(name.count) * Self.characterWidth + 4 < end - start else { continue }
            drawing.text(name, start + 3, top - 5, class: "phase")
        }
    }

    /// The finished picture.
    func svg(_ drawing: SVGDrawing, label: String) -> String {
        "<svg viewBox=\"0 0 \(SVGDrawing.number(Self.width)) \(SVGDrawing.number(height))\" role=\"img\" aria-label=\""
            + "\(HTMLText.escape(label, limit: 600))\">\n\(drawing.body)</svg>\n"
    }
}

/// A name at the right end of a line.
struct EndLabel {
    var text: String
    var y: Double
    var style: String

    /// Draws labels near the heights that they belong to, moved apart where they would overlap.
    static func draw(_ labels: [EndLabel], in frame: ChartFrame, _ drawing: inout SVGDrawing) {
        let gap = 13.0
        var placed = labels.sorted { $0.y < $1.y }
        for index in placed.indices.dropFirst() { placed[index].y = max(placed[index].y, placed[index - 1].y + gap) }
        // What was pushed below the plot moves up again, and the others with it.
        var limit = frame.bottom
        for index in placed.indices.reversed() {
            placed[index].y = min(placed[index].y, limit)
            limit = placed[index].y - gap
        }
        for label in placed { drawing.text(label.text, frame.right + 5, label.y + 4, class: "end \(label.style)") }
    }
}

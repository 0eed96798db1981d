/// A picture being drawn: SVG elements in user units.
///
/// Coordinates are written with one decimal from additions, multiplications and divisions of doubles only, which are the
/// same to the bit on every machine.
struct SVGDrawing {
    enum Anchor: String {
        case start
        case middle
        case end
    }

    private(set) var body = ""

    /// A number with at most one decimal.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
        let sign = tenths < 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }

    mutating func path(_ path: SVGPath, class name: String) {
        guard !path.data.isEmpty else { return }
        body += "<path class=\"\(name)\" d=\"\(path.data)\"/>"
    }

    mutating func line(from start: (Double, Double), to end: (Double, Double), class name: String) {
        var path = SVGPath()
        path.move(start.0, start.1)
        path.line(end.0, end.1)
        self.path(path, class: name)
    }

    mutating func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String) {
        body += "<rect class=\"\(name)\" \(Self.box(x, y, width, height))/>"
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String = "") {
        let anchor = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        let name = name.isEmpty ? "" : " class=\"\(name)\""
        body += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(anchor)\(name)>\(HTMLText.escape(text))</text>"
    }

    /// A place that shows its values when pointed at.
    mutating func hit(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ lines: [String]) {
        body += "<g class=\"hit\"><title>\(HTMLText.escapeMarkup(lines.joined(separator: "\n")))</title>"
        body += "<rect \(Self.box(x, y, width, height))/></g>\n"
    }

    private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\""
    }
}

/// The `d` of an SVG path.
struct SVGPath {
    private(set) var data = ""

    mutating func move(_ x: Double, _ y: Double) { add("M", x, y) }

    mutating func line(_ x: Double, _ y: Double) { add("L", x, y) }

    /// To an `x` at the same height.
    mutating func across(to x: Double) { data += "H\(SVGDrawing.number(x))" }

    mutating func close() { data += "Z" }

    /// A closed rectangle.
    mutating func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        move(x, y)
        data += "h\(SVGDrawing.number(width))v\(SVGDrawing.number(height))h\(SVGDrawing.number(-width))Z"
    }

    private mutating func add(_ command: String, _ x: Double, _ y: Double) {
        let vertical = SVGDrawing.number(y)
        data += command + SVGDrawing.number(x) + (vertical.hasPrefix("-") ? "" : " ") + vertical
    }
}

package import Histogram

/// Writes `Encodable` values as JSON whose bytes depend on the value only: fields in the order in which they are declared,
/// two spaces a level, deeper levels on one line, LF at the end.
///
/// Foundation's encoder sorts keys, builds the whole tree in memory and leaves the layout to its version; a record is
/// written piece by piece, stays readable in a pager and must be the same text years from now. Not for types that encode
/// dictionaries, whose order is random.
enum OrderedJSON {
    /// Writes a value; containers at a depth below `brokenDepth` get a line for each field or element.
    static func write(_ value: some Encodable, to text: ResultText, brokenDepth: Int) {
        let output = JSONOutput(text: text, brokenDepth: brokenDepth)
        do {
            try output.write(value)
        } catch {
            preconditionFailure("a record can't be encoded: \(error)")
        }
        output.close(to: 0)
        text.append("\n")
    }
}

/// A number or object whose JSON text is written as it stands.
struct JSONFragment: Sendable, Equatable, Encodable {
    let text: String

    func encode(to encoder: any Encoder) throws {
        preconditionFailure("a JSON fragment reached another encoder than OrderedJSON's")
    }
}

extension FixedDecimal: Encodable {
    package func encode(to encoder: any Encoder) throws {
        preconditionFailure("a fixed decimal reached another encoder than OrderedJSON's")
    }
}

/// The text so far and the containers that are still open.
///
/// `Encodable` never says when a container ends; it has ended when its parent writes again. So each container knows its
/// level, and everything deeper is closed before it writes.
final class JSONOutput {
    private struct Open {
        var closing: String
        var isEmpty = true
    }

    private let text: ResultText
    private let brokenDepth: Int
    private var open: [Open] = []

    init(text: ResultText, brokenDepth: Int) {
        self.text = text
        self.brokenDepth = brokenDepth
    }

    /// Opens an object or an array and returns its level.
    func begin(_ brackets: (opening: String, closing: String)) -> Int {
        text.append(brackets.opening)
        open.append(Open(closing: brackets.closing))
        return open.count
    }

    /// Makes room for the next field or element of the container at a level.
    func next(at level: Int, key: String? = nil) {
        close(to: level)
        if !open[level - 1].isEmpty { text.append(",") }
        open[level - 1].isEmpty = false
        breakLine(level: level)
        guard let key else { return }
        text.append(Self.quoted(key))
        text.append(level <= brokenDepth ? ": " : ":")
    }

    /// Closes all containers deeper than a level.
    func close(to level: Int) {
        while open.count > level, let last = open.popLast() {
            if !last.isEmpty, open.count < brokenDepth { text.append(Self.lineBreak(level: open.count)) }
            text.append(last.closing)
        }
    }

    func write(_ value: some Encodable) throws {
        switch value {
        case let fragment as JSONFragment: text.append(fragment.text)
        case let number as FixedDecimal: text.append(number.description)
        default: try value.encode(to: JSONValueEncoder(output: self))
        }
    }

    func writeRaw(_ raw: String) { text.append(raw) }

    func writeQuoted(_ string: String) { text.append(Self.quoted(string)) }

    private func breakLine(level: Int) {
        if level <= brokenDepth { text.append(Self.lineBreak(level: level)) }
    }

    private static func lineBreak(level: Int) -> String {
        "\n" + String(repeating: "  ", count: level)
    }

    /// A string as RFC 8259 has it: only quotes, backslashes and control characters are escaped.
    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

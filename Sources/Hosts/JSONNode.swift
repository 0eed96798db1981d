/// A JSON document to be written the way Google's APIs print it: two spaces a level, a line per member.
///
/// The API's `prettyPrint` parameter is on by default, and bodies posted in public reports look so.
indirect enum JSONNode: Sendable {
    case text(String)
    case number(Int)
    case list([JSONNode])
    case object([(name: String, value: JSONNode)])

    /// The document's bytes, with the newline that Google ends it with.
    var printed: [UInt8] {
        var output: [UInt8] = []
        write(to: &output, depth: 0)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private func write(to output: inout [UInt8], depth: Int) {
        switch self {
        case .text(let text):
            Self.write(text, to: &output)
        case .number(let number):
            output.append(contentsOf: String(number).utf8)
        case .list(let items):
            Self.write(items, between: ("[", "]"), to: &output, depth: depth) { item, output in
                item.write(to: &output, depth: depth + 1)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &output, depth: depth) { member, output in
                Self.write(member.name, to: &output)
                output.append(contentsOf: ": ".utf8)
                member.value.write(to: &output, depth: depth + 1)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        between brackets: (open: String, close: String),
        to output: inout [UInt8],
        depth: Int,
        each write: (Element, inout [UInt8]) -> Void
    ) {
        output.append(contentsOf: brackets.open.utf8)
        for (index, element) in elements.enumerated() {
            output.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (depth + 1)))
            write(element, &output)
        }
        if !elements.isEmpty {
            output.append(UInt8(ascii: "\n"))
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        output.append(contentsOf: brackets.close.utf8)
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                output.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

/// Writes JSON as RFC 8259 has it: no comments, no trailing commas.
enum JSONWriter {
    /// The text with two spaces per level and a final newline.
    static func pretty(_ node: JSONNode) -> String {
        var text = ""
        write(node, indent: 0, into: &text)
        return text + "\n"
    }

    /// The text on one line, without spaces.
    static func compact(_ node: JSONNode) -> String {
        var text = ""
        write(node, indent: nil, into: &text)
        return text
    }

    private static func write(_ node: JSONNode, indent: Int?, into text: inout String) {
        switch node.value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): quote(string, into: &text)
        case .array(let elements):
            list(elements, open: "[", close: "]", indent: indent, into: &text) { element, deeper, text in
                write(element, indent: deeper, into: &text)
            }
        case .object(let members):
            list(members, open: "{", close: "}", indent: indent, into: &text) { member, deeper, text in
                quote(member.name, into: &text)
                text += indent == nil ? ":" : ": "
                write(member.node, indent: deeper, into: &text)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        open: String,
        close: String,
        indent: Int?,
        into text: inout String,
        body: (Element, Int?, inout String) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine(indent.map { $0 + 1 }, into: &text)
            body(element, indent.map { $0 + 1 }, &text)
        }
        if !elements.isEmpty { breakLine(indent, into: &text) }
        text += close
    }

    private static func breakLine(_ indent: Int?, into text: inout String) {
        guard let indent else { return }
        text += "\n" + String(repeating: "  ", count: indent)
    }

    private static func quote(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\u{00}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// Writes rows as RFC 4180 has them, with LF throughout: fields in quotes where they need them, quotes inside doubled.
struct CSVWriter {
    private let text: ResultText
    private let columns: Int

    /// Writes the header row; every later row must have as many fields.
    ///
    /// - Parameter hasHeader: false where the rows go on after earlier ones.
    init(to text: ResultText, columns: [String], hasHeader: Bool = true) {
        self.text = text
        self.columns = columns.count
        if hasHeader { row(columns) }
    }

    /// Writes one row; nil is an empty field: not measured, or nothing to measure.
    func row(_ fields: [(any CustomStringConvertible)?]) {
        precondition(fields.count == columns, "a row of \(fields.count) fields under a header of \(columns)")
        var line = ""
        for (index, field) in fields.enumerated() {
            if index > 0 { line += "," }
            if let field { line += Self.quoted(field.description) }
        }
        text.append(line + "\n")
    }

    private static func quoted(_ field: String) -> String {
        let special = field.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
            default: false
            }
        }
        guard special else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

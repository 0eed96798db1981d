import Testing

/// A CSV file with a header row (RFC 4180), read by rules of its own rather than by ours.
struct CSVTable: Sendable {
    struct Row: Sendable, CustomStringConvertible {
        let columns: [String]
        let fields: [String]

        /// A field by its column's name; a column that is not there is empty.
        subscript(column: String) -> String { columns.firstIndex(of: column).map { fields[$0] } ?? "" }

        /// A field as a count.
        func count(_ column: String) throws -> Int {
            try #require(Int(self[column]), "\(column) of \(self) is no count")
        }

        var description: String {
            zip(columns, fields).prefix(9).map { "\($0)=\($1)" }.joined(separator: " ")
        }
    }

    let columns: [String]
    let rows: [Row]

    init(_ text: String) throws {
        var lines = try Self.records(text)
        try #require(!lines.isEmpty, "no header")
        let columns = lines.removeFirst()
        for line in lines { try #require(line.count == columns.count, "\(line)") }
        self.columns = columns
        rows = lines.map { Row(columns: columns, fields: $0) }
    }

    private static func records(_ text: String) throws -> [[String]] {
        var records: [[String]] = []
        var fields = [""]
        var isQuoted = false
        var characters = text.unicodeScalars[...]
        while let character = characters.popFirst() {
            switch character {
            case "\"" where isQuoted && characters.first == "\"":
                fields[fields.count - 1].unicodeScalars.append("\"")
                characters.removeFirst()
            case "\"":
                isQuoted.toggle()
            case "," where !isQuoted:
                fields.append("")
            case "\n" where !isQuoted:
                records.append(fields)
                fields = [""]
            default:
                fields[fields.count - 1].unicodeScalars.append(character)
            }
        }
        try #require(!isQuoted && fields == [""], "the file ends within a record")
        return records
    }
}

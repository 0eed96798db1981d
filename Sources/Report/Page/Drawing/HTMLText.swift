import Histogram

/// Text on its way into a page.
///
/// Everything that comes from a profile, a host or a peer passes through here: control and direction characters can't
/// rearrange what is read, and no text can become markup.
enum HTMLText {
    /// Text for an element's content or a quoted attribute, on one line.
    static func escape(_ text: String, limit: Int = 200) -> String {
        escapeMarkup(HumanUnits.line(text, limit: limit))
    }

    /// The same for texts of our own that may have line ends.
    static func escapeMarkup(_ text: String) -> String {
        guard text.utf8.contains(where: { markup.contains($0) }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let markup = Array("&<>\"'".utf8)
}

/// A table of a page: names to the left, numbers to the right.
struct HTMLTable {
    struct Column {
        var heading: String
        var isNumber = true
        /// The column's name in a CSV file, for programs that read the page.
        var name: String?
        /// A heading over this column and its neighbours of the same group.
        var group: String?

        /// A column of numbers that a CSV file has under a name.
        static func number(_ heading: String, _ name: String? = nil, group: String? = nil) -> Column {
            Column(heading: heading, name: name, group: group)
        }

        static func text(_ heading: String, _ name: String? = nil) -> Column {
            Column(heading: heading, isNumber: false, name: name)
        }
    }

    struct Cell {
        var html: String
        /// The exact number as a CSV file has it, where the shown one is rounded.
        var exact: String?

        init(_ text: String, exact: FixedDecimal? = nil) {
            html = HTMLText.escape(text)
            self.exact = exact?.description
        }

        init(html: String) { self.html = html }
    }

    var columns: [Column]
    var rows: [[Cell]] = []
    /// Read out before the table and not shown.
    var caption: String

    init(_ caption: String, _ columns: [Column]) {
        self.caption = caption
        self.columns = columns
    }

    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row of \(cells.count) cells under \(columns.count) headings")
        rows.append(cells)
    }

    /// The table in a box of its own that scrolls sideways on a narrow screen.
    var html: String {
        let caption = HTMLText.escape(caption)
        var html = "<div class=\"scroll\" role=\"region\" aria-label=\"\(caption)\" tabindex=\"0\">"
        html += "<table><caption>\(caption)</caption>"
        html += "<thead>\(groups)<tr>\(headings)</tr></thead><tbody>\n"
        for row in rows { html += "<tr>\(cells(row))</tr>\n" }
        return html + "</tbody></table></div>\n"
    }

    private var headings: String {
        columns.indices
            .map { index in
                let name = columns[index].name.map { " data-column=\"\($0)\"" } ?? ""
                return "<th scope=\"col\"\(style(index))\(name)>\(HTMLText.escape(columns[index].heading))</th>"
            }
            .joined()
    }

    /// The row above the headings, where columns have groups.
    private var groups: String {
        guard columns.contains(where: { $0.group != nil }) else { return "" }
        var html = ""
        var rest = columns[...]
        while let group = rest.first.map(\.group) {
            let width = rest.prefix { $0.group == group }.count
            html +=
                group.map { "<th scope=\"colgroup\" colspan=\"\(width)\" class=\"group\">\(HTMLText.escape($0))</th>" }
                ?? "<td colspan=\"\(width)\"></td>"
            rest = rest.dropFirst(width)
        }
        return "<tr>\(html)</tr>"
    }

    private func cells(_ row: [Cell]) -> String {
        row.indices
            .map { index in
                let exact = row[index].exact.map { " data-exact=\"\($0)\"" } ?? ""
                if index == 0 { return "<th scope=\"row\"\(exact)>\(row[index].html)</th>" }
                return "<td\(style(index))\(exact)>\(row[index].html)</td>"
            }
            .joined()
    }

    private func style(_ index: Int) -> String {
        let startsGroup = columns[index].group != nil && columns[index].group != columns[index - 1].group
        let names = [columns[index].isNumber ? "n" : nil, startsGroup ? "first" : nil].compactMap { $0 }
        return names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\""
    }
}

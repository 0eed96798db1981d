/// Lines up cells under their headings for a terminal: numbers to the right, groups of columns apart by a bar.
///
/// Counts characters, not bytes; all texts that reach it are one column a character.
package struct TextTable {
    package enum Alignment {
        case left
        case right
    }

    package struct Column {
        var heading: String
        var alignment: Alignment
        /// Whether a bar stands before the column.
        var startsGroup: Bool

        package init(heading: String, alignment: Alignment = .right, startsGroup: Bool = false) {
            self.heading = heading
            self.alignment = alignment
            self.startsGroup = startsGroup
        }
    }

    private let columns: [Column]
    /// A row's cells, and a note that stands after them without being a column.
    private var rows: [(cells: [String], note: String)] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    package mutating func add(_ cells: [String], note: String = "") {
        precondition(cells.count == columns.count, "a row of \(cells.count) cells under \(columns.count) headings")
        rows.append((cells, note))
    }

    /// The lines; with `headings` the first one names the columns.
    package func lines(headings: Bool) -> [String] {
        let heading = headings ? [(cells: columns.map(\.heading), note: "")] : []
        let all = heading + rows
        let widths = columns.indices.map { index in all.map { $0.cells[index].count }.max() ?? 0 }
        return all.map { line($0.cells, note: $0.note, widths: widths) }
    }

    private func line(_ cells: [String], note: String, widths: [Int]) -> String {
        var line = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { line += column.startsGroup ? " │ " : "  " }
            let fill = String(repeating: " ", count: widths[index] - cells[index].count)
            line += column.alignment == .left ? cells[index] + fill : fill + cells[index]
        }
        if !note.isEmpty { line += "  " + note }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// Splits CSV into rows as its bytes arrive, in pieces of any size.
///
/// RFC 4180: fields between commas, quoted where they hold commas, quotes (doubled) or line breaks; lines end in LF
/// or CRLF, the last one also without. A byte order mark at the start and blank lines are skipped. Whatever else
/// departs from the format is an error rather than a guess.
package struct CSVRowReader {
    /// The most bytes a row may have: a missing quote must not swallow the rest of a large file.
    static let longestRow = 8192

    /// The row that ``advance(through:from:)`` has just completed.
    package private(set) var row = CSVRow()

    private var state = State.fileStart(markBytes: 0)
    private var line = 1
    /// The row is complete: the next byte starts a new one.
    private var isComplete = false

    private enum State {
        /// Before anything but so many bytes of a byte order mark.
        case fileStart(markBytes: Int)
        case fieldStart
        case plain
        case quoted
        /// After a quote within quotes: the field ends here, or the quote is doubled.
        case quoteInQuoted
        /// After a carriage return: a line feed must follow.
        case lineEnd
    }

    package init() {}

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads on in a piece of the file until a row is complete or the piece is used up.
    ///
    /// - Returns: whether ``row`` is a complete row; if not, go on with the next piece.
    package mutating func advance(through piece: Span<UInt8>, from position: inout Int) throws(FleetCSVError) -> Bool {
        if isComplete { startRow() }
        while position < piece.count {
            try takeRun(of: piece, from: &position)
            guard position < piece.count else { break }
            let byte = piece[position]
            position += 1
            try take(byte)
            if isComplete { return true }
        }
        return false
    }

    /// Takes all bytes that cannot change the state: nearly all there are.
    private mutating func takeRun(of piece: Span<UInt8>, from position: inout Int) throws(FleetCSVError) {
        var end = position
        switch state {
        case .fieldStart, .plain:
            while end < piece.count, !Self.isSpecial(piece[end]) { end += 1 }
            if end > position { state = .plain }
        case .quoted:
            while end < piece.count, !Self.isSpecial(piece[end]) { end += 1 }
        case .fileStart, .quoteInQuoted, .lineEnd:
            return
        }
        guard row.text.count + end - position <= Self.longestRow else { throw rowIsTooLong() }
        piece.extracting(position..<end).withUnsafeBufferPointer { row.text.append(contentsOf: $0) }
        position = end
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }

    /// Ends the file.
    ///
    /// - Returns: whether ``row`` is one more row, whose line had no end.
    package mutating func finish() throws(FleetCSVError) -> Bool {
        if isComplete { startRow() }
        switch state {
        case .fileStart(0): return false
        case .fileStart, .lineEnd: throw problem("the file ends in the middle of a line")
        case .quoted: throw problem("the file ends within quotes")
        case .fieldStart where row.isBlank: return false
        case .fieldStart, .plain, .quoteInQuoted:
            row.endField()
            return true
        }
    }

    private mutating func startRow() {
        isComplete = false
        row.removeAll(line: line)
        state = .fieldStart
    }

    private mutating func take(_ byte: UInt8) throws(FleetCSVError) {
        switch state {
        case .plain: try takePlain(byte)
        case .quoted: try takeQuoted(byte)
        case .fieldStart:
            if byte == UInt8(ascii: "\"") { state = .quoted } else { try takePlain(byte) }
        case .quoteInQuoted:
            if byte == UInt8(ascii: "\"") {
                try append(byte)
                state = .quoted
            } else {
                try takeAfterQuotes(byte)
            }
        case .lineEnd:
            guard byte == UInt8(ascii: "\n") else { throw problem("a carriage return without a line feed") }
            endLine()
        case .fileStart(let count):
            try takeFirst(byte, after: count)
        }
    }

    private mutating func takeFirst(_ byte: UInt8, after count: Int) throws(FleetCSVError) {
        if count < Self.byteOrderMark.count, byte == Self.byteOrderMark[count] {
            state = .fileStart(markBytes: count + 1)
        } else if count == 1 || count == 2 || byte == 0xFF || byte == 0xFE {
            throw problem("the file is not in UTF-8")
        } else {
            state = .fieldStart
            try take(byte)
        }
    }

    private mutating func takePlain(_ byte: UInt8) throws(FleetCSVError) {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): takeSeparator(byte)
        case UInt8(ascii: "\""): throw problem("a quote within a field that does not start with one")
        default:
            state = .plain
            try append(byte)
        }
    }

    private mutating func takeQuoted(_ byte: UInt8) throws(FleetCSVError) {
        if byte == UInt8(ascii: "\"") {
            state = .quoteInQuoted
        } else {
            if byte == UInt8(ascii: "\n") { line += 1 }
            try append(byte)
        }
    }

    private mutating func takeAfterQuotes(_ byte: UInt8) throws(FleetCSVError) {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): takeSeparator(byte)
        default: throw problem("text after a closing quote")
        }
    }

    private mutating func takeSeparator(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ","):
            row.endField()
            state = .fieldStart
        case UInt8(ascii: "\r"):
            state = .lineEnd
        default:
            endLine()
        }
    }

    private mutating func endLine() {
        line += 1
        if row.isBlank { return startRow() }
        row.endField()
        isComplete = true
    }

    private mutating func append(_ byte: UInt8) throws(FleetCSVError) {
        guard row.text.count < Self.longestRow else { throw rowIsTooLong() }
        row.text.append(byte)
    }

    private func rowIsTooLong() -> FleetCSVError {
        problem("the row is longer than \(Self.longestRow) bytes; is a quote missing?")
    }

    private func problem(_ text: String) -> FleetCSVError { FleetCSVError(line: row.line, problem: text) }
}

/// One row of CSV: the bytes of all its fields, unquoted, and where each ends.
package struct CSVRow {
    /// The line of the file on which the row starts, counted from 1.
    package private(set) var line = 1
    fileprivate(set) var text: [UInt8] = []
    private var ends: [Int] = []

    /// How many fields there are.
    package var count: Int { ends.count }

    /// The bytes of a field.
    package subscript(field: Int) -> ArraySlice<UInt8> { text[(field == 0 ? 0 : ends[field - 1])..<ends[field]] }

    fileprivate var isBlank: Bool { text.isEmpty && ends.isEmpty }

    fileprivate mutating func endField() { ends.append(text.count) }

    fileprivate mutating func removeAll(line: Int) {
        self.line = line
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// Reads JSON (RFC 8259) from bytes it does not own, value by value, without allocation.
///
/// The caller asks for what it expects and gets ranges of the text back. Everything that is stepped over is checked:
/// text that was read to its end without a fault is valid JSON in valid UTF-8.
struct JSONReader {
    /// What kind of value comes next, told by its first character.
    enum Next: Equatable {
        case object
        case array
        case string
        case number
        case bool
        case null
    }

    /// A string in the text, without its quotes.
    struct Text: Equatable {
        var bytes: Range<Int>
        /// Whether it has to be unescaped to know what it says.
        var isEscaped: Bool
    }

    /// Objects and arrays may be nested this deep, as in protobuf's own JSON reader.
    static let deepest = 100

    let text: UnsafeRawBufferPointer
    private(set) var at = 0

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// The text stops being JSON here.
    var fault: BodyProblem { BodyProblem(.malformed(offset: at)) }

    /// Steps over bytes that have been looked at.
    mutating func advance(_ count: Int) { at &+= count }

    mutating func skipSpace() {
        while at < text.count {
            switch text[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at &+= 1
            default: return
            }
        }
    }

    /// Looks at the next value without stepping over it.
    mutating func peek() throws(BodyProblem) -> Next {
        skipSpace()
        guard at < text.count else { throw fault }
        switch text[at] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw fault
        }
    }

    /// Steps over `byte` if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard at < text.count, text[at] == byte else { return false }
        at &+= 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(BodyProblem) {
        guard take(byte) else { throw fault }
    }

    /// After a member or element: whether another one follows.
    ///
    /// Steps over the comma or the closing bracket.
    mutating func continues(until close: UInt8) throws(BodyProblem) -> Bool {
        if take(close) { return false }
        try expect(UInt8(ascii: ","))
        return true
    }

    /// Nothing but white space may follow the outermost value.
    mutating func end() throws(BodyProblem) {
        skipSpace()
        guard at == text.count else { throw fault }
    }

    mutating func literal(_ word: StaticString) throws(BodyProblem) {
        let length = word.utf8CodeUnitCount
        guard text.count - at >= length, text.part(at, at + length).equals(word) else { throw fault }
        at += length
    }

    mutating func bool() throws(BodyProblem) -> Bool {
        let isTrue = text[at] == UInt8(ascii: "t")
        if isTrue { try literal("true") } else { try literal("false") }
        return isTrue
    }

    /// A number's characters; nothing is said about its size.
    mutating func number() throws(BodyProblem) -> Range<Int> {
        let start = at
        if at < text.count, text[at] == UInt8(ascii: "-") { at += 1 }
        guard at < text.count else { throw fault }
        if text[at] == UInt8(ascii: "0") { at += 1 } else { try digits() }
        if at < text.count, text[at] == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < text.count, text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        return start..<at
    }

    private mutating func digits() throws(BodyProblem) {
        let start = at
        while at < text.count, text[at].isDigit { at += 1 }
        guard at > start else { throw fault }
    }

    /// Steps over a value of any kind.
    mutating func skipValue(depth: Int = 0) throws(BodyProblem) {
        switch try peek() {
        case .object: try skipObject(depth: depth)
        case .array: try skipArray(depth: depth)
        case .string: _ = try string()
        case .number: _ = try number()
        case .bool: _ = try bool()
        case .null: try literal("null")
        }
    }

    private mutating func skipObject(depth: Int) throws(BodyProblem) {
        guard depth < Self.deepest else { throw fault }
        try expect(UInt8(ascii: "{"))
        if take(UInt8(ascii: "}")) { return }
        repeat {
            _ = try key()
            try skipValue(depth: depth + 1)
        } while try continues(until: UInt8(ascii: "}"))
    }

    private mutating func skipArray(depth: Int) throws(BodyProblem) {
        guard depth < Self.deepest else { throw fault }
        try expect(UInt8(ascii: "["))
        if take(UInt8(ascii: "]")) { return }
        repeat {
            try skipValue(depth: depth + 1)
        } while try continues(until: UInt8(ascii: "]"))
    }

    /// A member's name and the colon after it.
    mutating func key() throws(BodyProblem) -> Text {
        skipSpace()
        let name = try string()
        try expect(UInt8(ascii: ":"))
        return name
    }
}

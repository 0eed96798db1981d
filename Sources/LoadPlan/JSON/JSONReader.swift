/// Reads JSON as people write it: with `//` and `/* */` comments, trailing commas, names without quotes and strings in
/// single quotes.
///
/// Everything else is as in RFC 8259. A name that occurs twice in one object is an error, and so is nesting deeper than
/// ``deepest``, so that no input can exhaust the stack.
struct JSONReader {
    /// What is wrong, and in which line.
    struct Failure: Error, Equatable {
        var line: Int
        var message: String
    }

    static let deepest = 64

    private let bytes: [UInt8]
    private let origin: JSONNode.Origin?
    private var index = 0
    private var line = 1

    /// Reads a whole text; `origin` overrides the line numbers as the origin of its values.
    static func read(_ text: String, origin: JSONNode.Origin? = nil) throws(Failure) -> JSONNode {
        var reader = JSONReader(bytes: Array(text.utf8), origin: origin)
        // A byte-order mark is not JSON, but editors write one.
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let node = try reader.value(depth: 0)
        try reader.skipBlanks()
        guard reader.next == nil else { throw reader.unexpected("the end of the file") }
        return node
    }

    private init(bytes: [UInt8], origin: JSONNode.Origin?) {
        self.bytes = bytes
        self.origin = origin
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        advance()
        return true
    }
}

// MARK: - Values

extension JSONReader {
    private mutating func value(depth: Int) throws(Failure) -> JSONNode {
        try skipBlanks()
        guard depth < Self.deepest else { throw failure("nested more than \(Self.deepest) levels deep") }
        let start = origin ?? .line(line)
        switch next {
        case UInt8(ascii: "{"): return JSONNode(.object(try members(depth: depth)), origin: start)
        case UInt8(ascii: "["): return JSONNode(.array(try elements(depth: depth)), origin: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return JSONNode(.string(try string()), origin: start)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return JSONNode(.number(try number()), origin: start)
        default: return JSONNode(try word(), origin: start)
        }
    }

    private mutating func members(depth: Int) throws(Failure) -> [JSONNode.Member] {
        advance()
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        while true {
            try skipBlanks()
            if take("}") { return members }
            let name = try self.name()
            guard names.insert(name).inserted else { throw failure("\"\(name)\" occurs twice in one object") }
            try skipBlanks()
            guard take(":") else { throw unexpected("\":\" after \"\(name)\"") }
            members.append(JSONNode.Member(name: name, node: try value(depth: depth + 1)))
            try skipBlanks()
            if take(",") { continue }
            guard take("}") else { throw unexpected("\",\" or \"}\" after the value of \"\(name)\"") }
            return members
        }
    }

    private mutating func elements(depth: Int) throws(Failure) -> [JSONNode] {
        advance()
        var elements: [JSONNode] = []
        while true {
            try skipBlanks()
            if take("]") { return elements }
            elements.append(try value(depth: depth + 1))
            try skipBlanks()
            if take(",") { continue }
            guard take("]") else { throw unexpected("\",\" or \"]\" after a list's element") }
            return elements
        }
    }

    private mutating func name() throws(Failure) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try string() }
        let name = identifier()
        guard !name.isEmpty else { throw unexpected("a name or \"}\"") }
        return name
    }

    private mutating func word() throws(Failure) -> JSONNode.Value {
        let (start, startLine) = (index, line)
        switch identifier() {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            (index, line) = (start, startLine)
            throw unexpected("a value")
        }
    }

    /// Letters, digits, `_`, `$` and `-` (for lane names); empty when there are none.
    private mutating func identifier() -> String {
        let start = index
        while let byte = next, isWordByte(byte) { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

// MARK: - Numbers and strings

extension JSONReader {
    private mutating func number() throws(Failure) -> String {
        let start = index
        _ = take("-")
        let leadingZero = next == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0 else { throw unexpected("a digit after \"-\"") }
        guard !leadingZero || whole == 1 else { throw failure("a number has no leading zeros") }
        if take(".") {
            guard digits() > 0 else { throw unexpected("a digit after \".\"") }
        }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard digits() > 0 else { throw unexpected("a digit in the exponent") }
        }
        if let byte = next, isWordByte(byte) || byte == UInt8(ascii: ".") {
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            throw failure("a number ends after \(text); a quantity with a unit or \"_\" is written in quotes")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { advance() }
        return index - start
    }

    private mutating func string() throws(Failure) -> String {
        let quote = bytes[index]
        let startLine = line
        advance()
        var text: [UInt8] = []
        while let byte = next, byte >= 0x20 {
            advance()
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw Failure(line: startLine, message: "a string has no closing quote on its line")
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard let byte = next, byte >= 0x20 else { throw unexpected("an escape after \"\\\"") }
        advance()
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw failure("\"\\\(Character(Unicode.Scalar(byte)))\" is not an escape")
        }
    }

    /// The character of `\uXXXX`, or of a pair of those for one beyond the Basic Multilingual Plane.
    private mutating func unicodeEscape() throws(Failure) -> Character {
        var code = try fourHexDigits()
        if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
            let low = try fourHexDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair") }
        return Character(scalar)
    }

    private mutating func fourHexDigits() throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("four hexadecimal digits after \"\\u\"")
            }
            advance()
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}

// MARK: - Blanks and failures

extension JSONReader {
    private mutating func skipBlanks() throws(Failure) {
        while let byte = next {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: advance()
            case UInt8(ascii: "/"): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(Failure) {
        let startLine = line
        advance()
        if take("/") {
            while let byte = next, byte != UInt8(ascii: "\n") { advance() }
            return
        }
        guard take("*") else { throw unexpected("a comment after \"/\"") }
        while next != nil {
            if take("*") {
                if take("/") { return }
            } else {
                advance()
            }
        }
        throw Failure(line: startLine, message: "a comment has no end")
    }

    private func failure(_ message: String) -> Failure { Failure(line: line, message: message) }

    /// Names what stands where `expected` should.
    private func unexpected(_ expected: String) -> Failure {
        guard index < bytes.count else { return failure("expected \(expected), but the file ends") }
        let rest = String(decoding: bytes[index...].prefix(24), as: UTF8.self)
        let found = rest.prefix { !$0.isWhitespace }.prefix(12)
        return failure("expected \(expected), found \"\(found)\"")
    }
}

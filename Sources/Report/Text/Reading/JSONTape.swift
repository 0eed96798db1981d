/// A JSON text (RFC 8259), taken apart once: its values in the order in which they stand, each with where the next begins.
///
/// A record is mostly base64; reading it costs one pass over the bytes and 16 bytes a value, where a tree of dictionaries
/// costs many times that. ``TapeDecoder`` makes values of it.
final class JSONTape {
    enum Kind: UInt8 {
        case object, array, string, escapedString, number, `true`, `false`, null
    }

    /// In an object a member is its name's value and then its own.
    struct Value {
        var kind: Kind
        /// Where it begins and ends in the text; of a string what stands between the quotes.
        var start: UInt32
        var end: UInt32
        /// The index of the first value that is not part of this one.
        var next: UInt32
    }

    let bytes: [UInt8]
    let values: [Value]

    /// Takes a text apart; nil where it is no JSON.
    init?(_ bytes: [UInt8]) {
        guard bytes.count < UInt32.max else { return nil }
        self.bytes = bytes
        let values = bytes.withUnsafeBufferPointer { buffer -> [Value]? in
            var scanner = JSONScanner(buffer)
            return scanner.scan() ? scanner.values : nil
        }
        guard let values else { return nil }
        self.values = values
    }

    /// The bytes of a value.
    @inline(__always)
    func withBytes<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let value = values[index]
        return bytes.withUnsafeBufferPointer { buffer in
            body(UnsafeBufferPointer(rebasing: buffer[Int(value.start)..<Int(value.end)]))
        }
    }

    /// The text of a string; nil where it is not UTF-8 or has a wrong escape.
    func string(at index: Int) -> String? {
        let isEscaped = values[index].kind == .escapedString
        return withBytes(of: index) { isEscaped ? JSONEscapes.resolve($0) : String(validating: $0, as: UTF8.self) }
    }
}

/// Goes through a JSON text byte by byte.
private struct JSONScanner {
    /// Deeper than any record.
    private static let deepest = 128

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var values: [JSONTape.Value] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        values.reserveCapacity(bytes.count / 24)
    }

    /// The whole text; false where it is no JSON.
    mutating func scan() -> Bool {
        guard value(depth: 0) else { return false }
        skipSpace()
        return position == bytes.count
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    @inline(__always)
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard current == UInt8(truncatingIfNeeded: byte.value) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return container(.object, until: "}", depth: depth)
        case UInt8(ascii: "["): return container(.array, until: "]", depth: depth)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true", .true)
        case UInt8(ascii: "f"): return word("false", .false)
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func append(_ kind: JSONTape.Kind, from start: Int, to end: Int) {
        let next = UInt32(values.count + 1)
        values.append(JSONTape.Value(kind: kind, start: UInt32(start), end: UInt32(end), next: next))
    }

    private mutating func container(_ kind: JSONTape.Kind, until end: Unicode.Scalar, depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        let index = values.count
        append(kind, from: position, to: position)
        position += 1
        skipSpace()
        var isFirst = true
        while !take(end) {
            guard isFirst || take(",") else { return false }
            isFirst = false
            if kind == .object {
                skipSpace()
                guard current == UInt8(ascii: "\""), string() else { return false }
                skipSpace()
                guard take(":") else { return false }
            }
            guard value(depth: depth + 1) else { return false }
            skipSpace()
        }
        values[index].end = UInt32(position)
        values[index].next = UInt32(values.count)
        return true
    }

    private mutating func string() -> Bool {
        position += 1
        let start = position
        var kind = JSONTape.Kind.string
        while position < bytes.count {
            skipPlain()
            guard position < bytes.count else { return false }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                append(kind, from: start, to: position)
                position += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .escapedString
                position += 2
            case 0..<0x20:
                return false
            default:
                position += 1
            }
        }
        return false
    }

    /// Steps over characters of a string that mean themselves, eight at a time: most of a record is base64.
    private mutating func skipPlain() {
        let text = UnsafeRawBufferPointer(bytes)
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        while position + 8 <= text.count {
            let part = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            // Taking a limit from every byte borrows into the top bit of the first that is below it.
            let quotes = part ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let escapes = part ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let special =
                (quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes | (part &- ones &* 0x20) & ~part
            guard special & tops == 0 else { return }
            position += 8
        }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONTape.Kind) -> Bool {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { return false }
            position += 1
        }
        append(kind, from: start, to: position)
        return true
    }

    private mutating func number() -> Bool {
        let start = position
        _ = take("-")
        let whole = digits()
        guard whole == 1 || whole > 1 && bytes[position - whole] != UInt8(ascii: "0") else { return false }
        if take("."), digits() == 0 { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { return false }
        }
        append(.number, from: start, to: position)
        return true
    }

    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, 0x30...0x39 ~= bytes[position] { position += 1 }
        return position - start
    }
}

/// What stands behind a backslash in a JSON string.
private enum JSONEscapes {
    /// The text; nil where it is not UTF-8 or an escape is wrong.
    static func resolve(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var units: [UInt16] = []
        var rest = text.utf16[...]
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")) else {
                units.append(unit)
                continue
            }
            guard let resolved = character(&rest) else { return nil }
            units.append(resolved)
        }
        return String(validating: units, as: UTF16.self)
    }

    private static func character(_ rest: inout Substring.UTF16View) -> UInt16? {
        guard let letter = rest.popFirst().flatMap({ Unicode.Scalar($0) }) else { return nil }
        switch letter {
        case "\"", "\\", "/": return UInt16(letter.value)
        case "b": return 0x08
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "u":
            let digits = Substring(rest.prefix(4))
            rest = rest.dropFirst(4)
            return digits.utf8.count == 4 && digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
        default: return nil
        }
    }
}

/// Takes one secret string out of a JSON text before a general decoder copies it to memory that nobody overwrites.
enum JSONSecret {
    /// Moves the string value of a top-level member out of `text`, leaving white space between its quotes.
    ///
    /// Returns the value without its escapes; nil when the member is absent, is no string, or has an escape that
    /// no ASCII text needs. When the member stands there twice, the last one counts, as it does for the decoder.
    static func take(_ member: String, from text: inout SecretBytes) -> SecretBytes? {
        text.withMutableBytes { bytes in
            var found: Range<Int>?
            for range in Scanner(UnsafeRawBufferPointer(bytes)).values(of: member) { found = range }
            guard let found else { return nil }
            let value = unescape(UnsafeRawBufferPointer(rebasing: bytes[found]))
            for range in Scanner(UnsafeRawBufferPointer(bytes)).values(of: member) {
                for index in range { bytes[index] = UInt8(ascii: " ") }
            }
            return value
        }
    }

    private static func unescape(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        var value = SecretBytes(capacity: text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "\\") {
                guard let (byte, length) = escape(text[index...].prefix(6)) else { return nil }
                value.append(byte)
                index += length
            } else {
                value.append(text[index])
                index += 1
            }
        }
        return value
    }

    /// The byte that an escape stands for, and the escape's length (RFC 8259 section 7); ASCII only.
    private static func escape(_ text: Slice<UnsafeRawBufferPointer>) -> (byte: UInt8, length: Int)? {
        guard let kind = text.dropFirst().first else { return nil }
        switch kind {
        case UInt8(ascii: "n"): return (10, 2)
        case UInt8(ascii: "r"): return (13, 2)
        case UInt8(ascii: "t"): return (9, 2)
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "\""): return (kind, 2)
        case UInt8(ascii: "u"):
            let digits = String(decoding: text.dropFirst(2), as: UTF8.self)
            guard text.count == 6, let code = UInt8(digits, radix: 16), code < 128 else { return nil }
            return (code, 6)
        default: return nil
        }
    }
}

/// Finds members of the outermost object; anything that is no JSON simply yields less, and the decoder complains.
private struct Scanner {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    private var depth = 0
    /// The last of `{ [ , :` that was passed: after `{` and `,` a string is a name, after `:` a value.
    private var previous: UInt8 = 0
    private var isWanted = false

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Where the string values of `member` stand, without their quotes.
    func values(of member: String) -> [Range<Int>] {
        var scanner = self
        var found: [Range<Int>] = []
        while scanner.index < text.count {
            if let range = scanner.step(member) { found.append(range) }
        }
        return found
    }

    private mutating func step(_ member: String) -> Range<Int>? {
        let byte = text[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""):
            let range = string()
            guard depth == 1 else { return nil }
            if previous == UInt8(ascii: ":") { return isWanted ? range : nil }
            isWanted = text[range].elementsEqual(member.utf8)
        case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, previous) = (depth + 1, byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"): previous = byte
        default: break
        }
        return nil
    }

    /// Passes a string whose opening quote was just read.
    private mutating func string() -> Range<Int> {
        let start = index
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, text.count)
        index = end + 1
        return start..<end
    }
}

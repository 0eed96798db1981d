/// Strings: the part of JSON where most bytes are.
extension JSONReader {
    /// Steps over a string, checking its escapes and its UTF-8.
    mutating func string() throws(BodyProblem) -> Text {
        guard at < text.count, text[at] == UInt8(ascii: "\"") else { throw fault }
        advance(1)
        let start = at
        var isEscaped = false
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "\"") {
                advance(1)
                return Text(bytes: start..<at - 1, isEscaped: isEscaped)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try skipEscape()
            } else if byte >= 0x80 {
                try skipMultibyte()
            } else if byte >= 0x20 {
                advance(1)
            } else {
                throw fault
            }
        }
        throw fault
    }

    private mutating func skipEscape() throws(BodyProblem) {
        guard at + 1 < text.count else { throw fault }
        switch text[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            advance(2)
        case UInt8(ascii: "u"):
            guard at + 6 <= text.count, text.part(at + 2, at + 6).allSatisfy(\.isHexDigit) else { throw fault }
            advance(6)
        default:
            throw fault
        }
    }

    /// Steps over one character of two to four bytes (RFC 3629, section 4: no overlong forms, no surrogates).
    private mutating func skipMultibyte() throws(BodyProblem) {
        let lead = text[at]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, at + length <= text.count else { throw fault }
        for offset in 1..<length where text[at + offset] & 0xC0 != 0x80 { throw fault }
        let second = text[at + 1]
        switch lead {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F:
            throw fault
        default:
            advance(length)
        }
    }

    /// What a string says, its escapes undone.
    ///
    /// Allocates; half a surrogate pair becomes U+FFFD.
    func unescaped(_ string: Text) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(string.bytes.count)
        var position = string.bytes.lowerBound
        while position < string.bytes.upperBound {
            guard text[position] == UInt8(ascii: "\\") else {
                result.append(text[position])
                position += 1
                continue
            }
            let kind = text[position + 1]
            position += 2
            if kind == UInt8(ascii: "u") {
                let scalar = unicodeEscape(at: &position, end: string.bytes.upperBound)
                result.append(contentsOf: String(Character(scalar)).utf8)
            } else {
                result.append(Self.escapes.first { $0.letter == kind }?.byte ?? kind)
            }
        }
        return result
    }

    private static let escapes: [(letter: UInt8, byte: UInt8)] = [
        (UInt8(ascii: "b"), 0x08), (UInt8(ascii: "f"), 0x0C), (UInt8(ascii: "n"), 0x0A), (UInt8(ascii: "r"), 0x0D),
        (UInt8(ascii: "t"), 0x09),
    ]

    /// The character of a `\uXXXX`, of which `position` is past the `u`, and of the second half of a pair.
    private func unicodeEscape(at position: inout Int, end: Int) -> Unicode.Scalar {
        let high = hexadecimal(at: position)
        position += 4
        if high & 0xFC00 == 0xD800, position + 6 <= end, text[position] == UInt8(ascii: "\\"),
            text[position + 1] == UInt8(ascii: "u")
        {
            let low = hexadecimal(at: position + 2)
            if low & 0xFC00 == 0xDC00 {
                position += 6
                return Unicode.Scalar(0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF)) ?? "\u{FFFD}"
            }
        }
        return Unicode.Scalar(high) ?? "\u{FFFD}"
    }

    private func hexadecimal(at position: Int) -> UInt32 {
        text.part(position, position + 4)
            .reduce(0) { value, byte in
                value << 4 | UInt32(byte.isDigit ? byte & 0xF : (byte & 0xF) + 9)
            }
    }
}

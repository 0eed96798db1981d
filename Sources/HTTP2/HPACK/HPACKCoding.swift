/// The primitives of header blocks (RFC 7541, sections 5 and 6).
enum HPACKCoding {
    /// An integer with a prefix of so many bits; the bits above it come from `pattern` (section 5.1).
    static func integer(_ value: Int, prefix bits: Int, pattern: UInt8) -> [UInt8] {
        let limit = 1 << bits - 1
        if value < limit { return [pattern | UInt8(value)] }
        var bytes = [pattern | UInt8(limit)]
        var rest = value - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        return bytes
    }

    /// Writes an integer with a prefix of 7 bits whose pattern is 0: the length of a plain string.
    ///
    /// - Returns: How many bytes were written; at most 10.
    @inline(__always)
    static func writeLength(_ value: Int, to bytes: UnsafeMutableRawPointer) -> Int {
        if value < 127 {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return 1
        }
        bytes.storeBytes(of: 127, as: UInt8.self)
        var rest = value - 127
        var count = 1
        while rest >= 128 {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 128, toByteOffset: count, as: UInt8.self)
            rest >>= 7
            count += 1
        }
        bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
        return count + 1
    }

    /// Writes a number that is not negative in decimal, as a plain string.
    ///
    /// - Returns: How many bytes were written; at most 20.
    static func writeDecimal(_ number: Int, to bytes: UnsafeMutableRawPointer) -> Int {
        var digits = 1
        var bound = 10
        while number >= bound, digits < 19 {
            digits += 1
            bound = bound &* 10
        }
        bytes.storeBytes(of: UInt8(digits), as: UInt8.self)
        var rest = number
        for place in stride(from: digits, to: 0, by: -1) {
            bytes.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: place, as: UInt8.self)
            rest /= 10
        }
        return 1 + digits
    }

    /// A string, plain (section 5.2).
    static func plain(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7, pattern: 0) + Array(text.utf8)
    }

    /// A string, Huffman-coded where that is shorter.
    static func shortest(_ text: String) -> [UInt8] {
        let coded = Huffman.encode(text.utf8)
        if coded.count >= text.utf8.count { return plain(text) }
        return integer(coded.count, prefix: 7, pattern: 0x80) + coded
    }

    /// The first part of a literal field: what is to be done with it, and its name by index or in full.
    static func literalName(_ name: String, index: Int?, _ kind: Literal) -> [UInt8] {
        if let index { return integer(index, prefix: kind.prefix, pattern: kind.pattern) }
        return [kind.pattern] + shortest(name)
    }

    /// The kinds of literal field (sections 6.2.1 to 6.2.3).
    enum Literal {
        case indexed
        case notIndexed
        case neverIndexed

        var pattern: UInt8 {
            switch self {
            case .indexed: 0x40
            case .notIndexed: 0x00
            case .neverIndexed: 0x10
            }
        }

        var prefix: Int { self == .indexed ? 6 : 4 }
    }

    /// A field that is in a table (section 6.1).
    static func indexed(_ index: Int) -> [UInt8] {
        integer(index, prefix: 7, pattern: 0x80)
    }

    /// A dynamic table size update (section 6.3).
    static func sizeUpdate(_ size: Int) -> [UInt8] {
        integer(size, prefix: 5, pattern: 0x20)
    }
}

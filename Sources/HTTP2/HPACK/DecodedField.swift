/// One header field as it came out of a header block; its bytes are valid until the sink's `take` returns.
struct DecodedField {
    /// How the block had it (RFC 7541, section 6).
    enum Source: UInt8 {
        /// By its index in the static table.
        case staticTable
        /// By its index in the dynamic table.
        case dynamicTable
        /// As a literal that enters the dynamic table.
        case added
        /// As a literal that does not.
        case literal
        /// As a literal that nobody may ever index.
        case neverIndexed
    }

    var name: UnsafeRawBufferPointer
    var value: UnsafeRawBufferPointer
    var source: Source
    /// The entry of the static table that is the whole field, or 0.
    var staticIndex: UInt8
    /// What the sink said of the name.
    var kind: UInt8
    /// Name and value have the form that RFC 9113, section 8.2.1, and RFC 9110, section 5.5, ask for.
    var isSound: Bool

    /// What the field counts for in the table and in the list (RFC 7541, section 4.1; RFC 9113, section 6.5.2).
    @inline(__always)
    var size: Int { name.count &+ value.count &+ 32 }
}

/// Takes the fields of a header block one by one.
protocol HeaderSink {
    /// What the sink calls a field of this name; asked once for an entry of the dynamic table, and kept with it.
    ///
    /// - Parameters:
    ///   - name: In bytes.
    ///   - staticIndex: The lowest entry of the static table with this name, when the block had the name by index;
    ///     otherwise 0, even if the static table has it.
    func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8

    mutating func take(_ field: DecodedField)
}

/// Which bytes names and values of fields may have.
enum FieldSyntax {
    /// Lower-case token characters, with a colon in front for a pseudo-header field (RFC 9113, section 8.2.1).
    static func isSoundName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let first = name.first else { return false }
        let isPseudo = first == UInt8(ascii: ":")
        if isPseudo && name.count == 1 { return false }
        for byte in name.dropFirst(isPseudo ? 1 : 0) where !isTokenByte(byte) { return false }
        return true
    }

    /// RFC 9110, section 5.6.2, without upper case.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }

    /// No control characters but tabs, and no white space at either end (RFC 9113, section 8.2.1; RFC 9110, 5.5).
    @inline(__always)
    static func isSoundValue(_ value: UnsafeRawBufferPointer) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        if isBlank(first) || isBlank(last) { return false }
        var offset = 0
        // Eight bytes at a time; a word with anything that might be a control character is looked at byte by byte.
        while value.count - offset >= 8 {
            let word = value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if mayHaveControl(word), !hasNoControl(value, from: offset, to: offset + 8) { return false }
            offset += 8
        }
        return hasNoControl(value, from: offset, to: value.count)
    }

    /// Whether a byte of the word is below 0x20 or is 0x7f; true for some words without such a byte as well.
    @inline(__always)
    private static func mayHaveControl(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let deleted = word ^ (ones &* 0x7f)
        let low = (word &- ones &* 0x20) & ~word
        let delete = (deleted &- ones) & ~deleted
        return (low | delete) & (ones &* 0x80) != 0
    }

    @inline(__always)
    private static func hasNoControl(_ value: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Bool {
        var offset = start
        while offset < end {
            let byte = value[offset]
            if byte < 0x20 && byte != 0x09 || byte == 0x7f { return false }
            offset &+= 1
        }
        return true
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the name is of a field that belongs to a connection of HTTP/1.1 (RFC 9113, section 8.2.2).
    static func isOfConnection(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 7: name.equals("upgrade")
        case 10: name.equals("connection") || name.equals("keep-alive")
        case 16: name.equals("proxy-connection")
        case 17: name.equals("transfer-encoding")
        default: false
        }
    }
}

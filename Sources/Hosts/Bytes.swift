/// What the hosts ask of bytes they look at but do not own. Nothing here allocates.
extension UnsafeRawBufferPointer {
    /// Whether these are exactly the bytes of `text`.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        equals(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Whether these are exactly the bytes of `other`, compared eight at a time.
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var at = 0
        while at &+ 8 <= count {
            let ours = loadUnaligned(fromByteOffset: at, as: UInt64.self)
            guard ours == other.loadUnaligned(fromByteOffset: at, as: UInt64.self) else { return false }
            at &+= 8
        }
        while at < count {
            guard self[at] == other[at] else { return false }
            at &+= 1
        }
        return true
    }

    /// Whether these are the bytes of the ASCII `text`, which is given in lower case, whatever their own case.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for at in 0..<count where self[at].lowercasedASCII != text.utf8Start[at] { return false }
        return true
    }

    func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && part(0, text.utf8CodeUnitCount).equals(text)
    }

    func ends(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && part(count - text.utf8CodeUnitCount, count).equals(text)
    }

    /// The bytes from `start` up to, not including, `end`.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Without the spaces and tabs at both ends, which HTTP allows around a header's value (RFC 9110, 5.5).
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return part(start, end)
    }

    /// The number these ASCII digits spell; nil for anything but digits and for what does not fit.
    var decimal: Int64? {
        guard !isEmpty, count <= 19 else { return nil }
        var value: Int64 = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = scaled.addingReportingOverflow(Int64(byte &- UInt8(ascii: "0")))
            guard !tooLarge, !overflow else { return nil }
            value = sum
        }
        return value
    }

    /// A hash for tables of this process: the same bytes always give the same number, and a sender that
    /// chooses its bytes to collide only slows down its own lookups.
    package var hash64: UInt64 {
        // Multiplied, so that a length and a byte can't stand for each other.
        var state = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count) &* 0xA076_1D64_78BD_642F
        guard count >= 16 else {
            var tail: UInt64 = 0
            var more: UInt64 = 0
            for at in 0..<count {
                more = more << 8 | tail >> 56
                tail = tail << 8 | UInt64(self[at])
            }
            return Self.mix(tail ^ state, more)
        }
        var at = 0
        while at &+ 16 < count {
            state = Self.mix(word(at) ^ state, word(at &+ 8))
            at &+= 16
        }
        // The last 16 bytes, those among them that were seen already once more.
        return Self.mix(word(count &- 16) ^ state, word(count &- 8))
    }

    @inline(__always)
    private func word(_ offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }

    @inline(__always)
    private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let (high, low) = (first ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: second ^ 0x8EBC_6AF0_9C88_C6E3)
        return high ^ low
    }
}

extension UInt64 {
    /// Whether all eight bytes are hexadecimal digits of either case.
    @inline(__always)
    var isHexDigits: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops = ones &* 0x80
        // Of bytes below 0x80, a sum's top bit tells which are at least as large as a bound.
        let low = self & ~tops
        let letters = low | ones &* 0x20
        let digit = (low &+ ones &* (0x80 - 0x30)) & ~(low &+ ones &* (0x7f - 0x39))
        let letter = (letters &+ ones &* (0x80 - 0x61)) & ~(letters &+ ones &* (0x7f - 0x66))
        return (digit | letter) & ~self & tops == tops
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    var isHexDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    var lowercasedASCII: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

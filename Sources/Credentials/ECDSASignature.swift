/// The two forms of an ECDSA signature on P-256: DER as OpenSSL has it, and r and s of 32 bytes each, as a JSON
/// web signature has it (RFC 7518 section 3.4).
enum ECDSASignature {
    /// Length of the raw form.
    static let rawCount = 64
    /// The longest DER form: a sequence of two integers of up to 33 bytes.
    static let longestDER = 72

    /// Writes the raw form of a DER signature; false when the DER is not one of P-256.
    static func writeRaw(der: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer) -> Bool {
        guard raw.count == rawCount, der.count >= 8, der.count <= longestDER, der[0] == 0x30,
            Int(der[1]) == der.count - 2
        else { return false }
        raw.initializeMemory(as: UInt8.self, repeating: 0)
        var rest = der[2...]
        return takeInteger(from: &rest, into: UnsafeMutableRawBufferPointer(rebasing: raw[..<32]))
            && takeInteger(from: &rest, into: UnsafeMutableRawBufferPointer(rebasing: raw[32...]))
            && rest.isEmpty
    }

    /// Reads one DER integer, and writes its value right-aligned into 32 zero bytes.
    private static func takeInteger(
        from rest: inout Slice<UnsafeRawBufferPointer>,
        into field: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard rest.count > 2, rest[rest.startIndex] == 0x02 else { return false }
        let length = Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard length > 0, rest.count >= length else { return false }
        let value = rest.prefix(length).drop { $0 == 0 }
        rest = rest.dropFirst(length)
        guard value.count <= field.count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: field[(field.count - value.count)...]).copyBytes(from: value)
        return true
    }

    /// The DER form of a raw signature; nil when it is not 64 bytes.
    static func der(raw: UnsafeRawBufferPointer) -> [UInt8]? {
        guard raw.count == rawCount else { return nil }
        let body = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(body.count)] + body
    }

    private static func integer(_ field: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        let value = field.drop { $0 == 0 }
        // A DER integer is signed and has at least one byte: a leading zero keeps it positive.
        let needsZero = (value.first ?? 0x80) >= 0x80
        return [0x02, UInt8(value.count + (needsZero ? 1 : 0))] + (needsZero ? [0] : []) + value
    }
}

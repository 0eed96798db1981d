/// Base64 (RFC 4648, section 4) back to bytes.
///
/// Records hold thousands of short texts, for each of which Foundation's decoder makes several buffers.
enum Base64 {
    private static let invalid: UInt8 = 0xFF

    /// The six bits of each character.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The bytes; nil for anything but whole groups of four characters with padding at the end only.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    /// The same for a text in UTF-8.
    static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return decode(UnsafeBufferPointer(rebasing: characters.dropLast(padding)), padding: padding)
    }

    private static func decode(_ characters: UnsafeBufferPointer<UInt8>, padding: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((characters.count + padding) / 4 * 3)
        var (group, bits, wrong) = (UInt32(0), 0, UInt8(0))
        values.withUnsafeBufferPointer { values in
            for character in characters {
                let value = values[Int(character)]
                wrong |= value
                group = group << 6 | UInt32(value & 0x3F)
                bits += 6
                guard bits >= 8 else { continue }
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        // Bits that are left over belong to no byte and must be 0 (section 3.5).
        guard wrong < 0x40, group & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}

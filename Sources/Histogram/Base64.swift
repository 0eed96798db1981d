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

    /// - Parameter characters: those that stand for bytes, of which at most two are missing from the last group.
    private static func decode(_ characters: UnsafeBufferPointer<UInt8>, padding: Int) -> [UInt8]? {
        var (wrong, rest) = (UInt8(0), UInt32(0))
        let bytes = [UInt8](unsafeUninitializedCapacity: characters.count / 4 * 3 + 2) { memory, written in
            values.withUnsafeBufferPointer { values in
                var group: UInt32 = 0
                for place in characters.indices {
                    let value = values[Int(characters[place])]
                    wrong |= value
                    group = group << 6 | UInt32(value & 0x3F)
                    guard place & 3 == 3 else { continue }
                    memory[written] = UInt8(truncatingIfNeeded: group >> 16)
                    memory[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    memory[written + 2] = UInt8(truncatingIfNeeded: group)
                    written += 3
                }
                // Two characters and one padding less are two bytes of the last group, with bits left over.
                guard padding > 0 else { return }
                group <<= 6 * UInt32(padding)
                memory[written] = UInt8(truncatingIfNeeded: group >> 16)
                if padding == 1 { memory[written + 1] = UInt8(truncatingIfNeeded: group >> 8) }
                written += 3 - padding
                rest = group & (1 << (8 * UInt32(padding)) - 1)
            }
        }
        // Bits that are left over belong to no byte and must be 0 (section 3.5).
        guard wrong < 0x40, rest == 0 else { return nil }
        return bytes
    }
}

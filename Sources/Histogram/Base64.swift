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

    /// How much memory `decode` needs for so many characters.
    static func mostBytes(of characters: Int) -> Int { characters / 4 * 3 }

    /// Writes the bytes into memory and returns how many they are; nil for anything but whole groups of four characters with
    /// padding at the end only.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into memory: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let whole = text.count - (padding > 0 ? 4 : 0)
        var (wrong, written) = (UInt8(0), 0)
        values.withUnsafeBufferPointer { values in
            for place in stride(from: 0, to: whole, by: 4) {
                let (first, second) = (values[Int(text[place])], values[Int(text[place + 1])])
                let (third, fourth) = (values[Int(text[place + 2])], values[Int(text[place + 3])])
                wrong |= first | second | third | fourth
                memory[written] = first << 2 | second >> 4
                memory[written + 1] = second << 4 | third >> 2
                memory[written + 2] = third << 6 | fourth
                written += 3
            }
        }
        guard wrong < 0x40, padding > 0 else { return wrong < 0x40 ? written : nil }
        guard let last = lastBytes(text.suffix(4).dropLast(padding)) else { return nil }
        for byte in last {
            memory[written] = byte
            written += 1
        }
        return written
    }

    /// What a last group of two or three characters stands for.
    private static func lastBytes(_ characters: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        var group: UInt32 = 0
        for character in characters {
            guard values[Int(character)] != invalid else { return nil }
            group = group << 6 | UInt32(values[Int(character)])
        }
        // Two characters have four bits more than a byte, three have two more than two; they must be 0 (section 3.5).
        let surplus = characters.count == 2 ? 4 : 2
        guard group & (1 << UInt32(surplus) - 1) == 0 else { return nil }
        group >>= UInt32(surplus)
        return characters.count == 2
            ? [UInt8(truncatingIfNeeded: group)]
            : [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
    }
}

/// The 36 characters of a UUID, kept as they came, in place and without allocation.
///
/// APNs echoes `apns-id` and senders match answers by comparing text (aioapns does), so the letters' case is kept:
/// apns2 passes on upper-case identifiers that its callers give it.
package struct UUIDText: Sendable, Equatable {
    package static let length = 36

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var tail: UInt32 = 0

    /// Takes 8-4-4-4-12 hexadecimal digits of either case; nil for anything else.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == Self.length else { return nil }
        words.0 = text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        words.1 = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        words.2 = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        words.3 = text.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        tail = text.loadUnaligned(fromByteOffset: 32, as: UInt32.self)
        // Hyphens stand at 8, 13, 18 and 23; zeros in their place leave digits everywhere.
        let (second, third) = (words.1.littleEndian ^ Self.secondHyphens, words.2.littleEndian ^ Self.thirdHyphens)
        guard second & Self.secondPlaces | third & Self.thirdPlaces == 0 else { return nil }
        let last = UInt64(tail) << 32 | words.3 >> 32
        guard words.0.isHexDigits, words.3.isHexDigits, last.isHexDigits,
            (second | Self.secondPlaces & Self.zeros).isHexDigits, (third | Self.thirdPlaces & Self.zeros).isHexDigits
        else { return nil }
    }

    /// The bytes of the second and of the third word where hyphens stand, the lowest byte first, and the hyphens.
    private static let secondPlaces: UInt64 = 0x0000_ff00_0000_00ff
    private static let thirdPlaces: UInt64 = 0xff00_0000_00ff_0000
    private static let secondHyphens: UInt64 = 0x0000_2d00_0000_002d
    private static let thirdHyphens: UInt64 = 0x2d00_0000_002d_0000
    private static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// A random version 4 UUID (RFC 9562, 5.4), in the letters' case asked for.
    package init(from numbers: inout SplitMix, upperCase: Bool) {
        let high = numbers.next() & ~0xF000 | 0x4000
        let low = numbers.next() & (~0 >> 2) | (1 << 63)
        let letters = UInt8(ascii: upperCase ? "A" : "a") &- 10
        withUnsafeMutableBytes(of: &self) { bytes in
            var digit = 0
            for at in 0..<Self.length {
                guard at != 8, at != 13, at != 18, at != 23 else {
                    bytes[at] = UInt8(ascii: "-")
                    continue
                }
                let word = digit < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit % 16))) & 0xF
                bytes[at] = value < 10 ? UInt8(ascii: "0") &+ value : letters &+ value
                digit += 1
            }
        }
    }

    /// Writes the 36 characters at the start of a buffer.
    package func write(into buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= Self.length, "a UUID needs room for \(Self.length) characters")
        buffer.storeBytes(of: words.0, toByteOffset: 0, as: UInt64.self)
        buffer.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        buffer.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
        buffer.storeBytes(of: words.3, toByteOffset: 24, as: UInt64.self)
        buffer.storeBytes(of: tail, toByteOffset: 32, as: UInt32.self)
    }

    package static func == (left: UUIDText, right: UUIDText) -> Bool {
        left.words == right.words && left.tail == right.tail
    }
}

extension UUIDText: CustomStringConvertible {
    package var description: String {
        withUnsafeBytes(of: self) { String(decoding: $0.prefix(Self.length), as: UTF8.self) }
    }
}

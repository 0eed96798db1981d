/// Writes the `apns-id` of a push: a version 4 UUID in canonical lower case, a pure function of run seed and push.
///
/// A host that answers with the id it was sent (APNs does) lets duplicates be found afterwards.
package enum APNsID {
    /// The number of characters.
    package static let length = 36

    /// Writes 36 ASCII characters at the start of `destination`.
    package static func write(
        seed: UInt64,
        lane: Int,
        push: UInt64,
        into destination: UnsafeMutableRawBufferPointer
    ) {
        let high = mix(seed ^ mix(push &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: lane)))
        let low = mix(high &+ 0x9E37_79B9_7F4A_7C15)
        // RFC 9562, section 5.4: version and variant bits.
        let first = (high & ~0xF000) | 0x4000
        let second = (low & ~(0xC000_0000_0000_0000)) | 0x8000_0000_0000_0000
        precondition(destination.count >= length, "an apns-id needs \(length) bytes")
        store(digits(first >> 32), in: destination, at: 0)
        storeHalves(digits(first & 0xFFFF_FFFF), in: destination, at: 9)
        storeHalves(digits(second >> 32), in: destination, at: 19)
        store(digits(second & 0xFFFF_FFFF), in: destination, at: 28)
        for position in stride(from: 8, through: 23, by: 5) { destination[position] = UInt8(ascii: "-") }
    }

    /// The eight digits of a number below 2^32, the lowest byte the first character.
    @inline(__always)
    private static func digits(_ number: UInt64) -> UInt64 {
        // Four bytes spread over eight, the highest first, then each byte's high digit before its low one.
        let bytes = UInt64(UInt32(truncatingIfNeeded: number).byteSwapped)
        let pairs = (bytes &<< 16 | bytes) & 0x0000_FFFF_0000_FFFF
        let spread = (pairs &<< 8 | pairs) & 0x00FF_00FF_00FF_00FF
        let digits = (spread &>> 4 | spread &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte that is above 9: letters stand 39 further on.
        let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    @inline(__always)
    private static func store(_ characters: UInt64, in text: UnsafeMutableRawBufferPointer, at position: Int) {
        text.storeBytes(of: characters.littleEndian, toByteOffset: position, as: UInt64.self)
    }

    /// Stores two groups of four characters with room for a hyphen between them.
    @inline(__always)
    private static func storeHalves(_ characters: UInt64, in text: UnsafeMutableRawBufferPointer, at position: Int) {
        let (first, second) = (UInt32(truncatingIfNeeded: characters), UInt32(truncatingIfNeeded: characters &>> 32))
        text.storeBytes(of: first.littleEndian, toByteOffset: position, as: UInt32.self)
        text.storeBytes(of: second.littleEndian, toByteOffset: position + 5, as: UInt32.self)
    }

    /// The finaliser of SplitMix64.
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

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
        var position = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                destination[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = index < 16 ? first : second
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index & 15))) & 0xF
            destination[position] = nibble < 10 ? nibble &+ 0x30 : nibble &+ 0x57
            position += 1
        }
    }

    /// The finaliser of SplitMix64.
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

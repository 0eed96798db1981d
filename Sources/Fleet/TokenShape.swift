/// What device tokens look like, as strictly as a host may reasonably check.
///
/// The buffers are only read during the call.
package enum TokenShape {
    /// APNs token lengths in hexadecimal characters.
    ///
    /// Apple says not to assume a size; 64 is what devices get today, and tokens of up to 200 characters have been
    /// seen accepted.
    package static let apnsLengths = 64...200

    /// The lengths of the FCM tokens that a fleet generates, after those seen in use.
    package static let generatedFCMLengths = 142...163

    /// FCM registration token lengths taken for valid: wider than those in use, because Firebase documents none.
    package static let fcmLengths = 130...255

    /// FCM installation ids before the colon: 22 characters today, 11 for older apps.
    package static let fcmIDLengths = 11...22

    /// Whether these bytes can be an APNs device token: hexadecimal digits, 64 to 200 of them, an even number.
    package static func isAPNs(_ token: UnsafeRawBufferPointer) -> Bool {
        guard apnsLengths.contains(token.count), token.count.isMultiple(of: 2) else { return false }
        return everyWord(of: token, from: 0, to: token.count) { word in
            let letters = word | 0x20 &* everyByte
            return inRange(word, "0", "9") | inRange(letters, "a", "f")
        }
    }

    /// Whether these bytes can be an FCM registration token: an installation id, a colon, `APA91b`, and more, in
    /// characters of base64url.
    package static func isFCM(_ token: UnsafeRawBufferPointer) -> Bool {
        guard fcmLengths.contains(token.count) else { return false }
        let separator = UInt8(ascii: ":")
        guard let colon = (0...fcmIDLengths.upperBound).first(where: { token[$0] == separator }) else { return false }
        guard fcmIDLengths.contains(colon) else { return false }
        return hasMarker(token, at: colon + 1) && isBase64URL(token, from: 0, to: colon)
            && isBase64URL(token, from: colon + 1, to: token.count)
    }

    private static func hasMarker(_ token: UnsafeRawBufferPointer, at position: Int) -> Bool {
        let word = token.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
        // APA91b, the lowest byte first.
        return word & 0xFFFF_FFFF_FFFF == 0x62_31_39_41_50_41
    }

    private static func isBase64URL(_ token: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Bool {
        everyWord(of: token, from: start, to: end) { word in
            let letters = word | 0x20 &* everyByte
            return inRange(word, "0", "9") | inRange(letters, "a", "z") | inRange(word, "-", "-")
                | inRange(word, "_", "_")
        }
    }

    // MARK: Eight characters at a time, each a byte of a 64-bit word

    private static let everyByte: UInt64 = 0x0101_0101_0101_0101
    private static let topBits: UInt64 = 0x8080_8080_8080_8080

    /// Whether all characters are ASCII and have their top bits set in what `accepted` makes of them.
    ///
    /// - Precondition: there are at least eight.
    @inline(__always)
    private static func everyWord(
        of token: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int,
        _ accepted: (UInt64) -> UInt64
    ) -> Bool {
        var all = topBits
        var position = start
        while position < end {
            // The last word overlaps the one before it.
            let word = token.loadUnaligned(fromByteOffset: min(position, end - 8), as: UInt64.self)
            all &= accepted(word & ~topBits) & ~word
            position += 8
        }
        return all == topBits
    }

    /// Sets the top bit of each byte that lies between two characters.
    ///
    /// All bytes must be ASCII, so that no sum overflows into the next byte.
    @inline(__always)
    private static func inRange(_ word: UInt64, _ first: Unicode.Scalar, _ last: Unicode.Scalar) -> UInt64 {
        let atLeastFirst = word &+ UInt64(128 - first.value) &* everyByte
        let aboveLast = word &+ UInt64(127 - last.value) &* everyByte
        return atLeastFirst & ~aboveLast & topBits
    }
}

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
        // No early exit: the compiler turns a loop without one into vector instructions.
        var bad: UInt8 = 0
        for byte in token {
            let isDigit = byte &- UInt8(ascii: "0") < 10
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 6
            bad |= isDigit || isLetter ? 0 : 1
        }
        return bad == 0
    }

    /// Whether these bytes can be an FCM registration token: an installation id, a colon, `APA91b`, and more, in
    /// characters of base64url.
    package static func isFCM(_ token: UnsafeRawBufferPointer) -> Bool {
        guard fcmLengths.contains(token.count) else { return false }
        let separator = UInt8(ascii: ":")
        guard let colon = token[...fcmIDLengths.upperBound].firstIndex(of: separator) else { return false }
        guard fcmIDLengths.contains(colon) else { return false }
        let rest = UnsafeRawBufferPointer(rebasing: token[(colon + 1)...])
        let id = UnsafeRawBufferPointer(rebasing: token[..<colon])
        return rest.starts(with: "APA91b".utf8) && isBase64URL(id) && isBase64URL(rest)
    }

    @inline(__always)
    private static func isBase64URL(_ text: UnsafeRawBufferPointer) -> Bool {
        var bad: UInt8 = 0
        for byte in text {
            let isDigit = byte &- UInt8(ascii: "0") < 10
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            let isMark = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            bad |= isDigit || isLetter || isMark ? 0 : 1
        }
        return bad == 0
    }
}

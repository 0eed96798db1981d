/// How a malformed token is broken: in one of four ways that each make it fail its shape check for certain.
struct Malformation: Sendable {
    private let random: UInt64

    /// Decides from a device's random state.
    @inline(__always)
    init(key: UInt64) { random = mix64(key ^ 0x5EED_0F_BADBAD) }

    private var kind: UInt64 { random & 3 }

    /// The shortest tokens it leaves: too short for either provider.
    private static let cutLengths = 20...62

    /// The length of the broken token, given what it would have been.
    func length(of length: Int, _ provider: Provider) -> Int {
        switch kind {
        case 0: cut()
        // An odd number of hexadecimal digits.
        case 1 where provider == .apns: length - 1
        default: length
        }
    }

    private func cut() -> Int {
        let lengths = Self.cutLengths
        return lengths.lowerBound + Int(scale(UInt32(truncatingIfNeeded: random &>> 32), below: UInt32(lengths.count)))
    }

    /// Where a character of a token that keeps its length must be replaced, and by which; nil for a broken length.
    ///
    /// The replacement is safe in a path, in JSON and in CSV.
    func replacement(in length: Int, _ provider: Provider) -> (position: Int, character: UInt8)? {
        let anywhere = Int(scale(UInt32(truncatingIfNeeded: random &>> 32), below: UInt32(length)))
        switch (provider, kind) {
        case (_, 0), (.apns, 1): return nil
        case (.apns, 2): return (anywhere, UInt8(ascii: "x"))
        case (.apns, _): return (anywhere, UInt8(ascii: "-"))
        // No separator; another marker after it; a character outside the alphabet.
        case (.fcm, 1): return (TokenText.fcmSeparator, UInt8(ascii: "_"))
        case (.fcm, 2): return (TokenText.fcmSeparator + 1, UInt8(ascii: "B"))
        case (.fcm, _): return (anywhere, UInt8(ascii: "."))
        }
    }
}

/// What a synthetic token says about its device.
///
/// A token consists of a random word R, a mark, and random filler. The mark is `mix64(R) ^ claim`, so it looks as
/// random as the rest. The claim packs, from the top bit down:
///
///     magic: 32 | app tag: 16 | zero: 12 | unregistered: 1 | environment: 2 | provider: 1
///
/// A foreign token passes for synthetic with a chance of about 2^-45.
package struct TokenMark: Sendable, Equatable {
    /// The service that issued the token.
    package let provider: Provider
    /// The environment that issued the token; always production for FCM.
    package let environment: Environment
    /// The ``appTag(_:)`` of what the token was issued for: an APNs topic, or an FCM project.
    package let appTag: UInt16
    /// The app has been removed from the device since.
    package let unregistered: Bool
    /// 64 random bits of the token's own, the same wherever it turns up: they tell devices apart, and seed whatever
    /// a host makes up about a device.
    package let identity: UInt64

    package init(
        provider: Provider,
        environment: Environment,
        appTag: UInt16,
        unregistered: Bool,
        identity: UInt64
    ) {
        self.provider = provider
        self.environment = environment
        self.appTag = appTag
        self.unregistered = unregistered
        self.identity = identity
    }

    /// Reads the mark of a token, in either case for hexadecimal digits.
    ///
    /// Nil if the token is not one of ours or does not have a token's shape (``TokenShape``). A host then knows
    /// nothing about the device, and takes a well-shaped token for a registered one of any app.
    package init?(token: UnsafeRawBufferPointer) {
        let words: TokenText.Words
        let provider: Provider
        if TokenShape.isAPNs(token) {
            words = TokenText.readAPNs(token)
            provider = .apns
        } else if TokenShape.isFCM(token), let found = TokenText.readFCM(token) {
            words = found
            provider = .fcm
        } else {
            return nil
        }
        let claim = words.mark ^ mix64(words.identity)
        guard claim &>> 32 == Self.magic, claim & Self.zeroBits == 0 else { return nil }
        guard let environment = Environment(rawValue: UInt8(truncatingIfNeeded: claim &>> 1) & 3) else { return nil }
        guard Provider(rawValue: UInt8(truncatingIfNeeded: claim) & 1) == provider else { return nil }
        self.provider = provider
        self.environment = environment
        appTag = UInt16(truncatingIfNeeded: claim &>> 16)
        unregistered = claim & Self.unregisteredBit != 0
        identity = words.identity
    }

    /// The mark as it stands in the token.
    @inline(__always)
    var word: UInt64 {
        var claim = Self.magic &<< 32 | UInt64(appTag) &<< 16
        claim |= unregistered ? Self.unregisteredBit : 0
        claim |= UInt64(environment.rawValue) &<< 1 | UInt64(provider.rawValue)
        return claim ^ mix64(identity)
    }

    /// A 16-bit hash of a topic or project name (FNV-1a, folded).
    package static func appTag(_ name: String) -> UInt16 { appTag(name.utf8) }

    /// A 16-bit hash of a topic or project name given as UTF-8, such as a header's value.
    package static func appTag(_ name: some Sequence<UInt8>) -> UInt16 {
        var hash: UInt32 = 0x811C_9DC5
        for byte in name { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: hash ^ (hash &>> 16))
    }

    private static let magic: UInt64 = 0x9B5F_1EE7
    private static let unregisteredBit: UInt64 = 1 &<< 3
    private static let zeroBits: UInt64 = 0xFFF0
}

extension TokenMark {
    /// The mark of a seeded fleet's device: its defect, told in the token's own words.
    @inline(__always)
    init(of device: Device, in fleet: Fleet, identity: UInt64) {
        let tag = device.lane == .fcm ? fleet.projectTag : fleet.appTags[device.app]
        let environment = device.lane.environment
        // Any other tag will do for another app's token: hosts compare it with the one they expect.
        let isForeign = device.defect == .wrongTopic || device.defect == .otherSender
        self.init(
            provider: device.lane.provider,
            environment: device.defect == .wrongEnvironment ? environment.other : environment,
            appTag: isForeign ? ~tag : tag,
            unregistered: device.defect == .unregistered,
            identity: identity
        )
    }
}

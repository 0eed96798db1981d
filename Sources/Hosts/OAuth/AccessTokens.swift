/// The access tokens that the token endpoint has given out: opaque to senders, known to the FCM host.
///
/// Holds the last `capacity` of them in memory taken once. Finding a token costs one comparison when the caller
/// remembers where its last one was, which a connection's next request nearly always makes right.
package struct AccessTokens: Sendable {
    /// What stands behind a token.
    package struct Grant: Sendable, Equatable {
        /// Nanoseconds since 1970.
        package var expiresAt: Int64
        /// Whether the scopes asked for cover sending messages.
        package var allowsMessaging: Bool

        package init(expiresAt: Int64, allowsMessaging: Bool) {
            self.expiresAt = expiresAt
            self.allowsMessaging = allowsMessaging
        }
    }

    /// Tokens of service accounts begin so.
    private static let prefix = Array("ya29.c.".utf8)
    /// The characters of a whole token: about what a sender sends with every push.
    package static let length = 200

    private let capacity: Int
    private var text: [UInt8] = []
    private var grants: [Grant] = []
    private var next = 0

    package init(capacity: Int = 1024) {
        self.capacity = capacity
        text.reserveCapacity(capacity * Self.length)
        grants.reserveCapacity(capacity)
    }

    /// Makes a token.
    ///
    /// The oldest one is forgotten when there are too many.
    package mutating func issue(_ grant: Grant, using random: inout some RandomNumberGenerator) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var token = Self.prefix
        while token.count < Self.length { token.append(alphabet[Int.random(in: 0..<64, using: &random)]) }
        if grants.count < capacity {
            grants.append(grant)
            text.append(contentsOf: token)
        } else {
            grants[next] = grant
            text.replaceSubrange(next * Self.length..<(next + 1) * Self.length, with: token)
        }
        next = (next + 1) % capacity
        return token
    }

    /// Ends all tokens given out so far, as when an account's key is taken away or its access is revoked.
    package mutating func revokeAll() {
        for index in grants.indices { grants[index].expiresAt = .min }
    }

    /// The grant behind a token; nil for one that was never issued or is forgotten.
    ///
    /// `hint` is where the caller's last token was found, and is updated.
    package func find(_ token: UnsafeRawBufferPointer, hint: inout Int) -> Grant? {
        guard token.count == Self.length else { return nil }
        return text.withUnsafeBytes { text in
            if hint < grants.count, entry(hint, of: text).equals(token) { return grants[hint] }
            for index in grants.indices where entry(index, of: text).equals(token) {
                hint = index
                return grants[index]
            }
            return nil
        }
    }

    @inline(__always)
    private func entry(_ index: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        text.part(index * Self.length, (index + 1) * Self.length)
    }
}

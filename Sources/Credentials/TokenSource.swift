import Glibc

/// The two clocks that tokens need, as functions so that tests can turn them by hand.
package struct CredentialClock: Sendable {
    /// Nanoseconds that only grow.
    package var monotonic: @Sendable () -> Int64
    /// Nanoseconds since 1970, as the host's clock should have them too.
    package var wall: @Sendable () -> Int64

    package init(monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// The system's clocks.
    package static let system = CredentialClock(
        monotonic: { read(CLOCK_MONOTONIC) },
        wall: { read(CLOCK_REALTIME) }
    )

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { preconditionFailure("clock \(clock) cannot be read") }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A bearer token fresh from its source.
///
/// Its text never shows in a description or a dump.
package struct MadeToken: Sendable, CustomStringConvertible, CustomReflectable {
    package var bytes: [UInt8]
    /// The monotonic time that its age counts from.
    package var issuedAt: Int64
    /// How long its issuer lets it live, in nanoseconds; nil where the policy knows.
    package var lifetime: Int64?
    /// How long its signature took, in nanoseconds.
    package var signingTime: Int64

    package init(bytes: [UInt8], issuedAt: Int64, lifetime: Int64?, signingTime: Int64) {
        self.bytes = bytes
        self.issuedAt = issuedAt
        self.lifetime = lifetime
        self.signingTime = signingTime
    }

    package var description: String { "token of \(bytes.count) characters" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why no token could be made.
package enum TokenFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case signing(CredentialError)
    case exchange(OAuthError)

    /// Whether trying again with the same credential is pointless.
    package var isPermanent: Bool {
        switch self {
        case .signing: true
        case .exchange(let error): error.isPermanent
        }
    }

    package var description: String {
        switch self {
        case .signing(let error): error.description
        case .exchange(let error): error.description
        }
    }
}

/// Makes the tokens of one credential; called on the credential's own thread, one call at a time.
package protocol TokenSource: Sendable {
    /// How the credential is called in results: the key id, or the service account's address.
    var name: String { get }
    /// SHA-256 of the public key: two sources with one key share one token.
    var fingerprint: String { get }
    /// Signs, and exchanges where the service wants that. Ends soon once `cancellation` is set.
    func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken
}

/// Provider tokens for APNs.
package struct ProviderTokenSource: TokenSource {
    package let key: SigningKey
    package let identity: ProviderIdentity

    package init(key: SigningKey, identity: ProviderIdentity) {
        self.key = key
        self.identity = identity
    }

    package var name: String { identity.keyID }
    package var fingerprint: String { key.fingerprint }

    package func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
        let (start, wall) = (clock.monotonic(), clock.wall())
        // The claim has whole seconds: the token is as old as the fraction that is cut off.
        let fraction = wall % 1_000_000_000
        do {
            let bytes = try ProviderToken.make(
                key: key,
                identity: identity,
                issuedAt: (wall - fraction) / 1_000_000_000
            )
            return MadeToken(
                bytes: bytes,
                issuedAt: start - fraction,
                lifetime: nil,
                signingTime: clock.monotonic() - start
            )
        } catch {
            throw .signing(error)
        }
    }
}

/// Access tokens for FCM: an assertion signed here, exchanged at the account's token endpoint.
package struct AccessTokenSource: TokenSource {
    package let account: ServiceAccount
    package let client: OAuthClient

    package init(account: ServiceAccount, client: OAuthClient) {
        self.account = account
        self.client = client
    }

    package var name: String { account.clientEmail }
    package var fingerprint: String { account.key.fingerprint }

    package func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
        let start = clock.monotonic()
        let assertion: [UInt8]
        do {
            assertion = try account.assertion(issuedAt: clock.wall() / 1_000_000_000)
        } catch {
            throw .signing(error)
        }
        // The host counts from some moment after this one, so counting from here errs on the safe side.
        let signed = clock.monotonic()
        do {
            let token = try client.exchange(assertion: assertion, at: account.tokenURI, cancellation: cancellation)
            return MadeToken(
                bytes: token.bytes,
                issuedAt: signed,
                lifetime: token.expiresIn * 1_000_000_000,
                signingTime: signed - start
            )
        } catch {
            throw .exchange(error)
        }
    }
}

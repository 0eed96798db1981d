import Credentials
import Sending

/// Looking for the token to send one push with, while the one from the push before is still good.
struct CachedToken: Benchmark {
    static let name = "credentials/cached-token"

    private let credential: Credential
    private let now: Int64

    init() throws {
        let key = try SigningKey.generate(.es256)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let store = CredentialStore()
        credential = store.credential(for: ProviderTokenSource(key: key, identity: identity), policy: .apns)
        store.start()
        now = CredentialClock.system.monotonic()
        guard try store.waitUntilReady(until: now + 10_000_000_000) else {
            throw NotReady(description: "no provider token within 10 s")
        }
        // The token stays readable.
        store.stop()
    }

    func run(_ count: Int) -> UInt64 {
        var reader = TokenReader(credential)
        var usable: UInt64 = 0
        for position in 0..<count {
            usable &+= reader.check(at: now &+ Int64(position)) != .unavailable ? 1 : 0
        }
        precondition(usable == count, "the token is not usable")
        return usable
    }

    private struct NotReady: Error, CustomStringConvertible {
        let description: String
    }
}

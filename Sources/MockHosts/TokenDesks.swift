import Credentials
import Hosts

/// Finds the standing of provider tokens, checking each token's signature once.
struct ProviderTokenDesk {
    private let verifiers: [String: VerificationKey]
    private let rules: ProviderTokenRules
    private var cache = TokenCache(capacity: 1024)
    /// How often a signature was checked.
    private(set) var checks: UInt64 = 0

    init(_ providers: [HostCredentials.Provider], rules: ProviderTokenRules) {
        verifiers = Dictionary(providers.map { ($0.key.id, $0.verifier) }) { first, _ in first }
        self.rules = rules
    }

    /// The standing of the token in a request.
    ///
    /// `place` is where the connection's last token was found, and is updated.
    mutating func standing(in request: HostRequest, place: inout Int) -> ProviderTokenStanding {
        guard let token = BearerToken.find(in: request.authorization) else { return .absent }
        if let found = cache.find(token, hint: place), let standing = cache[found] {
            place = found
            return standing
        }
        checks += 1
        let standing = rules.standing(of: facts(of: token))
        if let inserted = cache.insert(token, standing) { place = inserted }
        return standing
    }

    private func facts(of token: UnsafeRawBufferPointer) -> ProviderTokenFacts? {
        guard let parsed = try? JSONWebToken(parsing: token) else { return nil }
        let keyID = parsed.header.kid ?? ""
        return ProviderTokenFacts(
            algorithm: parsed.header.alg,
            keyID: keyID,
            teamID: parsed.claims.iss ?? "",
            issuedAt: parsed.claims.iat.map(nanoseconds),
            signature: verifiers[keyID].map { parsed.isSigned(by: $0) ? .genuine : .wrong } ?? .unknownKey,
            identity: token.hash64
        )
    }
}

/// Finds out what is in service accounts' assertions.
struct AssertionDesk {
    private let verifiers: [String: VerificationKey]

    init(_ accounts: [HostCredentials.Account]) {
        verifiers = Dictionary(accounts.map { ($0.keyID, $0.verifier) }) { first, _ in first }
    }

    /// What is in an assertion; nil for one that can't be read.
    func facts(of assertion: String) -> AssertionFacts? {
        guard let parsed = try? JSONWebToken(parsing: assertion.utf8) else { return nil }
        let keyID = parsed.header.kid ?? ""
        return AssertionFacts(
            algorithm: parsed.header.alg,
            keyID: keyID,
            issuer: parsed.claims.iss ?? "",
            subject: parsed.claims.sub ?? "",
            scope: parsed.claims.scope ?? "",
            audience: parsed.claims.aud.first ?? "",
            issuedAt: parsed.claims.iat.map(nanoseconds),
            expiresAt: parsed.claims.exp.map(nanoseconds),
            signature: verifiers[keyID].map { parsed.isSigned(by: $0) ? .genuine : .wrong } ?? .unknownKey
        )
    }
}

/// A time in seconds, which the parser keeps within a trillion, in nanoseconds; held at the ends of `Int64`.
private func nanoseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min / 2 : .max / 2)
}

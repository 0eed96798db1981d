/// Who signs provider tokens for APNs: the key's id and the team's, as Apple hands them out.
package struct ProviderIdentity: Sendable, Hashable {
    /// The `kid` header: 10 letters or digits.
    package let keyID: String
    /// The `iss` claim: 10 letters or digits.
    package let teamID: String

    /// Holds both ids against their form; `source` stands in errors for where they were given.
    package init(keyID: String, teamID: String, source: String = "APNs credential") throws(CredentialError) {
        for (name, value) in [("key id", keyID), ("team id", teamID)] where !Self.isWellFormed(value) {
            let found = value.utf8.count == Self.length ? "\"\(value)\"" : "\"\(value)\", \(value.utf8.count) long"
            throw CredentialError(
                file: source,
                fault: .badField(name, found: found, allowed: "\(Self.length) letters or digits (A-Z, 0-9)")
            )
        }
        self.keyID = keyID
        self.teamID = teamID
    }

    private static let length = 10

    private static func isWellFormed(_ id: String) -> Bool {
        id.utf8.count == length && id.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }
}

/// The JSON web token that a provider authenticates with.
///
/// Header `alg` and `kid`, claims `iss` and `iat`, and nothing else: Apple's page "Establishing a token-based
/// connection to APNs". It is valid for an hour from `iat`.
package enum ProviderToken {
    /// Makes and signs a token.
    ///
    /// - Parameters:
    ///   - issuedAt: in seconds since 1970.
    ///   - repeatably: whether the same key, ids and time are to give the same bytes again, in any process.
    package static func make(
        key: SigningKey,
        identity: ProviderIdentity,
        issuedAt: Int64,
        repeatably: Bool = false
    ) throws(CredentialError) -> [UInt8] {
        // The ids are letters and digits only, so nothing in this JSON needs an escape.
        let header = #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(identity.keyID)"}"#
        let claims = #"{"iss":"\#(identity.teamID)","iat":\#(issuedAt)}"#
        return try JSONWebToken.sign(
            header: Array(header.utf8),
            claims: Array(claims.utf8),
            key: key,
            repeatably: repeatably
        )
    }
}

/// What a look at a service account's assertion found, before anybody judged it.
package struct AssertionFacts: Sendable, Equatable {
    /// The outcome of checking the signature with the key that `kid` names.
    package enum Signature: Sendable, Equatable {
        case genuine
        case wrong
        /// No account has a key of this id.
        case unknownKey
    }

    /// The `alg` header.
    package var algorithm: String
    /// The `kid` header; empty if there is none.
    package var keyID: String
    /// The `iss` claim: the account's address.
    package var issuer: String
    /// The `sub` claim: whom the account wants to act for; empty for itself.
    package var subject: String
    /// The `scope` claim: scopes with spaces between them.
    package var scope: String
    /// The `aud` claim.
    package var audience: String
    /// The `iat` claim in nanoseconds since 1970.
    package var issuedAt: Int64?
    /// The `exp` claim in nanoseconds since 1970.
    package var expiresAt: Int64?
    package var signature: Signature

    package init(
        algorithm: String,
        keyID: String,
        issuer: String,
        subject: String = "",
        scope: String,
        audience: String,
        issuedAt: Int64?,
        expiresAt: Int64?,
        signature: Signature
    ) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.issuer = issuer
        self.subject = subject
        self.scope = scope
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.signature = signature
    }
}

/// The two signature algorithms that push services use (RFC 7518 section 3.1).
package enum JWTAlgorithm: String, Sendable, Equatable, CaseIterable {
    /// ECDSA on P-256 with SHA-256: APNs provider tokens. A signature is r and s, 32 bytes each.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256: assertions of Google service accounts.
    case rs256 = "RS256"
}

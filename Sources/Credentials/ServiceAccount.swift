import FoundationEssentials

/// A Google service account: what an FCM sender signs assertions with (AIP-4112, "JSON web tokens" of Google's
/// "Using OAuth 2.0 for Server to Server Applications").
///
/// The private key goes from the file into OpenSSL without passing through a Swift string.
package struct ServiceAccount: Sendable, CustomStringConvertible {
    package let projectID: String
    package let clientEmail: String
    /// The `kid` of its assertions.
    package let keyID: String
    /// Where an assertion is exchanged for an access token, and its audience.
    package let tokenURI: String
    package let key: SigningKey

    package var description: String { "service account \(clientEmail), \(key)" }

    /// Loads the JSON file that the Firebase console hands out.
    package static func load(_ path: String) throws(CredentialError) -> ServiceAccount {
        var text = try SecretBytes.read(file: path)
        let privateKey = JSONSecret.take("private_key", from: &text)
        let fields = try text.withBytes { (bytes) throws(CredentialError) in
            try ServiceAccountFields.decode(bytes, source: path)
        }
        return try ServiceAccount(fields, privateKey: privateKey, source: path)
    }

    package init(projectID: String, clientEmail: String, keyID: String, tokenURI: String, key: SigningKey) {
        self.projectID = projectID
        self.clientEmail = clientEmail
        self.keyID = keyID
        self.tokenURI = tokenURI
        self.key = key
    }

    private init(_ fields: ServiceAccountFields, privateKey: consuming SecretBytes?, source: String)
        throws(CredentialError)
    {
        try fields.check(source: source)
        guard let privateKey else {
            let fault = CredentialError.Fault.badField(
                "private_key",
                found: "not plain text",
                allowed: "a key in PKCS#8 PEM form"
            )
            throw CredentialError(file: source, fault: fault)
        }
        self.init(
            projectID: fields.projectID ?? "",
            clientEmail: fields.clientEmail ?? "",
            keyID: fields.privateKeyID ?? "",
            tokenURI: fields.tokenURI ?? "",
            key: try Self.key(privateKey, source: source)
        )
    }

    private static func key(_ pem: borrowing SecretBytes, source: String) throws(CredentialError) -> SigningKey {
        do {
            return try pem.withBytes { (text) throws(CredentialError) in
                try SigningKey(pem: text, algorithm: .rs256, source: source)
            }
        } catch {
            throw CredentialError(file: source, fault: .inField("private_key", error.fault))
        }
    }
}

extension ServiceAccount {
    /// What FCM's HTTP v1 interface asks for.
    package static let messagingScope = "https://www.googleapis.com/auth/firebase.messaging"

    /// Makes and signs the assertion that the token endpoint takes: RS256, valid for `lifetime` seconds (at most
    /// 3,600) from `issuedAt`, in seconds since 1970.
    package func assertion(
        issuedAt: Int64,
        lifetime: Int64 = 3_600,
        scope: String = messagingScope
    ) throws(CredentialError) -> [UInt8] {
        // Loading let no character through that would need an escape in JSON.
        let header = #"{"alg":"\#(key.algorithm.rawValue)","typ":"JWT","kid":"\#(keyID)"}"#
        let claims =
            #"{"iss":"\#(clientEmail)","scope":"\#(scope)","aud":"\#(tokenURI)","#
            + #""iat":\#(issuedAt),"exp":\#(issuedAt + lifetime)}"#
        return try JSONWebToken.sign(header: Array(header.utf8), claims: Array(claims.utf8), key: key)
    }
}

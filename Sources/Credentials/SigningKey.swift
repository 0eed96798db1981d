import COpenSSL
import Synchronization

/// A private key that signs JSON web tokens: EC P-256 for ES256, RSA for RS256.
///
/// Safe to use from any thread; signatures of one key are made one at a time. A description shows the type and
/// the first 8 characters of the fingerprint, never the key. Its memory is overwritten by OpenSSL when the last
/// reference goes.
package final class SigningKey: Sendable, CustomStringConvertible {
    /// RFC 7518 section 3.3 asks for at least 2048 bits with RS256.
    package static let minimumRSABits = 2048

    package let algorithm: JWTAlgorithm
    /// SHA-256 of the public half (SubjectPublicKeyInfo in DER), in lower-case hex.
    package let fingerprint: String

    let key: OpenSSLKey
    private let signer: Mutex<Signer>

    package var description: String { "\(algorithm.rawValue) key \(fingerprint.prefix(8))" }

    /// The half that verifies what this key signed.
    package var publicKey: VerificationKey {
        get throws(CredentialError) { try VerificationKey(key, algorithm: algorithm, source: description) }
    }

    /// Signs a message: 64 bytes r and s for ES256, as many bytes as the key has for RS256.
    ///
    /// - Parameter repeatably: whether the same message is to get the same signature again, in any process; it takes longer.
    package func sign(_ message: [UInt8], repeatably: Bool = false) throws(CredentialError) -> [UInt8] {
        let made = signer.withLock { signer in
            repeatably ? signer.signRepeatably(message) : signer.sign(message)
        }
        if let made { return made }
        throw CredentialError(file: description, fault: .openSSL(operation: "signing", reason: openSSLReason()))
    }

    /// Takes a key that fits `algorithm`; `source` stands for it in errors.
    init(_ key: OpenSSLKey, algorithm: JWTAlgorithm, source: String) throws(CredentialError) {
        try key.check(algorithm, source: source)
        guard let signer = Signer(key, algorithm: algorithm) else {
            throw CredentialError(file: source, fault: .openSSL(operation: "preparing", reason: openSSLReason()))
        }
        self.algorithm = algorithm
        self.fingerprint = key.fingerprint
        self.key = key
        self.signer = Mutex(signer)
    }
}

extension SigningKey {
    /// Loads a `.p8` file as Apple hands it out: PKCS#8 PEM with an EC key on P-256.
    package static func loadP8(_ path: String) throws(CredentialError) -> SigningKey {
        let bytes = try SecretBytes.read(file: path)
        return try bytes.withBytes { (text) throws(CredentialError) in
            try SigningKey(pem: text, algorithm: .es256, source: path)
        }
    }

    /// Decodes a PKCS#8 PEM text; `source` stands for it in errors.
    convenience init(
        pem text: UnsafeRawBufferPointer,
        algorithm: JWTAlgorithm,
        source: String
    ) throws(CredentialError) {
        if let fault = PEMOutline(text).checkPrivateKey(text) { throw CredentialError(file: source, fault: fault) }
        guard let key = OpenSSLKey(pkcs8PEM: text) else {
            throw CredentialError(file: source, fault: .undecodable(reason: openSSLReason()))
        }
        try key.check(algorithm, source: source)
        guard key.isConsistent else { throw CredentialError(file: source, fault: .inconsistentKey) }
        try self.init(key, algorithm: algorithm, source: source)
    }

    /// Makes a new key pair: P-256 for ES256, 2048 bits for RS256.
    package static func generate(_ algorithm: JWTAlgorithm) throws(CredentialError) -> SigningKey {
        let made =
            switch algorithm {
            case .es256: openssl_EVP_EC_gen("P-256")
            case .rs256: openssl_EVP_RSA_gen(minimumRSABits)
            }
        guard let made else {
            throw CredentialError(
                file: "new key",
                fault: .openSSL(operation: "key generation", reason: openSSLReason())
            )
        }
        return try SigningKey(OpenSSLKey(owning: made), algorithm: algorithm, source: "new key")
    }
}

extension OpenSSLKey {
    /// Whether the private and the public half belong together; a file may hold two that do not.
    var isConsistent: Bool {
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        let isConsistent = EVP_PKEY_pairwise_check(context) == 1
        if !isConsistent { ERR_clear_error() }
        return isConsistent
    }

    /// Refuses a key that cannot sign or verify with `algorithm`.
    func check(_ algorithm: JWTAlgorithm, source: String) throws(CredentialError) {
        switch (algorithm, typeName) {
        case (.es256, "EC"):
            guard curveName == "prime256v1" else {
                throw CredentialError(file: source, fault: .wrongCurve(found: curveName ?? "unnamed parameters"))
            }
        case (.rs256, "RSA"):
            guard bits >= SigningKey.minimumRSABits else {
                throw CredentialError(file: source, fault: .shortKey(bits: bits))
            }
        default:
            throw CredentialError(file: source, fault: .wrongKeyType(found: summary, needed: algorithm))
        }
    }

    /// Decodes the first `PRIVATE KEY` block; nil, with OpenSSL's reason queued, when its contents are no key.
    convenience init?(pkcs8PEM text: UnsafeRawBufferPointer) {
        guard let bio = BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
        defer { BIO_free(bio) }
        while true {
            guard let block = PEMBlock(next: bio) else { return nil }
            guard block.label == "PRIVATE KEY" else { continue }
            guard let pointer = block.decodePKCS8() else { return nil }
            self.init(owning: pointer)
            return
        }
    }
}

/// One decoded block as OpenSSL returns it; contents are overwritten when freed.
private struct PEMBlock: ~Copyable {
    private let name: UnsafeMutablePointer<CChar>
    private let header: UnsafeMutablePointer<CChar>?
    private let contents: UnsafeMutablePointer<UInt8>
    private let count: Int

    var label: String { String(cString: name) }

    init?(next bio: OpaquePointer) {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var contents: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio_ex(bio, &name, &header, &contents, &count, UInt32(PEM_FLAG_SECURE)) == 1,
            let name, let contents
        else { return nil }
        self.name = name
        self.header = header
        self.contents = contents
        self.count = count
    }

    deinit {
        // PEM_FLAG_SECURE makes OpenSSL allocate all three by its secure allocator, which must free them too.
        openssl_OPENSSL_secure_clear_free(name, 0)
        openssl_OPENSSL_secure_clear_free(header, 0)
        openssl_OPENSSL_secure_clear_free(contents, count)
    }

    func decodePKCS8() -> OpaquePointer? {
        var start: UnsafePointer<UInt8>? = UnsafePointer(contents)
        guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &start, count) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return EVP_PKCS82PKEY(info)
    }
}

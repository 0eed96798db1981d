import COpenSSL
import Synchronization

/// A public key that verifies JSON web tokens.
///
/// Safe to use from any thread.
package final class VerificationKey: Sendable, CustomStringConvertible {
    package let algorithm: JWTAlgorithm
    /// SHA-256 of the key (SubjectPublicKeyInfo in DER), in lower-case hex; the same as its private half's.
    package let fingerprint: String
    private let verifier: Mutex<Verifier>

    package var description: String { "\(algorithm.rawValue) public key \(fingerprint.prefix(8))" }

    init(_ key: OpenSSLKey, algorithm: JWTAlgorithm, source: String) throws(CredentialError) {
        try key.check(algorithm, source: source)
        guard let verifier = Verifier(key, algorithm: algorithm) else {
            throw CredentialError(file: source, fault: .openSSL(operation: "preparing", reason: openSSLReason()))
        }
        self.algorithm = algorithm
        self.fingerprint = key.fingerprint
        self.verifier = Mutex(verifier)
    }

    /// Decodes a public key in PEM form (`-----BEGIN PUBLIC KEY-----`); `source` stands for it in errors.
    package convenience init(
        pem text: String,
        algorithm: JWTAlgorithm,
        source: String = "public key"
    ) throws(CredentialError) {
        guard let key = OpenSSLKey(publicPEM: text) else {
            throw CredentialError(file: source, fault: .undecodable(reason: openSSLReason()))
        }
        try self.init(key, algorithm: algorithm, source: source)
    }

    /// Whether `signature`, in its JWS form, is this key's for `message`.
    ///
    /// False for a signature of the wrong length or shape too: a stranger's bytes are data, not an error.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let isValid = verifier.withLock { verifier in verifier.verify(signature, of: message) }
        if !isValid { ERR_clear_error() }
        return isValid
    }
}

/// The OpenSSL contexts of one verification key, prepared once.
private struct Verifier: ~Copyable {
    private let key: OpenSSLKey
    private let context: OpaquePointer
    private let digest: MessageDigest
    private let algorithm: JWTAlgorithm

    init?(_ key: OpenSSLKey, algorithm: JWTAlgorithm) {
        guard let digest = MessageDigest(), let context = EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        guard EVP_PKEY_verify_init(context) == 1, prepare(context, for: algorithm) else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        self.key = key
        self.context = context
        self.digest = digest
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_CTX_free(context) }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let encoded = encode(signature) else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: MessageDigest.count) { hash in
            guard let hashed = hash.baseAddress, digest.write(message, into: hashed) else { return false }
            return EVP_PKEY_verify(context, encoded, encoded.count, hashed, MessageDigest.count) == 1
        }
    }

    private func encode(_ signature: [UInt8]) -> [UInt8]? {
        switch algorithm {
        case .es256: signature.withUnsafeBytes { ECDSASignature.der(raw: $0) }
        case .rs256: signature
        }
    }
}

extension OpenSSLKey {
    /// Decodes a `PUBLIC KEY` block; nil, with OpenSSL's reason queued, when there is none.
    convenience init?(publicPEM text: String) {
        var text = text
        let key = text.withUTF8 { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        }
        guard let key else { return nil }
        self.init(owning: key)
    }

    /// The public half in PEM form; empty when OpenSSL cannot write it.
    var publicPEM: String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PUBKEY(bio, pointer) == 1 else {
            ERR_clear_error()
            return ""
        }
        var start: UnsafeMutablePointer<CChar>?
        let count = openssl_BIO_get_mem_data(bio, &start)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

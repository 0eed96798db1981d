import COpenSSL

/// SHA-256 of a message, in a context that is made once: looking the digest up anew costs more than the digest.
struct MessageDigest: ~Copyable {
    static let count = 32
    private let context: OpaquePointer

    init?() {
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex2(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Writes 32 bytes; false when OpenSSL refuses.
    func write(_ message: [UInt8], into digest: UnsafeMutablePointer<UInt8>) -> Bool {
        EVP_DigestInit_ex2(context, nil, nil) == 1
            && EVP_DigestUpdate(context, message, message.count) == 1
            && EVP_DigestFinal_ex(context, digest, nil) == 1
    }
}

/// The OpenSSL contexts of one signing key, prepared once and used for every signature.
///
/// Not for two threads at once: `SigningKey` keeps it behind its lock.
struct Signer: ~Copyable {
    private let key: OpenSSLKey
    private let context: OpaquePointer
    private let digest: MessageDigest
    private let algorithm: JWTAlgorithm

    init?(_ key: OpenSSLKey, algorithm: JWTAlgorithm) {
        guard let digest = MessageDigest(), let context = EVP_PKEY_CTX_new(key.pointer, nil) else { return nil }
        guard EVP_PKEY_sign_init(context) == 1, prepare(context, for: algorithm) else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        self.key = key
        self.context = context
        self.digest = digest
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_CTX_free(context) }

    /// The signature in its JWS form; nil, with OpenSSL's reason queued, when it refuses.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        let longest = Int(EVP_PKEY_get_size(key.pointer))
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: MessageDigest.count) { hash -> [UInt8]? in
            guard let hashed = hash.baseAddress, digest.write(message, into: hashed) else { return nil }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { output -> [UInt8]? in
                var count = longest
                guard EVP_PKEY_sign(context, output.baseAddress, &count, hashed, MessageDigest.count) == 1 else {
                    return nil
                }
                return encode(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count]))
            }
        }
    }

    /// The same for one and the same message; for ES256 only, since RS256 always is.
    func signRepeatably(_ message: [UInt8]) -> [UInt8]? {
        guard algorithm == .es256 else { return sign(message) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: MessageDigest.count) { hash -> [UInt8]? in
            guard let hashed = hash.baseAddress, digest.write(message, into: hashed),
                let signer = RepeatableSigner(key)
            else { return nil }
            return signer.sign(UnsafeRawBufferPointer(hash))
        }
    }

    private func encode(_ signature: UnsafeRawBufferPointer) -> [UInt8]? {
        guard algorithm == .es256 else { return Array(signature) }
        var raw = [UInt8](repeating: 0, count: ECDSASignature.rawCount)
        return raw.withUnsafeMutableBytes { ECDSASignature.writeRaw(der: signature, into: $0) } ? raw : nil
    }
}

/// Sets the padding and digest that RS256 needs; ES256 needs nothing.
func prepare(_ context: OpaquePointer, for algorithm: JWTAlgorithm) -> Bool {
    switch algorithm {
    case .es256:
        true
    case .rs256:
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
            && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
    }
}

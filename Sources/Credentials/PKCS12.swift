import COpenSSL

/// A client certificate with its private key in one file (RFC 7292), as APNs' certificates are handed around.
enum PKCS12 {
    /// Writes both under an empty password, mode 0600.
    static func write(
        certificate: Certificate,
        key: OpenSSLKey,
        name: String,
        to path: String
    ) throws(CredentialError) {
        // The zeros ask for OpenSSL's defaults: PBES2 with AES-256 and its iteration counts.
        guard let container = PKCS12_create("", name, key.pointer, certificate.pointer, nil, 0, 0, 0, 0, 0) else {
            throw CredentialError(file: path, fault: .openSSL(operation: "making a .p12", reason: openSSLReason()))
        }
        defer { PKCS12_free(container) }
        let bytes = SecretBIO()
        guard i2d_PKCS12_bio(bytes.bio, container) == 1 else {
            throw CredentialError(file: path, fault: .openSSL(operation: "writing a .p12", reason: openSSLReason()))
        }
        try bytes.write(to: path)
    }

    /// Reads the certificate of a file that has its private key too.
    static func read(file path: String, password: UnsafePointer<CChar>) throws(CredentialError) -> Certificate {
        let bytes = try SecretBytes.read(file: path)
        let fault: CredentialError.Fault?
        var (key, certificate): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        fault = bytes.withBytes { bytes in
            var start = bytes.bindMemory(to: UInt8.self).baseAddress
            guard let container = d2i_PKCS12(nil, &start, bytes.count) else {
                return .notCertificate(reason: openSSLReason())
            }
            defer { PKCS12_free(container) }
            guard PKCS12_parse(container, password, &key, &certificate, nil) == 1 else {
                let isLocked = PKCS12_verify_mac(container, password, -1) != 1
                let reason = openSSLReason()
                return isLocked ? .wrongPassword : .notCertificate(reason: reason)
            }
            return nil
        }
        if let fault { throw CredentialError(file: path, fault: fault) }
        let hasKey = key != nil
        EVP_PKEY_free(key)
        guard let certificate else {
            throw CredentialError(file: path, fault: .notCertificate(reason: "no certificate"))
        }
        let owned = Certificate(owning: certificate)
        guard hasKey else { throw CredentialError(file: path, fault: .notCertificate(reason: "no private key")) }
        return owned
    }
}

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

    /// Reads the certificate of a file written by `write`.
    static func readCertificate(file path: String) throws(CredentialError) -> Certificate {
        let bytes = try SecretBytes.read(file: path)
        let certificate = bytes.withBytes { bytes -> OpaquePointer? in
            var start = bytes.bindMemory(to: UInt8.self).baseAddress
            guard let container = d2i_PKCS12(nil, &start, bytes.count) else { return nil }
            defer { PKCS12_free(container) }
            var (key, certificate): (OpaquePointer?, OpaquePointer?) = (nil, nil)
            guard PKCS12_parse(container, "", &key, &certificate, nil) == 1 else { return nil }
            EVP_PKEY_free(key)
            return certificate
        }
        guard let certificate else {
            throw CredentialError(file: path, fault: .notCertificate(reason: openSSLReason()))
        }
        return Certificate(owning: certificate)
    }
}

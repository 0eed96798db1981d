import COpenSSL

/// Owner of an X.509 certificate.
///
/// Never changed after it was made or read, which `@unchecked Sendable` rests on.
final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// Reads the first certificate of a PEM file.
    static func read(file path: String) throws(CredentialError) -> Certificate {
        let text = try SecretBytes.read(file: path)
        let pointer = text.withBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_X509(bio, nil, nil, nil)
        }
        guard let pointer else { throw CredentialError(file: path, fault: .notCertificate(reason: openSSLReason())) }
        return Certificate(owning: pointer)
    }

    /// Writes it as PEM, with a private key behind it if there is one.
    func write(with key: OpenSSLKey? = nil, to path: String) throws(CredentialError) {
        let text = SecretBIO()
        let isWritten =
            PEM_write_bio_X509(text.bio, pointer) == 1
            && (key.map { PEM_write_bio_PKCS8PrivateKey(text.bio, $0.pointer, nil, nil, 0, nil, nil) == 1 } ?? true)
        guard isWritten else {
            throw CredentialError(
                file: path,
                fault: .openSSL(operation: "writing a certificate", reason: openSSLReason())
            )
        }
        try text.write(to: path)
    }

    /// Whether it is valid now and will be for so many seconds more.
    func isValid(forSeconds seconds: Int) -> Bool {
        var later = time(nil) + seconds
        return X509_cmp_current_time(X509_get0_notBefore(pointer)) < 0
            && X509_cmp_time(X509_get0_notAfter(pointer), &later) > 0
    }

    /// Whether `authority` signed it.
    func isIssued(by authority: Certificate) -> Bool {
        let isSigned =
            X509_check_issued(authority.pointer, pointer) == X509_V_OK
            && X509_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
        if !isSigned { ERR_clear_error() }
        return isSigned
    }

    /// Whether `key` is the private half of its key.
    func belongs(to key: OpenSSLKey) -> Bool {
        let belongs = X509_check_private_key(pointer, key.pointer) == 1
        if !belongs { ERR_clear_error() }
        return belongs
    }

    /// Whether both are the same certificate.
    func isSame(as other: Certificate) -> Bool { X509_cmp(pointer, other.pointer) == 0 }

    /// The subject's UID; nil if it has none.
    var userID: String? {
        let name = X509_get_subject_name(pointer)
        let index = X509_NAME_get_index_by_NID(name, NID_userId, -1)
        guard index >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)) else { return nil }
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it has an extension, given by its number with dots.
    func hasExtension(_ number: String) -> Bool {
        guard let object = OBJ_txt2obj(number, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(pointer, object, -1) >= 0
    }

    /// Whether a client that connects to `name` (a host name or an address) will accept it.
    func covers(_ name: String) -> Bool {
        SubjectName(name).isAddress
            ? X509_check_ip_asc(pointer, name, 0) == 1 : X509_check_host(pointer, name, 0, 0, nil) == 1
    }
}

/// A name that a server answers to, as a subjectAltName holds it.
struct SubjectName {
    let text: String

    init(_ text: String) { self.text = text }

    var isAddress: Bool { text.contains(":") || text.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) } }

    /// Only letters, digits and `-.:`, so that nothing in it changes the meaning of `entry`.
    var isWellFormed: Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "-.:".utf8.contains($0)
            }
    }

    /// In the notation of x509v3_config(5).
    var entry: String { (isAddress ? "IP:" : "DNS:") + text }
}

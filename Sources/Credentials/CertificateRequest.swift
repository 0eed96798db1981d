import COpenSSL

/// What a new certificate is to say; `issue` makes it.
struct CertificateRequest {
    /// Fields of the subject with their short names in OpenSSL: `CN`, `UID`, ...
    var subject: [(field: String, value: String)]
    /// Extensions in the notation of x509v3_config(5), in the order they are added.
    var extensions: [(identifier: Int32, value: String)]
    /// Further extensions by their numbers, with nothing in them: that they are there says it.
    var markers: [String] = []
    var days: Int
    /// How many days ago it became valid.
    var daysPast = 1

    /// A root that signs others (RFC 5280 section 4.2.1.9).
    static func authority(name: String, days: Int) -> CertificateRequest {
        CertificateRequest(
            subject: [("O", "pushbench"), ("CN", name)],
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ],
            days: days
        )
    }

    /// A leaf for TLS; `purpose` is `serverAuth` or `clientAuth`.
    static func leaf(
        subject: [(field: String, value: String)],
        purpose: String,
        names: [String],
        days: Int
    ) -> CertificateRequest {
        var request = CertificateRequest(
            subject: subject,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, purpose),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"),
            ],
            days: days
        )
        if !names.isEmpty {
            request.extensions.append(
                (NID_subject_alt_name, names.map { SubjectName($0).entry }.joined(separator: ","))
            )
        }
        return request
    }

    /// Makes and signs a certificate for `key`; without an issuer it signs itself.
    ///
    /// It is valid from a day ago at least, so that a client whose clock is behind takes it too.
    func issue(
        for key: OpenSSLKey,
        by issuer: (certificate: Certificate, key: OpenSSLKey)? = nil
    ) throws(CredentialError) -> Certificate {
        guard let pointer = X509_new() else { throw Self.refused("making a certificate") }
        let certificate = Certificate(owning: pointer)
        let authority = issuer?.certificate ?? certificate
        let isFilled =
            X509_set_version(pointer, 2) == 1 && setSerialNumber(pointer)
            && X509_time_adj_ex(X509_getm_notBefore(pointer), Int32(-daysPast), 0, nil) != nil
            && X509_time_adj_ex(X509_getm_notAfter(pointer), Int32(days), 0, nil) != nil
            && X509_set_pubkey(pointer, key.pointer) == 1 && setSubject(pointer)
            && X509_set_issuer_name(pointer, X509_get_subject_name(authority.pointer)) == 1
            && addExtensions(pointer, issuer: authority.pointer)
            && X509_sign(pointer, (issuer?.key ?? key).pointer, EVP_sha256()) > 0
        guard isFilled else { throw Self.refused("signing a certificate") }
        return certificate
    }

    private func setSerialNumber(_ certificate: OpaquePointer) -> Bool {
        var number: UInt64 = 0
        guard withUnsafeMutableBytes(of: &number, { RAND_bytes($0.baseAddress, Int32($0.count)) }) == 1 else {
            return false
        }
        // Positive, and never 0 (RFC 5280 section 4.1.2.2).
        return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number >> 1 | 1) == 1
    }

    private func setSubject(_ certificate: OpaquePointer) -> Bool {
        let name = X509_get_subject_name(certificate)
        return subject.allSatisfy { entry in
            X509_NAME_add_entry_by_txt(name, entry.field, MBSTRING_UTF8, entry.value, -1, -1, 0) == 1
        }
    }

    private func addExtensions(_ certificate: OpaquePointer, issuer: OpaquePointer) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        return extensions.allSatisfy { entry in
            guard let made = X509V3_EXT_conf_nid(nil, &context, entry.identifier, entry.value) else { return false }
            defer { X509_EXTENSION_free(made) }
            return X509_add_ext(certificate, made, -1) == 1
        }
            && markers.allSatisfy { addMarker($0, to: certificate, &context) }
    }

    private func addMarker(_ number: String, to certificate: OpaquePointer, _ context: inout X509V3_CTX) -> Bool {
        // 05 00 is NULL.
        guard let made = X509V3_EXT_nconf(nil, &context, number, "DER:05:00") else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(certificate, made, -1) == 1
    }

    static func refused(_ operation: String) -> CredentialError {
        CredentialError(file: "new certificate", fault: .openSSL(operation: operation, reason: openSSLReason()))
    }
}

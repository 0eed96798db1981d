import COpenSSL

/// What a client's certificate says about it; that a trusted CA signed it was checked in the handshake.
package struct PeerCertificate: Sendable, Equatable {
    /// The subject as RFC 2253 writes it, `CN=...,UID=com.example.app`.
    package let subject: String
    /// The subject's UID; nil if it has none.
    package let userID: String?
    /// The numbers of its extensions with dots between, as many as there are.
    package let extensions: [String]

    /// Reads from a certificate, which stays the caller's; nil where OpenSSL cannot print its subject.
    init?(_ certificate: OpaquePointer) {
        let name = X509_get_subject_name(certificate)
        guard let subject = Self.print(name) else { return nil }
        self.subject = subject
        userID = Self.text(of: NID_userId, in: name)
        extensions = (0..<max(0, X509_get_ext_count(certificate)))
            .compactMap { index in
                Self.number(of: X509_EXTENSION_get_object(X509_get_ext(certificate, index)))
            }
    }

    private static func print(_ name: OpaquePointer?) -> String? {
        guard let text = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(text) }
        guard X509_NAME_print_ex(text, name, 0, openssl_XN_FLAG_RFC2253) >= 0 else { return nil }
        return read(capacity: 4096) { buffer in BIO_read(text, buffer.baseAddress, Int32(buffer.count)) }
    }

    private static func text(of identifier: Int32, in name: OpaquePointer?) -> String? {
        let index = X509_NAME_get_index_by_NID(name, identifier, -1)
        guard index >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)) else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, value)
        defer { openssl_OPENSSL_free(bytes) }
        guard count >= 0, let bytes else { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    private static func number(of object: OpaquePointer?) -> String? {
        // 1: digits even where OpenSSL knows a name. The count is what the whole text needs.
        read(capacity: 128) { buffer in min(OBJ_obj2txt(buffer.baseAddress, Int32(buffer.count), object, 1), 127) }
    }

    /// The characters that `fill` puts into a buffer, as many as it says.
    private static func read(
        capacity: Int,
        _ fill: (UnsafeMutableBufferPointer<CChar>) -> Int32
    ) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            let count = fill(buffer)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(count)), as: UTF8.self)
        }
    }
}

extension TLSSocket {
    /// The certificate that the client showed in its handshake; nil if it showed none.
    package var peerCertificate: PeerCertificate? {
        SSL_get0_peer_certificate(ssl).flatMap(PeerCertificate.init)
    }
}

import COpenSSL
import Glibc

extension TLSContext {
    /// Trusts the roots in `caFile`, or the system's.
    func trust(caFile: String?) throws(TransportError) {
        guard let caFile else {
            guard SSL_CTX_set_default_verify_paths(raw) == 1 else { throw .tls(reason: openSSLReason()) }
            return
        }
        try checkReadable(caFile)
        guard SSL_CTX_load_verify_locations(raw, caFile, nil) == 1 else {
            throw .file(path: caFile, reason: "not a PEM file of CA certificates (\(openSSLReason()))")
        }
    }

    /// Loads certificate, chain and key, and checks that the key belongs to the certificate.
    func use(_ identity: Identity) throws(TransportError) {
        switch identity {
        case .pem(let certificate, let key): try usePEM(certificate: certificate, key: key)
        }
    }

    private func usePEM(certificate: String, key: String) throws(TransportError) {
        try checkReadable(certificate)
        try checkReadable(key)
        guard SSL_CTX_use_certificate_chain_file(raw, certificate) == 1 else {
            throw .file(path: certificate, reason: "not a PEM certificate (\(openSSLReason()))")
        }
        guard SSL_CTX_use_PrivateKey_file(raw, key, SSL_FILETYPE_PEM) == 1 else {
            throw .file(path: key, reason: "not the PEM private key of the certificate (\(openSSLReason()))")
        }
        guard SSL_CTX_check_private_key(raw) == 1 else {
            throw .file(path: key, reason: "the key does not belong to the certificate in \(certificate)")
        }
    }

    /// The same from a PKCS#12 file.
    func useP12(_ path: String, password: UnsafePointer<CChar>) throws(TransportError) {
        try checkReadable(path)
        guard let file = BIO_new_file(path, "rb") else { throw .file(path: path, reason: openSSLReason()) }
        defer { BIO_free(file) }
        guard let archive = d2i_PKCS12_bio(file, nil) else {
            throw .file(path: path, reason: "not a PKCS#12 file (\(openSSLReason()))")
        }
        defer { PKCS12_free(archive) }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var chain: OpaquePointer?
        guard PKCS12_parse(archive, password, &key, &certificate, &chain) == 1 else {
            throw .file(path: path, reason: "wrong password, or an unsupported cipher (\(openSSLReason()))")
        }
        // The context takes references of its own; these are ours.
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
            openssl_sk_X509_pop_free(chain)
        }
        guard let key, let certificate else {
            throw .file(path: path, reason: "it must hold a certificate and its private key")
        }
        guard SSL_CTX_use_certificate(raw, certificate) == 1, SSL_CTX_use_PrivateKey(raw, key) == 1 else {
            throw .file(path: path, reason: openSSLReason())
        }
        for index in 0..<max(0, openssl_sk_X509_num(chain)) {
            guard openssl_SSL_CTX_add1_chain_cert(raw, openssl_sk_X509_value(chain, index)) == 1 else {
                throw .file(path: path, reason: openSSLReason())
            }
        }
    }

    /// OpenSSL's words for a missing file are roundabout; the C library's are not.
    private func checkReadable(_ path: String) throws(TransportError) {
        ERR_clear_error()
        guard access(path, R_OK) == 0 else { throw .file(path: path, reason: errorText(errno)) }
    }
}

/// The oldest reason in this thread's OpenSSL error queue, which is the cause of the others; empties the queue.
func openSSLReason() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    return openSSLText(code)
}

/// OpenSSL's words for an error code.
func openSSLText(_ code: UInt) -> String {
    guard code != 0 else { return "no reason given" }
    if let text = ERR_reason_error_string(code) { return String(cString: text) }
    return "OpenSSL error \(code)"
}

import COpenSSL
import Glibc

/// What all TLS connections of one kind share: certificates, trust, protocols, ciphers.
///
/// It never changes after it was made, so any number of threads may use one.
package final class TLSContext: @unchecked Sendable {
    /// Which end of the connection we are.
    package enum Side: Sendable {
        case client
        case server
    }

    /// An application protocol by its ALPN name (RFC 7301).
    package enum ApplicationProtocol: String, Sendable, CaseIterable {
        case http2 = "h2"
        case http11 = "http/1.1"
    }

    /// Certificate and key that prove who we are.
    package enum Identity: Sendable {
        /// PEM files: the certificate with its chain after it, and the private key.
        case pem(certificate: String, key: String)
    }

    package let side: Side

    /// The protocols that we offer or select, best first.
    package let protocols: [ApplicationProtocol]

    /// OpenSSL's context, made once and freed in `deinit`.
    ///
    /// SSL_CTX counts its references itself and locks where it must; after `init` we
    /// only call SSL_new(3) on it. That is why this class may be `Sendable`.
    let raw: OpaquePointer

    /// The names of `protocols` in ALPN's wire form.
    ///
    /// The server's callback reads it by address, so it lives in a
    /// heap block of its own until `deinit`.
    private let wireNames: UnsafeMutablePointer<ALPNNames>

    /// A context for connecting.
    ///
    /// The server's certificate is always verified, against `caFile` or else the system's roots.
    /// - Parameters:
    ///   - caFile: PEM file of the only roots to trust; nil for the system's.
    ///   - protocols: Offered by ALPN. The server must select one of them, or the handshake fails.
    ///   - identity: The client certificate, for servers that ask for one.
    /// - Returns: A context for any number of connections.
    /// - Throws: `.file` for a file that cannot be used.
    package static func client(
        caFile: String?,
        protocols: [ApplicationProtocol] = [.http2],
        identity: Identity? = nil
    ) throws(TransportError) -> TLSContext {
        precondition(!protocols.isEmpty, "a client must offer a protocol")
        let context = try TLSContext(.client, protocols)
        try context.trust(caFile: caFile)
        SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil)
        if let identity { try context.use(identity) }
        return context
    }

    /// A context for connecting with a client certificate from a PKCS#12 file, as Apple hands out push certificates.
    ///
    /// - Parameter password: may be empty; a pointer for the call only, so that no copy stays behind in a `String`.
    package static func client(
        caFile: String?,
        protocols: [ApplicationProtocol] = [.http2],
        p12 path: String,
        password: UnsafePointer<CChar>
    ) throws(TransportError) -> TLSContext {
        let context = try client(caFile: caFile, protocols: protocols)
        try context.useP12(path, password: password)
        return context
    }

    /// A context for accepting.
    ///
    /// - Parameters:
    ///   - identity: The server certificate.
    ///   - protocols: Selected from, by our order. A client that offers ALPN but none of them is refused with the
    ///     alert no_application_protocol; one without ALPN is accepted with no protocol selected.
    ///   - clientCAFile: Asks clients for a certificate by this CA; nil asks for none.
    ///   - requiresClientCertificate: Refuses a client that has no certificate to show.
    /// - Returns: A context for any number of connections.
    /// - Throws: `.file` for a file that cannot be used.
    package static func server(
        identity: Identity,
        protocols: [ApplicationProtocol] = [.http2],
        clientCAFile: String? = nil,
        requiresClientCertificate: Bool = false
    ) throws(TransportError) -> TLSContext {
        let context = try TLSContext(.server, protocols)
        try context.use(identity)
        if let clientCAFile {
            try context.trust(caFile: clientCAFile)
            // The authorities of clients are no part of our own chain, which OpenSSL would complete from among them.
            _ = openssl_SSL_CTX_set_mode(context.raw, Int(SSL_MODE_NO_AUTO_CHAIN))
            // Clients with several certificates choose by the names of the authorities that we trust.
            SSL_CTX_set_client_CA_list(context.raw, SSL_load_client_CA_file(clientCAFile))
            let required = requiresClientCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
            SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER | required, nil)
        }
        return context
    }

    private init(_ side: Side, _ protocols: [ApplicationProtocol]) throws(TransportError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(side == .client ? TLS_client_method() : TLS_server_method()) else {
            throw .tls(reason: openSSLReason())
        }
        self.side = side
        self.protocols = protocols
        self.raw = raw
        wireNames = .allocate(capacity: 1)
        wireNames.initialize(to: ALPNNames(protocols))
        // OpenSSL writes with write(2), which would end the process when the peer has gone.
        signal(SIGPIPE, SIG_IGN)
        try setOptions()
        try setProtocols()
    }

    deinit {
        // First the context, whose callback holds the address of the names.
        SSL_CTX_free(raw)
        wireNames.deinitialize(count: 1)
        wireNames.deallocate()
    }

    private func setOptions() throws(TransportError) {
        // One record per call, so that a socket buffer that fills up stops us early; and the caller may move the
        // bytes of a blocked write (the same bytes must come first again).
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        _ = openssl_SSL_CTX_set_mode(raw, Int(modes))
        // SSL_MODE_RELEASE_BUFFERS stays off: it would save about 34 KiB per idle connection, but costs two allocations
        // and about 1 µs (a tenth) per small exchange.
        // One read(2) brings in the whole record, or several, instead of header and body apart.
        openssl_SSL_CTX_set_read_ahead(raw, 1)
        // Every connection makes a full handshake, so that handshake times mean the same each time; tickets would
        // only be bytes that nobody uses.
        _ = openssl_SSL_CTX_set_session_cache_mode(raw, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_options(raw, openssl_SSL_OP_NO_TICKET | openssl_SSL_OP_CIPHER_SERVER_PREFERENCE)
        // RFC 9113, 9.2.1 forbids renegotiation under HTTP/2.
        SSL_CTX_set_options(raw, openssl_SSL_OP_NO_RENEGOTIATION)
        guard SSL_CTX_set_num_tickets(raw, 0) == 1,
            openssl_SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1,
            // RFC 9113, 9.2.2 forbids HTTP/2 over TLS 1.2 suites other than ephemeral ones with AEAD.
            SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
            // The cheapest where there is AES hardware comes first; a server's order decides.
            SSL_CTX_set_ciphersuites(
                raw,
                "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
            ) == 1,
            openssl_SSL_CTX_set1_groups_list(raw, "X25519:P-256:P-384") == 1
        else { throw .tls(reason: openSSLReason()) }
    }

    private func setProtocols() throws(TransportError) {
        switch side {
        case .client:
            // Unlike most of OpenSSL, 0 means success here.
            let names = wireNames.pointee.bytes
            guard SSL_CTX_set_alpn_protos(raw, names, UInt32(names.count)) == 0 else {
                throw .tls(reason: openSSLReason())
            }
        case .server where !protocols.isEmpty:
            SSL_CTX_set_alpn_select_cb(raw, selectProtocol, wireNames)
        case .server:
            break
        }
    }
}

/// Names of protocols as ALPN sends them: each after its length (RFC 7301, 3.1).
private struct ALPNNames {
    let bytes: [UInt8]

    init(_ protocols: [TLSContext.ApplicationProtocol]) {
        bytes = protocols.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
    }
}

/// Selects the first of our protocols that the client offers; refuses the handshake when there is none.
///
/// `argument` is the context's `wireNames`. The name handed back through `selected` must stay valid until OpenSSL has
/// copied it, right after the callback: it points into the client's own list.
private func selectProtocol(
    _: OpaquePointer?,
    selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    selectedLength: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?,
    offeredLength: UInt32,
    argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let argument, let offered, let selected, let selectedLength else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let client = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    let ours = argument.assumingMemoryBound(to: ALPNNames.self).pointee.bytes
    var place = 0
    while place < ours.count {
        let name = ours[place + 1..<place + 1 + Int(ours[place])]
        if let found = find(name, in: client) {
            selected.pointee = UnsafePointer(offered + found)
            selectedLength.pointee = UInt8(name.count)
            return SSL_TLSEXT_ERR_OK
        }
        place += 1 + name.count
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// Where `name` begins in a list in ALPN's wire form; nil when it is not in it.
private func find(_ name: ArraySlice<UInt8>, in list: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = 0
    while place < list.count {
        let length = Int(list[place])
        guard place + 1 + length <= list.count else { return nil }
        if list[place + 1..<place + 1 + length].elementsEqual(name) { return place + 1 }
        place += 1 + length
    }
    return nil
}

import COpenSSL
import Glibc

extension TLSSocket {
    /// Makes the verification demand a certificate for `name` and, for a DNS name, sends it as SNI.
    func expectCertificate(for name: String) throws(TransportError) {
        if let literal = SocketAddress(literal: name, port: 0) {
            // RFC 6066, 3: an address in digits is not allowed as SNI.
            guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), literal.host) == 1 else {
                throw .tls(reason: openSSLReason())
            }
        } else {
            guard SSL_set1_host(ssl, name) == 1, openssl_SSL_set_tlsext_host_name(ssl, name) == 1 else {
                throw .tls(reason: openSSLReason())
            }
        }
    }

    /// Takes the connection one step further towards open.
    ///
    /// Call it when the poller reports readiness; calling it early is harmless. Once `.done`, it stays so.
    package func handshake() -> HandshakeResult {
        switch stage {
        case .open: return .done
        case .ended: return .failed
        case .handshaking: return negotiate()
        case .tunnelling: return goThroughProxy()
        case .connecting:
            do throws(TransportError) {
                guard try connectionIsOpen(descriptor, to: peer) else { return wants(.write) }
            } catch {
                return fail(error)
            }
            timings.connected = MonotonicClock.now()
            stage = .tunnelling
            return goThroughProxy()
        }
    }

    /// Has the way to the server opened, where it leads through a proxy.
    private func goThroughProxy() -> HandshakeResult {
        do throws(TransportError) {
            if let interest = try tunnel?.advance(on: descriptor, proxy: peer) { return wants(interest) }
        } catch {
            return fail(error)
        }
        tunnel = nil
        stage = .handshaking
        return negotiate()
    }

    /// The protocol that ALPN selected; nil when none was.
    package var applicationProtocol: TLSContext.ApplicationProtocol? {
        guard let name = selectedProtocol else { return nil }
        return TLSContext.ApplicationProtocol(rawValue: name)
    }

    private func negotiate() -> HandshakeResult {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        let code = errno
        if result == 1 { return finish() }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return wants(.read)
        // A server waits for the client's next message while its own flight still fills the buffer, so it has to
        // hear of both.
        case SSL_ERROR_WANT_WRITE: return wants([.read, .write])
        case SSL_ERROR_SYSCALL: return fail(lost(errno: code))
        case SSL_ERROR_SSL: return fail(refusal())
        case SSL_ERROR_ZERO_RETURN: return fail(.closedWithoutNotice)
        case let other: preconditionFailure("SSL_do_handshake cannot come to SSL_get_error \(other) here")
        }
    }

    private func finish() -> HandshakeResult {
        if context.side == .client, applicationProtocol.map(context.protocols.contains) != true {
            return fail(protocolFailure)
        }
        timings.secured = MonotonicClock.now()
        stage = .open
        return .done
    }

    private func wants(_ interest: Poller.Interest) -> HandshakeResult {
        handshakeInterest = interest
        return .wants(interest)
    }

    private func fail(_ error: TransportError) -> HandshakeResult {
        stage = .ended
        failure = error
        return .failed
    }

    private var protocolFailure: TransportError {
        let offered = context.protocols.map(\.rawValue).joined(separator: ", ")
        return .protocolNotSelected(offered: offered, selected: selectedProtocol ?? "nothing was")
    }

    private var selectedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// Why OpenSSL gave the handshake up, from its error queue.
    private func refusal() -> TransportError {
        let code = ERR_get_error()
        ERR_clear_error()
        switch openssl_ERR_GET_REASON(code) {
        case SSL_R_CERTIFICATE_VERIFY_FAILED:
            let reason = String(cString: X509_verify_cert_error_string(SSL_get_verify_result(ssl)))
            return .certificateRejected(name: serverName.isEmpty ? peer.description : serverName, reason: reason)
        // A server that speaks none of what we offered says so by this alert (RFC 7301, 3.2).
        case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL where context.side == .client:
            return protocolFailure
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: return .closedWithoutNotice
        default: return .tls(reason: openSSLText(code))
        }
    }

    /// What SSL_ERROR_SYSCALL means: the socket's errno, or an end without notice when there is none.
    func lost(errno code: Int32) -> TransportError {
        ERR_clear_error()
        return code == 0 ? .closedWithoutNotice : TransportError(call: "read or write", code: code, address: peer)
    }
}

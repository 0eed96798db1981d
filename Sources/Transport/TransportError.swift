import Glibc

/// Why a socket, a name, a TLS handshake or a child process failed: the environment's fault or the peer's.
///
/// `description` is one clear line for people. `label` is one word of a small fixed set for results, never with a
/// name, address or number in it. Would-block is never an error here; it is a result.
package enum TransportError: Error, Equatable, Sendable {
    /// Nobody listens at the address. The corresponding C error is `ECONNREFUSED`.
    case connectionRefused(address: String)
    /// The peer tore the connection down (`ECONNRESET`, `EPIPE`).
    case connectionReset
    /// The peer ended the TCP stream without TLS's close_notify, so the data may be cut short (RFC 8446, 6.1).
    case closedWithoutNotice
    /// A time limit ran out; `what` says which.
    case timedOut(what: String)
    /// No route to the address (`ENETUNREACH`, `EHOSTUNREACH`).
    case unreachable(address: String)
    /// The name could not be turned into an address.
    case nameNotResolved(host: String, reason: String)
    /// Another process listens there (`EADDRINUSE`).
    case addressInUse(address: String)
    /// The address cannot be listened on: not ours, or not allowed.
    case addressRefused(address: String, reason: String)
    /// The process or the machine has no descriptor left (`EMFILE`, `ENFILE`).
    case tooManyDescriptors
    /// The peer's certificate does not hold against the CA or the name.
    case certificateRejected(name: String, reason: String)
    /// The peer does not speak `h2` by ALPN (RFC 7301).
    case protocolNotSelected(offered: String, selected: String)
    /// The proxy does not open the way to the server.
    case proxyRefused(address: String, reason: String)
    /// Another TLS failure, in OpenSSL's words.
    case tls(reason: String)
    /// A certificate, key or CA file that cannot be used.
    case file(path: String, reason: String)
    /// A child process could not be started, or ended before it was ready.
    case child(path: String, reason: String)
    /// Any other system call's failure.
    case system(call: String, code: Int32)

    init(call: StaticString, code: Int32) {
        self =
            switch code {
            case ECONNRESET, EPIPE: .connectionReset
            case EMFILE, ENFILE: .tooManyDescriptors
            default: .system(call: "\(call)", code: code)
            }
    }

    /// The failure of a call that concerns `address`.
    init(call: StaticString, code: Int32, address: SocketAddress) {
        self =
            switch code {
            case ECONNREFUSED: .connectionRefused(address: address.description)
            case ENETUNREACH, EHOSTUNREACH: .unreachable(address: address.description)
            case ETIMEDOUT: .timedOut(what: "connecting to \(address)")
            case EADDRINUSE: .addressInUse(address: address.description)
            case EADDRNOTAVAIL, EACCES, EPERM:
                .addressRefused(address: address.description, reason: errorText(code))
            default: .init(call: call, code: code)
            }
    }
}

extension TransportError {
    /// One word for result files, from a fixed set.
    package var label: String {
        switch self {
        case .connectionRefused: "connection-refused"
        case .connectionReset: "connection-reset"
        case .closedWithoutNotice: "connection-closed"
        case .timedOut: "timed-out"
        case .unreachable: "unreachable"
        case .nameNotResolved: "name-not-resolved"
        case .addressInUse: "address-in-use"
        case .addressRefused: "address-refused"
        case .tooManyDescriptors: "too-many-descriptors"
        case .certificateRejected: "certificate-rejected"
        case .protocolNotSelected: "protocol-not-selected"
        case .proxyRefused: "proxy-refused"
        case .tls: "tls"
        case .file: "file"
        case .child: "child"
        case .system: "system"
        }
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connectionRefused(let address): "connection to \(address) refused: nobody listens there"
        case .connectionReset: "connection reset by the peer"
        case .closedWithoutNotice: "connection closed by the peer without TLS close_notify"
        case .timedOut(let what): "\(what) took longer than allowed"
        case .unreachable(let address): "no route to \(address)"
        case .nameNotResolved(let host, let reason): "cannot resolve \"\(host)\": \(reason)"
        case .addressInUse(let address): "cannot listen on \(address): the port is in use; choose another or 0"
        case .addressRefused(let address, let reason): "cannot use address \(address): \(reason)"
        case .tooManyDescriptors: "no file descriptor left: raise the limit with ulimit -n"
        case .certificateRejected(let name, let reason): "certificate of \"\(name)\" rejected: \(reason)"
        case .protocolNotSelected(let offered, let selected):
            "the peer does not speak HTTP/2: ALPN offered \(offered), \(selected) selected"
        case .proxyRefused(let address, let reason): "the proxy at \(address) refused: \(reason)"
        case .tls(let reason): "TLS failed: \(reason)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .child(let path, let reason): "\(path): \(reason)"
        case .system(let call, let code): "\(call) failed: \(errorText(code))"
        }
    }
}

/// The C library's words for an errno.
func errorText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress else { return "error \(code)" }
        // The XSI form (the one that Glibc's module imports) fills the buffer and always terminates it.
        let _: Int32 = strerror_r(code, start, buffer.count)
        return String(cString: start)
    }
}

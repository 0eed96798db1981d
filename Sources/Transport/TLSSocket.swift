import COpenSSL
import Glibc

/// What a read came to.
package enum ReadResult: Equatable, Sendable {
    /// So many bytes are at the start of the buffer; at least one.
    case bytes(Int)
    /// Nothing more for now: go back to the poller.
    case wouldBlock
    /// The peer has ended its direction in order.
    case closed
    /// The connection is lost; the socket's `failure` says why.
    case failed
}

/// What a write came to.
package enum WriteResult: Equatable, Sendable {
    /// So many bytes from the start of the buffer were taken; at least one.
    case bytes(Int)
    /// The kernel's buffer is full: go back to the poller, then write the same bytes again (more may follow them).
    case wouldBlock
    /// The connection is lost; the socket's `failure` says why.
    case failed
}

/// What a step of the handshake came to.
package enum HandshakeResult: Equatable, Sendable {
    /// Verified, protocol selected: data may flow.
    case done
    /// Go back to the poller for this, then call again.
    case wants(Poller.Interest)
    /// It cannot succeed; the socket's `failure` says why.
    case failed
}

/// One TLS connection over TCP: owns the socket and OpenSSL's state for it, and never blocks.
///
/// After `connect` or `init(accepting:)`, watch `descriptor` for `interest` and call `handshake()` whenever it is
/// ready, until it is done. Then read and write, and after each turn give `interest` to `Poller.modify`. Take the
/// descriptor out of the poller before `close()`. Not thread-safe.
package final class TLSSocket {
    /// When the connection reached each stage, in monotonic nanoseconds; 0 for not yet.
    package struct Timings: Sendable, Equatable {
        /// connect(2) was called, or the connection was accepted.
        package internal(set) var started: Int64 = 0
        /// TCP is open.
        package internal(set) var connected: Int64 = 0
        /// TLS is verified and the protocol selected.
        package internal(set) var secured: Int64 = 0
    }

    enum Stage {
        /// The TCP connection is under way. Can become `tunnelling`, `handshaking` or `ended`.
        case connecting
        /// A proxy is asked for the way to the server. Can become `handshaking` or `ended`.
        case tunnelling
        /// TLS is being negotiated. Can become `open` or `ended`.
        case handshaking
        /// Data flows both ways, or still one way after a half close. Can become `ended`.
        case open
        /// Failed or closed; nothing works any longer.
        case ended
    }

    /// For the poller only; -1 after `close()`.
    package private(set) var descriptor: Int32

    /// The stages' times.
    package internal(set) var timings = Timings()

    /// Why the last call returned `.failed`; nil while all is well.
    package internal(set) var failure: TransportError?

    /// The server's name or address as asked for; empty on a server.
    package let serverName: String

    /// The peer's address.
    package let peer: SocketAddress

    let context: TLSContext
    let ssl: OpaquePointer
    var stage: Stage
    private var owner: FileDescriptor?

    /// Set when OpenSSL holds nothing more, so that the next read can say so without a system call.
    ///
    /// The poller is level-triggered: if the kernel has more, it will tell.
    var isDrained = false

    /// Whether ``hold()`` is in force.
    var isHeld = false

    /// The end of the peer's direction, kept because bytes before it had to be handed out first, or for good.
    var readEnd: ReadResult?

    /// The way through a proxy, until it stands.
    var tunnel: ProxyTunnel?

    /// What the handshake waits for.
    var handshakeInterest: Poller.Interest = .read

    /// A write met a full buffer.
    var isWriteBlocked = false

    /// A write failed, though what the peer had sent before can still be read.
    var isWriteLost = false

    /// A read has to send something first (TLS 1.3 lets the peer ask for new keys), and met a full buffer.
    var isReadBlockedByWrite = false

    /// Begins to connect to `address`, without waiting.
    ///
    /// `serverName` is what the certificate must be for, a DNS name or an address in digits; a name is also sent as
    /// SNI. With `endpoint` the address is an HTTP proxy's, which is asked for the way to that `name:port`. Throws when the
    /// attempt fails at once; later failures come from `handshake()`.
    package static func connect(
        to address: SocketAddress,
        serverName: String,
        context: TLSContext,
        through endpoint: String? = nil
    ) throws(TransportError) -> TLSSocket {
        precondition(context.side == .client, "only a client's context can connect")
        let started = MonotonicClock.now()
        let socket = try TLSSocket(openConnection(to: address), address, serverName, context, .connecting)
        socket.timings.started = started
        socket.tunnel = endpoint.map { ProxyTunnel(to: $0) }
        try socket.expectCertificate(for: serverName)
        return socket
    }

    /// Takes over a connection that a `Listener` accepted.
    package convenience init(
        accepting connection: consuming AcceptedConnection,
        context: TLSContext
    ) throws(TransportError) {
        precondition(context.side == .server, "only a server's context can accept")
        let peer = connection.peer
        try self.init(connection.takeDescriptor(), peer, "", context, .handshaking)
        timings.started = MonotonicClock.now()
        timings.connected = timings.started
    }

    private init(
        _ owner: consuming FileDescriptor,
        _ peer: SocketAddress,
        _ serverName: String,
        _ context: TLSContext,
        _ stage: Stage
    ) throws(TransportError) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.raw) else { throw .tls(reason: openSSLReason()) }
        guard SSL_set_fd(ssl, owner.raw) == 1 else {
            SSL_free(ssl)
            throw .tls(reason: openSSLReason())
        }
        switch context.side {
        case .client: SSL_set_connect_state(ssl)
        case .server: SSL_set_accept_state(ssl)
        }
        self.ssl = ssl
        self.context = context
        self.serverName = serverName
        self.peer = peer
        self.stage = stage
        descriptor = owner.raw
        self.owner = consume owner
    }

    deinit {
        // OpenSSL's BIO uses the descriptor but does not own it; `owner` closes it after this body.
        SSL_free(ssl)
    }

    /// What to ask the poller for now.
    package var interest: Poller.Interest {
        switch stage {
        case .connecting: .write
        case .tunnelling, .handshaking: handshakeInterest
        case .open:
            // Once the peer has ended, the descriptor stays readable for ever; nobody wants to hear of it.
            readEnd == nil
                ? (isWriteBlocked || isReadBlockedByWrite ? [.read, .write] : .read)
                : (isWriteBlocked ? .write : [])
        case .ended: []
        }
    }

    /// Bytes received from the network, TLS's own included.
    package var bytesIn: UInt64 { BIO_number_read(SSL_get_rbio(ssl)) }

    /// Bytes sent to the network, TLS's own included.
    package var bytesOut: UInt64 { BIO_number_written(SSL_get_wbio(ssl)) }

    /// Ends the connection and frees the descriptor; tells the peer in order if that does not block.
    ///
    /// If the peer has sent what we have not read, the kernel resets the connection, and what we wrote last may be
    /// lost: a server that cares calls `closeWrite()`, reads to the end, and then closes.
    package func close() {
        guard owner != nil else { return }
        if stage == .open, !isWriteLost { sendCloseNotify() }
        stage = .ended
        descriptor = -1
        owner = nil
    }
}

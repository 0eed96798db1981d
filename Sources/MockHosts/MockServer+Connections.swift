import HTTP2
import Hosts
import Transport

/// From an accepted socket to the end of its connection.
extension MockServer {
    private static let handshakeLimit: Int64 = 10_000_000_000
    /// From the end of the handshake to the acknowledgement of our SETTINGS.
    private static let settingsLimit: Int64 = 10_000_000_000
    static let requestLimit: Int64 = 30_000_000_000
    private static let lingerLimit: Int64 = 2_000_000_000

    func open(_ accepted: consuming AcceptedConnection, at port: HostPort, context: TLSContext) {
        let host = port.host
        guard let socket = try? TLSSocket(accepting: accepted, context: context) else {
            tally[host].faulty += 1
            return
        }
        let added = connections.add { handle in
            let connection = Connection(handle: handle, port: port, socket: socket)
            connection.deadline = now + Self.handshakeLimit
            let isWatched = (try? poller.add(socket.descriptor, tag: handle.tag, interest: socket.interest)) != nil
            return isWatched ? connection : nil
        }
        guard let added else {
            socket.close()
            tally[host].turnedAway += 1
            return
        }
        tally[host].open += 1
        tally[host].mostOpen = max(tally[host].mostOpen, tally[host].open)
        added.memory.audit = audit.opened(Int(host.rawValue), from: socket.peer.hostHash, at: elapsed)
        if deciders.faults.has(host) { beginFaults(of: added) }
    }

    /// Something happened on a connection's socket: go on with whatever it is busy with.
    func serve(_ connection: Connection) {
        if connection.pausedUntil != nil { return serveGone(connection) }
        switch connection.stage {
        case .handshake: shakeHands(connection)
        case .http2(let session): read(connection, session)
        case .canned(let session): readCanned(connection, session)
        case .http1(let session): readHTTP1(connection, session)
        case .lingering: readToTheEnd(connection)
        }
    }

    private func shakeHands(_ connection: Connection) {
        switch connection.socket.handshake() {
        case .wants:
            updateInterest(of: connection)
        case .failed:
            tally[connection.host].faulty += 1
            close(connection)
        case .done:
            tally[connection.host].secured += 1
            audit.secured(Int(connection.host.rawValue), at: elapsed)
            connection.deadline = nil
            if let certificate = connection.socket.peerCertificate { take(certificate, of: connection) }
            begin(connection)
        }
    }

    private func take(_ certificate: PeerCertificate, of connection: Connection) {
        connection.memory.take(certificate)
        let subject = Array(certificate.subject.utf8).withUnsafeBytes { $0.hash64 }
        audit.showed(Int(connection.host.rawValue), subject, &connection.memory.audit)
    }

    /// Data may flow: starts the protocol that was agreed on, and reads what may have come along.
    ///
    /// A client that did not ask for a protocol speaks HTTP/2 to APNs (aioapns does so), HTTP/1.1 to Google.
    private func begin(_ connection: Connection) {
        guard connection.socket.applicationProtocol == .http2 || !connection.host.speaksHTTP1 else {
            let session = HTTP1Connection()
            connection.stage = .http1(session)
            return readHTTP1(connection, session)
        }
        if isCanned { return beginCanned(connection) }
        do throws(HTTP2Error) {
            let session = try makeSession(for: connection)
            connection.stage = .http2(session)
            connection.deadline = now + Self.settingsLimit
            markForFlush(connection)
            if deciders.faults.has(connection.host) { try end(connection) }
            if connection.isCut { return close(connection) }
            read(connection, session)
        } catch {
            close(connection)
        }
    }

    private func makeSession(for connection: Connection) throws(HTTP2Error) -> HTTP2Connection {
        let limits = deciders.streamLimits(of: connection.host, for: connection.memory)
        let first = firstStreams(of: connection, usual: limits.initial)
        var window: WindowRule?
        if deciders.faults.has(connection.host) {
            window = deciders.faults[connection.host].window(of: connection.memory.faults, at: elapsed)
        }
        return try HTTP2Connection(streamLimit: first, mostStreams: Int(limits.most), window: window)
    }

    private func readToTheEnd(_ connection: Connection) {
        while !isToEnd {
            switch connection.socket.read(into: buffers.input) {
            case .bytes: continue
            case .wouldBlock: return updateInterest(of: connection)
            case .closed, .failed: return close(connection)
            }
        }
    }

    /// Says no more, and reads on for a while so that the client gets what was said last.
    func linger(_ connection: Connection) {
        if connection.hasUnwritten { return close(connection) }
        connection.socket.closeWrite()
        connection.stage = .lingering
        connection.deadline = now + Self.lingerLimit
        updateInterest(of: connection)
    }

    /// The socket is lost.
    ///
    /// That clients go without a notice is common; only broken TLS counts as a fault.
    func lose(_ connection: Connection) {
        if case .tls = connection.socket.failure { tally[connection.host].faulty += 1 }
        close(connection)
    }

    /// The connection has had its time: an HTTP/2 client that speaks no HTTP/2, or never acknowledged our SETTINGS, is
    /// told so (RFC 9113, section 6.5.3).
    func expire(_ connection: Connection) {
        guard case .http2(let session) = connection.stage, connection.pausedUntil == nil else {
            return close(connection)
        }
        tally[connection.host].faulty += 1
        connection.deadline = nil
        do throws(HTTP2Error) {
            try session.session.goAway(code: .settingsTimeout)
            _ = endSession(of: connection, session)
        } catch {
            close(connection)
        }
    }

    func close(_ connection: Connection) {
        // Fails only if the kernel forgot the descriptor, which it can't while the socket holds it.
        try? poller.remove(connection.socket.descriptor)
        auditEnd(of: connection)
        connection.socket.close()
        connections.remove(connection.handle)
        tally[connection.host].open -= 1
    }

    func updateInterest(of connection: Connection) {
        do throws(TransportError) {
            let interest = connection.pausedUntil == nil ? connection.socket.interest : []
            try poller.modify(connection.socket.descriptor, interest: interest)
        } catch {
            close(connection)
        }
    }
}

extension ConnectionHandle {
    /// Both numbers in the poller's tag; the top bit stays clear for listeners.
    var tag: UInt64 { UInt64(generation) << 32 | UInt64(place) }

    init(tag: UInt64) {
        self.init(
            place: UInt32(truncatingIfNeeded: tag),
            generation: UInt32(truncatingIfNeeded: tag >> 32)
        )
    }
}

extension SocketAddress {
    /// Tells machines apart, whatever the port.
    fileprivate var hostHash: UInt64 { Array(host.utf8).withUnsafeBytes { $0.hash64 } }
}

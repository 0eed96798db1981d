import Glibc

/// One TCP connection without TLS, for control ports on loopback.
///
/// Owns the socket and never blocks.
///
/// The results mean the same as those of `TLSSocket`. Take the descriptor out of the poller before `close()`.
package final class PlainSocket {
    /// For the poller only; -1 after `close()`.
    package private(set) var descriptor: Int32

    /// Why the last call returned `.failed`; nil while all is well.
    package private(set) var failure: TransportError?

    /// The peer's address.
    package let peer: SocketAddress

    private var owner: FileDescriptor?
    private var isDrained = false

    /// Begins to connect; reads and writes block until the connection is open, and fail if it is refused.
    package convenience init(connectingTo address: SocketAddress) throws(TransportError) {
        self.init(try openConnection(to: address), peer: address)
    }

    /// Takes over a connection that a `Listener` accepted.
    package convenience init(accepting connection: consuming AcceptedConnection) {
        let peer = connection.peer
        self.init(connection.takeDescriptor(), peer: peer)
    }

    private init(_ owner: consuming FileDescriptor, peer: SocketAddress) {
        self.peer = peer
        descriptor = owner.raw
        self.owner = consume owner
    }

    /// Reads what is there, as much as fits.
    ///
    /// Call it until it does not return `.bytes`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        precondition(buffer.count > 0, "there must be room to read into")
        if isDrained {
            isDrained = false
            return .wouldBlock
        }
        do throws(TransportError) {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                // The poller is level-triggered, so a short read needs no second look.
                isDrained = count < buffer.count
                return .bytes(count)
            }
            return count == 0 ? .closed : try blocked("recv", errno) ? .wouldBlock : read(into: buffer)
        } catch {
            failure = error
            return .failed
        }
    }

    /// Writes as much as the kernel takes; there must be something to write.
    package func write(from buffer: UnsafeRawBufferPointer) -> WriteResult {
        precondition(buffer.count > 0, "there must be something to write")
        do throws(TransportError) {
            let count = send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            return try blocked("send", errno) ? .wouldBlock : write(from: buffer)
        } catch {
            failure = error
            return .failed
        }
    }

    /// Tells the peer that we have written our last, and goes on reading.
    package func closeWrite() {
        guard descriptor >= 0 else { return }
        // ENOTCONN: the connection has gone, which the next read will tell.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection and frees the descriptor.
    package func close() {
        descriptor = -1
        owner = nil
    }

    /// True for would-block, false for an interruption, which is to be tried again.
    private func blocked(_ call: StaticString, _ code: Int32) throws(TransportError) -> Bool {
        switch code {
        // ENOTCONN: the connect that was begun is still under way.
        case EAGAIN, ENOTCONN: return true
        case EINTR: return false
        default: throw TransportError(call: call, code: code, address: peer)
        }
    }
}

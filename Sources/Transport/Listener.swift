import CLinux
import Glibc

/// A connection that a `Listener` accepted and nobody has taken over yet; closed when dropped.
package struct AcceptedConnection: ~Copyable {
    /// Who connected.
    package let peer: SocketAddress
    private let descriptor: FileDescriptor

    init(peer: SocketAddress, descriptor: consuming FileDescriptor) {
        self.peer = peer
        self.descriptor = descriptor
    }

    /// Hands the socket to its next owner.
    consuming func takeDescriptor() -> FileDescriptor { descriptor }
}

/// Listens for TCP connections without ever blocking.
package final class Listener {
    /// Where it listens, with the port that the kernel chose if 0 was asked for.
    package let address: SocketAddress

    private let owner: FileDescriptor

    /// Listens on `address`, normally a loopback one.
    ///
    /// A port that another process listens on is `.addressInUse`; one whose old connections are still fading away
    /// (TIME_WAIT) is taken over.
    package init(on address: SocketAddress = .loopback(port: 0), backlog: Int32 = 1024) throws(TransportError) {
        let socket = try openSocket(family: address.family)
        try setOption(socket.raw, SOL_SOCKET, SO_REUSEADDR)
        if address.family == AF_INET6 { try setOption(socket.raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        let bound = address.withSockaddr { bind(socket.raw, $0, $1) }
        guard bound == 0 else { throw TransportError(call: "bind", code: errno, address: address) }
        guard listen(socket.raw, backlog) == 0 else {
            throw TransportError(call: "listen", code: errno, address: address)
        }
        self.address = try ownAddress(of: socket.raw)
        owner = socket
    }

    /// For the poller.
    package var descriptor: Int32 { owner.raw }

    /// The next connection that waits; nil when there is none.
    ///
    /// Throws `.tooManyDescriptors` when this process has none left: the connection stays in the queue, so stop
    /// watching the listener until another connection has been closed, or the loop will spin.
    package func accept() throws(TransportError) -> AcceptedConnection? {
        while true {
            var space = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let (raw, peer) = withUnsafeMutablePointer(to: &space) { pointer in
                let plain = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
                let raw = linux_accept(owner.raw, plain, &length)
                return (raw, raw < 0 ? nil : SocketAddress(plain, length: length))
            }
            if raw >= 0 {
                let descriptor = FileDescriptor(owning: raw)
                try setOption(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY)
                return AcceptedConnection(peer: peer ?? address, descriptor: descriptor)
            }
            switch errno {
            case EAGAIN: return nil
            // The client gave up while it waited in the queue; accept(2) also reports such network errors of the new
            // connection, and says to go on as after EAGAIN.
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH: continue
            default: throw TransportError(call: "accept4", code: errno)
            }
        }
    }
}

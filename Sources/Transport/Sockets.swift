import Glibc

// The few system calls that TLSSocket, PlainSocket and Listener share.

/// A TCP socket that does not block and is closed on exec.
func openSocket(family: Int32) throws(TransportError) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return FileDescriptor(owning: try systemCall("socket") { socket(family, kind, 0) })
}

/// Begins to connect.
func openConnection(to address: SocketAddress) throws(TransportError) -> FileDescriptor {
    let descriptor = try openSocket(family: address.family)
    // Frames are gathered into records before they are written, so Nagle's wait could only delay them.
    try setOption(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY)
    let result = address.withSockaddr { connect(descriptor.raw, $0, $1) }
    // Interrupted, connect(2) goes on in the background just as after EINPROGRESS.
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
        throw TransportError(call: "connect", code: errno, address: address)
    }
    return descriptor
}

/// Whether a connect that was begun has finished; throws when it failed.
func connectionIsOpen(_ descriptor: Int32, to address: SocketAddress) throws(TransportError) -> Bool {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = try systemCall("getsockopt") { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) }
    guard code == 0 else { throw TransportError(call: "connect", code: code, address: address) }
    var space = sockaddr_storage()
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &space) {
        getpeername(descriptor, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), &length)
    }
    if result == 0 { return true }
    // ENOTCONN: not yet. Anything else has been reported by SO_ERROR above.
    return false
}

/// Where a socket is bound.
func ownAddress(of descriptor: Int32) throws(TransportError) -> SocketAddress {
    var space = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return try withUnsafeMutablePointer(to: &space) { (pointer) throws(TransportError) -> SocketAddress in
        let plain = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
        _ = try systemCall("getsockname") { getsockname(descriptor, plain, &length) }
        guard let address = SocketAddress(plain, length: length) else {
            preconditionFailure("descriptor \(descriptor) is not an internet socket")
        }
        return address
    }
}

/// Turns a socket option on.
func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32) throws(TransportError) {
    var on: Int32 = 1
    _ = try systemCall("setsockopt") {
        setsockopt(descriptor, level, name, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

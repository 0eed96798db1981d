import Glibc

/// An IPv4 or IPv6 address and a port.
package struct SocketAddress: Sendable, Hashable {
    private enum Storage: Sendable, Hashable {
        /// In network order, as `in_addr` holds it.
        case v4(UInt32)
        /// Sixteen bytes in network order, as two words of memory, and the scope of a link-local address.
        case v6(UInt64, UInt64, scope: UInt32)
    }

    private let storage: Storage

    /// The port, 0 where the kernel is to choose.
    package let port: UInt16

    /// 127.0.0.1 with `port`.
    package static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(storage: .v4(UInt32(0x7F00_0001).bigEndian), port: port)
    }

    private init(storage: Storage, port: UInt16) {
        self.storage = storage
        self.port = port
    }

    /// An address written as digits (`127.0.0.1`, `::1`, `[::1]`); nil for a name.
    package init?(literal: String, port: UInt16) {
        var bare = Substring(literal)
        if bare.hasPrefix("["), bare.hasSuffix("]") { bare = bare.dropFirst().dropLast() }
        let text = String(bare)
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(storage: .v4(four.s_addr), port: port)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six, scope: 0, port: port)
        } else {
            return nil
        }
    }

    private init(_ address: in6_addr, scope: UInt32, port: UInt16) {
        let words = withUnsafeBytes(of: address) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(storage: .v6(words.0, words.1, scope: scope), port: port)
    }

    /// Reads what the kernel or the resolver wrote; nil for a family other than IPv4 and IPv6.
    init?(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) {
        let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(length))
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            let address = bytes.loadUnaligned(as: sockaddr_in.self)
            self.init(storage: .v4(address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            let address = bytes.loadUnaligned(as: sockaddr_in6.self)
            self.init(address.sin6_addr, scope: address.sin6_scope_id, port: UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }

    /// The family for socket(2).
    var family: Int32 {
        switch storage {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// True for 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        switch storage {
        case .v4(let address): UInt32(bigEndian: address) >> 24 == 127
        case .v6(let high, let low, _): high == 0 && UInt64(bigEndian: low) == 1
        }
    }

    /// Lends the address in the kernel's form; the pointer is good only inside `body`.
    func withSockaddr<R, E: Error>(_ body: (UnsafePointer<sockaddr>, socklen_t) throws(E) -> R) throws(E) -> R {
        var space = sockaddr_storage()
        let length = fill(&space)
        return try withUnsafePointer(to: &space) { (pointer) throws(E) -> R in
            try body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
        }
    }

    private func fill(_ space: inout sockaddr_storage) -> socklen_t {
        withUnsafeMutableBytes(of: &space) { bytes in
            switch storage {
            case .v4(let address):
                var form = sockaddr_in()
                form.sin_family = sa_family_t(AF_INET)
                form.sin_port = port.bigEndian
                form.sin_addr.s_addr = address
                bytes.storeBytes(of: form, as: sockaddr_in.self)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            case .v6(let high, let low, let scope):
                var form = sockaddr_in6()
                form.sin6_family = sa_family_t(AF_INET6)
                form.sin6_port = port.bigEndian
                form.sin6_scope_id = scope
                withUnsafeMutableBytes(of: &form.sin6_addr) {
                    $0.storeBytes(of: high, as: UInt64.self)
                    $0.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
                }
                bytes.storeBytes(of: form, as: sockaddr_in6.self)
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:443` or `[::1]:443`.
    package var description: String {
        switch storage {
        case .v4: "\(host):\(port)"
        case .v6: "[\(host)]:\(port)"
        }
    }

    /// The address in digits, without brackets or port.
    package var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress else { return "" }
            // inet_ntop(3) fails only for an unknown family or too little room, and neither can be.
            switch storage {
            case .v4(let address):
                var four = in_addr(s_addr: address)
                inet_ntop(AF_INET, &four, start, socklen_t(text.count))
            case .v6(let high, let low, _):
                var six = (high, low)
                inet_ntop(AF_INET6, &six, start, socklen_t(text.count))
            }
            return String(cString: start)
        }
    }
}

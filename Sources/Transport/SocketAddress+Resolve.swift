import Glibc

extension SocketAddress {
    /// The addresses of `host`, in the order in which they should be tried; never empty.
    ///
    /// Digits are read at once. A name goes through getaddrinfo(3), which may wait for a name server: call it before
    /// the clock starts, once per lane.
    package static func resolve(host: String, port: UInt16) throws(TransportError) -> [SocketAddress] {
        if let address = SocketAddress(literal: host, port: port) { return [address] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            let reason = status == EAI_SYSTEM ? errorText(errno) : String(cString: gai_strerror(status))
            throw .nameNotResolved(host: host, reason: reason)
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let pointer = info.ai_addr, let address = SocketAddress(pointer, length: info.ai_addrlen) {
                addresses.append(address)
            }
            entry = info.ai_next
        }
        guard !addresses.isEmpty else { throw .nameNotResolved(host: host, reason: "it has no address") }
        return addresses
    }
}

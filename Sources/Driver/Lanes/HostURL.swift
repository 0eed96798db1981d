import Transport

/// The parts of `https://name:port` that a lane needs.
struct HostURL: Equatable {
    /// The name or address; an IPv6 address without its brackets.
    let name: String
    let port: UInt16
    /// As it stands in `:authority`: without the port where it is the default.
    let authority: String

    /// - Parameter url: nil where nobody said what the lane's host is.
    init(_ url: String?, lane: String) throws(RunError) {
        guard let url else {
            throw .profile(field: "lanes.\(lane).host", reason: "no host is known for this lane")
        }
        guard let parsed = Self(parsing: url) else {
            throw .profile(field: "lanes.\(lane).host", reason: "\"\(url)\" is not https://name or https://name:port")
        }
        self = parsed
    }

    /// nil for anything but `https://name` or `https://name:port`, with or without a slash behind.
    init?(parsing url: String) {
        guard url.hasPrefix("https://") else { return nil }
        var rest = url.dropFirst("https://".count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, !rest.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        var host = rest
        var port: UInt16 = 443
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            port = number
            host = rest[..<colon]
        }
        guard !host.isEmpty else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        name = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = port
        authority = port == 443 ? String(host) : "\(host):\(port)"
    }

    /// The addresses to connect to, never none; asked for once per lane and run.
    func resolve(lane: String) throws(RunError) -> [SocketAddress] {
        do throws(TransportError) {
            return try SocketAddress.resolve(host: name, port: port)
        } catch {
            throw .host(lane: lane, address: authority, reason: "\(error)")
        }
    }
}

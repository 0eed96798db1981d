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

    /// The proxy of a lane, as `http://name` or `http://name:port`.
    init(proxy url: String, lane: String) throws(RunError) {
        guard let parsed = Self(parsing: url, scheme: "http", standardPort: 80) else {
            throw .profile(field: "lanes.\(lane).proxy", reason: "\"\(url)\" is not http://name or http://name:port")
        }
        self = parsed
    }

    /// As CONNECT names it: always with its port.
    var endpoint: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }

    /// nil for anything but `https://name` or `https://name:port`, with or without a slash behind.
    init?(parsing url: String, scheme: String = "https", standardPort: UInt16 = 443) {
        guard url.hasPrefix(scheme + "://") else { return nil }
        var rest = url.dropFirst(scheme.count + 3)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, !rest.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        var host = rest
        var port = standardPort
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            port = number
            host = rest[..<colon]
        }
        guard !host.isEmpty else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        name = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = port
        authority = port == standardPort ? String(host) : "\(host):\(port)"
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

import Transport

/// What is made once, before the first connection.
extension MockServer {
    static func listen(_ configuration: MockConfiguration) throws(MockError) -> [(host: HostName, listener: Listener)] {
        var listeners: [(host: HostName, listener: Listener)] = []
        for host in HostName.allCases {
            let port = configuration.ports[host] ?? 0
            guard let address = SocketAddress(literal: configuration.bindAddress, port: port) else {
                throw .address(configuration.bindAddress)
            }
            do {
                listeners.append((host, try Listener(on: address, backlog: 4096)))
            } catch {
                throw .listening(host: host.name, error)
            }
        }
        return listeners
    }

    static func contexts(_ configuration: MockConfiguration) throws(MockError) -> PerHost<TLSContext> {
        do throws(TransportError) {
            return try PerHost { (host) throws(TransportError) in
                let identity = configuration.identities[host] ?? configuration.credentials.identity
                return try .server(identity: identity, protocols: host.speaksHTTP1 ? [.http2, .http11] : [.http2])
            }
        } catch {
            throw .identity(error)
        }
    }

    static func url(of host: HostName, at listeners: [(host: HostName, listener: Listener)]) -> String {
        guard let listener = listeners.first(where: { $0.host == host })?.listener else {
            preconditionFailure("\(host) has no listener")
        }
        // An address that stands for all of the machine's is reached by the loopback one.
        let address = listener.address.isUnspecified ? "localhost:\(listener.address.port)" : "\(listener.address)"
        return "https://\(address)\(host.path)"
    }
}

import Transport

/// What is made once, before the first connection.
extension MockServer {
    static func listen(_ configuration: MockConfiguration) throws(MockError) -> [(port: HostPort, listener: Listener)] {
        var listeners: [(port: HostPort, listener: Listener)] = []
        for port in HostPort.allCases {
            let number = configuration.ports[port] ?? 0
            guard let address = SocketAddress(literal: configuration.bindAddress, port: number) else {
                throw .address(configuration.bindAddress)
            }
            do {
                listeners.append((port, try Listener(on: address, backlog: 4096)))
            } catch {
                throw .listening(host: port.name, error)
            }
        }
        return listeners
    }

    static func contexts(_ configuration: MockConfiguration) throws(MockError) -> PerHost<TLSContext> {
        do throws(TransportError) {
            return try PerHost { (host) throws(TransportError) in
                try .server(
                    identity: configuration.identities[host] ?? configuration.credentials.identity,
                    protocols: host.speaksHTTP1 ? [.http2, .http11] : [.http2],
                    clientCAFile: host.speaksHTTP1 ? nil : configuration.credentials.clientAuthority
                )
            }
        } catch {
            throw .identity(error)
        }
    }

    static func url(of port: HostPort, at listeners: [(port: HostPort, listener: Listener)]) -> String {
        guard let listener = listeners.first(where: { $0.port == port })?.listener else {
            preconditionFailure("\(port) has no listener")
        }
        // An address that stands for all of the machine's is reached by the loopback one.
        let address = listener.address.isUnspecified ? "localhost:\(listener.address.port)" : "\(listener.address)"
        return "https://\(address)\(port.host.path)"
    }
}

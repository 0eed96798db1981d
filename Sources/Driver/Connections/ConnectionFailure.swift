import HTTP2
import Transport

/// Why a connection can't go on, in the few words that stand in `connections.csv`.
struct ConnectionFailure: Error, Equatable, CustomStringConvertible {
    let description: String
    /// Whether the peer's bytes broke HTTP/2.
    let isProtocolError: Bool

    private init(_ description: String, isProtocolError: Bool = false) {
        self.description = description
        self.isProtocolError = isProtocolError
    }

    init(_ error: TransportError?) {
        self.init(error.map { "\($0)" } ?? "the socket failed")
    }

    init(_ error: HTTP2Error) {
        self.init("\(error)", isProtocolError: true)
    }

    static let closedByPeer = ConnectionFailure("peer")
    static let connectTimedOut = ConnectionFailure("connect or handshake timed out")
}

import HTTP2
import Sending
import Transport

/// Why a connection can't go on, in the few words that stand in `connections.csv`.
struct ConnectionFailure: Error, Equatable, CustomStringConvertible {
    /// What it means for the pushes in flight.
    enum Kind: Equatable {
        /// The connection is gone.
        case lost
        /// No more can be written, though what the peer has sent before can still be read.
        case writeLost
        /// The peer's bytes broke HTTP/2.
        case protocolError
    }

    let description: String
    let kind: Kind

    init(_ description: String, kind: Kind = .lost) {
        self.description = description
        self.kind = kind
    }

    init(_ error: TransportError?, kind: Kind = .lost) {
        self.init(error.map { "\($0)" } ?? "the socket failed", kind: kind)
    }

    init(_ error: HTTP2Error) {
        self.init("\(error)", kind: .protocolError)
    }

    static let closedByPeer = ConnectionFailure("peer")
    static let connectTimedOut = ConnectionFailure("connect timed out")
    static let handshakeTimedOut = ConnectionFailure("TLS handshake timed out")
    static let settingsTimedOut = ConnectionFailure("no SETTINGS in time")
    static let silent = ConnectionFailure("no answer to PING")
    static let wedged = ConnectionFailure("no answers any more")

    /// How the pushes' streams ended with the connection.
    var ending: RetryRule.Ending {
        switch kind {
        case .lost, .writeLost: .connectionLost
        case .protocolError: .protocolError
        }
    }
}

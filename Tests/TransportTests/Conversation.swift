import Glibc

@testable import Transport

/// A client and a server on loopback, driven together by one poller in one thread, with a time limit.
final class Conversation {
    let poller: Poller
    let client: TLSSocket
    private(set) var server: TLSSocket?

    private let listener: Listener
    private let serverContext: TLSContext
    private static let listenerTag: UInt64 = 0
    private static let clientTag: UInt64 = 1
    private static let serverTag: UInt64 = 2

    /// No test here takes near as long; one that hangs fails after it.
    static let limit: Int64 = 20_000_000_000

    init(client clientContext: TLSContext, server serverContext: TLSContext, name: String = "localhost") throws {
        poller = try Poller(capacity: 8)
        listener = try Listener()
        self.serverContext = serverContext
        client = try TLSSocket.connect(to: listener.address, serverName: name, context: clientContext)
        try poller.add(listener.descriptor, tag: Self.listenerTag, interest: .read)
        try poller.add(client.descriptor, tag: Self.clientTag, interest: client.interest)
    }

    /// Calls `turn` after each wait until it returns true; throws at the time limit.
    func run(until turn: () throws -> Bool) throws {
        let deadline = MonotonicClock.now() + Self.limit
        while try !turn() {
            let now = MonotonicClock.now()
            guard now < deadline else { throw TransportError.timedOut(what: "the conversation") }
            try watch(client)
            if let server { try watch(server) }
            try poller.wait(until: deadline, at: now)
            while let event = poller.next() {
                if event.tag == Self.listenerTag { try accept() }
            }
        }
    }

    /// Takes both handshakes as far as they go.
    func shakeHands() throws -> (client: HandshakeResult, server: HandshakeResult) {
        var results: (client: HandshakeResult, server: HandshakeResult) = (.wants(.read), .wants(.read))
        try run {
            results.client = client.handshake()
            if let server { results.server = server.handshake() }
            return results.client.isFinal && (results.server.isFinal || results.client == .failed)
        }
        return results
    }

    private func accept() throws {
        guard let connection = try listener.accept() else { return }
        let socket = try TLSSocket(accepting: connection, context: serverContext)
        try poller.add(socket.descriptor, tag: Self.serverTag, interest: socket.interest)
        server = socket
    }

    private func watch(_ socket: TLSSocket) throws {
        guard poller.isWatching(socket.descriptor) else { return }
        try poller.modify(socket.descriptor, interest: socket.interest)
    }
}

extension HandshakeResult {
    var isFinal: Bool {
        switch self {
        case .done, .failed: true
        case .wants: false
        }
    }
}

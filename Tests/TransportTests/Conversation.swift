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

    /// - Parameter proxy: where the way to the server is asked for; nil to go there.
    init(
        client clientContext: TLSContext,
        server serverContext: TLSContext? = nil,
        name: String = "localhost",
        proxy: SocketAddress? = nil
    ) throws {
        poller = try Poller(capacity: 8)
        listener = try Listener()
        self.serverContext = try serverContext ?? Certificates.shared.serverContext()
        client = try TLSSocket.connect(
            to: proxy ?? listener.address,
            serverName: name,
            context: clientContext,
            through: proxy.map { [listener] _ in "127.0.0.1:\(listener.address.port)" }
        )
        try poller.add(listener.descriptor, tag: Self.listenerTag, interest: .read)
        try poller.add(client.descriptor, tag: Self.clientTag, interest: client.interest)
    }

    /// The server as a proxy is asked for it.
    var endpoint: String { "127.0.0.1:\(listener.address.port)" }

    /// An open connection.
    static func open() throws -> (Conversation, client: TLSSocket, server: TLSSocket) {
        let talk = try Conversation(client: Certificates.shared.clientContext())
        let (client, server) = try talk.shakeHands()
        guard client == .done, server == .done, let socket = talk.server else {
            throw talk.client.failure ?? talk.server?.failure ?? .closedWithoutNotice
        }
        return (talk, talk.client, socket)
    }

    /// Calls `turn` and then waits, over and over, until `turn` returns true; throws at the time limit.
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

    /// Takes both handshakes as far as they go; when the client's fails, the server's may be on its way still.
    func shakeHands() throws -> (client: HandshakeResult, server: HandshakeResult) {
        try shakeHands { $0.isFinal && ($1.isFinal || $0 == .failed) }
    }

    /// Takes both handshakes to their ends.
    func shakeHandsToTheEnd() throws -> (client: HandshakeResult, server: HandshakeResult) {
        try shakeHands { $0.isFinal && $1.isFinal }
    }

    private func shakeHands(
        until isOver: (HandshakeResult, HandshakeResult) -> Bool
    ) throws -> (client: HandshakeResult, server: HandshakeResult) {
        var results: (client: HandshakeResult, server: HandshakeResult) = (.wants(.read), .wants(.read))
        try run {
            results.client = client.handshake()
            if let server { results.server = server.handshake() }
            return isOver(results.client, results.server)
        }
        return results
    }

    /// Stops watching the client and closes it.
    func closeClient() throws {
        try poller.remove(client.descriptor)
        client.close()
    }

    private func accept() throws {
        guard let connection = try listener.accept() else { return }
        let socket = try TLSSocket(accepting: connection, context: serverContext)
        try poller.add(socket.descriptor, tag: Self.serverTag, interest: socket.interest)
        server = socket
    }

    private func watch(_ socket: TLSSocket) throws {
        guard socket.descriptor >= 0 else { return }
        try poller.modify(socket.descriptor, interest: socket.interest)
    }
}

extension Poller {
    /// Waits for something to happen, and not for ever: a test that hangs would hold its thread for good.
    @discardableResult
    func waitForEvent() throws(TransportError) -> Int {
        let now = MonotonicClock.now()
        return try wait(until: now + Conversation.limit, at: now)
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

extension Certificates {
    func clientContext() throws -> TLSContext { try .client(caFile: ca) }

    func serverContext(
        _ protocols: [TLSContext.ApplicationProtocol] = [.http2],
        clientCAFile: String? = nil,
        requiresClientCertificate: Bool = false
    ) throws -> TLSContext {
        try .server(
            identity: .pem(certificate: server.certificate, key: server.key),
            protocols: protocols,
            clientCAFile: clientCAFile,
            requiresClientCertificate: requiresClientCertificate
        )
    }
}

extension TLSSocket {
    func write(_ text: String) -> WriteResult {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { write(from: $0) }
    }

    /// Reads once; the text only if there were bytes.
    func readText() -> (ReadResult, String) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let result = read(into: buffer)
            guard case .bytes(let count) = result else { return (result, "") }
            return (result, String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}

extension PlainSocket {
    func write(_ text: String) -> WriteResult {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { write(from: $0) }
    }
}

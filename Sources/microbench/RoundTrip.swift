import HTTP2

/// What the other end of a round trip does: it answers every request at once, without a socket.
protocol AnsweringServer {
    init() throws

    /// Takes bytes from the client.
    func receive(_ bytes: UnsafeRawBufferPointer) throws

    /// Fills the buffer with answers; call until 0.
    func collect(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Allocations made inside nghttp2.
    var libraryAllocations: UInt64 { get }
}

/// One push from a client session to a server session and back, in memory: all of HTTP/2, no TLS, no socket.
///
/// Benchmarks wrap it for sessions of known type: so the compiler makes code for each.
struct RoundTrip<Client: ClientSession, Server: AnsweringServer> {
    private let pushes: ClientPushes<Client>
    private let server: Server
    private let output = Memory(byteCount: 16_384)

    init() throws {
        pushes = try ClientPushes()
        server = try Server()
        // Preface and SETTINGS, both ways.
        for _ in 0..<2 {
            try deliverRequests()
            _ = try deliverAnswers()
        }
    }

    var libraryAllocations: UInt64 { pushes.session.counters.libraryAllocations + server.libraryAllocations }

    func run(_ count: Int) -> UInt64 {
        do {
            var left = count
            while left > 0 {
                let turn = min(left, ClientPushes<Client>.inFlight)
                try push(turn)
                left -= turn
            }
        } catch {
            preconditionFailure("a session fails: \(error)")
        }
        return pushes.session.counters.bytesIn
    }

    private func push(_ count: Int) throws {
        try pushes.submit(count)
        var completed = 0
        // Window updates and acknowledgements may take a turn of their own.
        while completed < count {
            try deliverRequests()
            completed += try deliverAnswers()
        }
    }

    private func deliverRequests() throws {
        while true {
            let count = try pushes.session.collect(into: pushes.output.bytes)
            _ = try pushes.takeEvents()
            guard count > 0 else { return }
            try server.receive(pushes.output.part(0..<count))
        }
    }

    private func deliverAnswers() throws -> Int {
        var completed = 0
        while true {
            let count = try server.collect(into: output.bytes)
            guard count > 0 else { return completed }
            pushes.session.receive(output.part(0..<count))
            completed += try pushes.takeEvents()
        }
    }
}

/// The server session that the faithful mock hosts use.
struct FaithfulServer: AnsweringServer {
    private let session: ServerSession
    private let answer: ResponseTemplateID

    init() throws {
        session = try ServerSession(settings: ServerSettings(capture: .nothing))
        answer = session.prepare(ResponseTemplate(status: 200))
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        session.receive(bytes)
        while let event = try session.nextEvent() {
            if event.kind == .request { try session.respond(event.stream, answer) }
        }
    }

    func collect(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try session.collect(into: buffer)
        while try session.nextEvent() != nil {}
        return count
    }

    var libraryAllocations: UInt64 { session.counters.libraryAllocations }
}

/// The server session that the canned mock hosts use.
struct CannedServer: AnsweringServer {
    private let session = CannedServerSession(answer: ResponseTemplate(status: 200), streamLimit: 1000)

    init() {}

    func receive(_ bytes: UnsafeRawBufferPointer) throws { try session.receive(bytes) }

    func collect(into buffer: UnsafeMutableRawBufferPointer) -> Int { session.collect(into: buffer) }

    var libraryAllocations: UInt64 { 0 }
}

import HTTP2

/// One push from nghttp2's client session to a canned server session and back, in memory: all of HTTP/2, no TLS, no socket.
struct SessionRoundTrip: Benchmark {
    static let name = "http2/round-trip"

    private let pushes: ClientPushes<NGHTTP2ClientSession>
    private let server: ServerSession
    private let answer: ResponseTemplateID
    private let output = Memory(byteCount: 16_384)

    init() throws {
        pushes = try ClientPushes()
        server = try ServerSession(settings: ServerSettings(capture: .nothing))
        answer = server.prepare(ResponseTemplate(status: 200))
        // Preface and SETTINGS, both ways.
        for _ in 0..<2 {
            try deliverRequests()
            _ = try deliverAnswers()
        }
    }

    var libraryAllocations: UInt64 {
        pushes.session.counters.libraryAllocations + server.counters.libraryAllocations
    }

    func run(_ count: Int) -> UInt64 {
        do {
            var left = count
            while left > 0 {
                let turn = min(left, ClientPushes<NGHTTP2ClientSession>.inFlight)
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
            server.receive(pushes.output.part(0..<count))
            while let event = try server.nextEvent() {
                if event.kind == .request { try server.respond(event.stream, answer) }
            }
        }
    }

    private func deliverAnswers() throws -> Int {
        var completed = 0
        while true {
            let count = try server.collect(into: output.bytes)
            while try server.nextEvent() != nil {}
            guard count > 0 else { return completed }
            pushes.session.receive(output.part(0..<count))
            completed += try pushes.takeEvents()
        }
    }
}

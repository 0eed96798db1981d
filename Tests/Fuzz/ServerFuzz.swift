/// A server session, and a host that answers at once, later, or with a reset.
final class ServerFuzz {
    private let session: ServerSession
    private let template: ResponseTemplateID
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
    private var held: [StreamHandle] = []
    private var random: UInt8
    private var sum = 0

    init(seed: UInt8) {
        var settings = ServerSettings(capture: .named(["authorization", "apns-topic"]))
        settings.announced.streamLimit = 4
        settings.maximumStreams = 8
        settings.maximumBody = 100
        settings.maximumHeader = 400
        guard let session = try? ServerSession(settings: settings) else { fatalError("no session") }
        self.session = session
        template = session.prepare(
            ResponseTemplate(status: 429, fields: [ResponseField("retry-after", .retryAfter)], body: Array("slow".utf8))
        )
        random = seed
    }

    deinit {
        buffer.deallocate()
    }

    func give(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { receive($0) }
    }

    func play(_ bytes: UnsafeRawBufferPointer) {
        cut(bytes, seed: random) { piece, random in
            self.random = random
            receive(piece)
            if random & 0x70 == 0 { try? session.announce(SettingsChange(streamLimit: UInt32(random & 3))) }
            if random & 0x70 == 0x10 { try? session.goAway(code: .noError, debug: [1, 2, 3]) }
            if random & 0x0c == 0, !held.isEmpty { _ = try? session.respond(held.removeFirst(), template) }
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        session.receive(bytes)
        drain()
        // Not after every piece, so that the client may act on what it has not been told yet.
        if random & 1 == 0 { return }
        while let count = try? session.collect(into: buffer), count > 0 { drain() }
        drain()
    }

    private func drain() {
        while let event = try? session.nextEvent() {
            for byte in event.bytes { sum &+= Int(byte) }
            guard event.kind == .request, let request = session.request(event.stream) else { continue }
            look(at: request)
            switch random & 3 {
            case 0: held.append(event.stream)
            case 1: session.reset(event.stream, code: .refusedStream)
            default: _ = try? session.respond(event.stream, template)
            }
        }
        precondition(session.openStreams >= 0 && session.openStreams <= 8, "lost count of open streams")
    }

    private func look(at request: RequestView) {
        for part in [request.method, request.path, request.authority, request.value(at: 0), request.body] {
            for byte in part ?? UnsafeRawBufferPointer(start: nil, count: 0) { sum &+= Int(byte) }
        }
        precondition(request.body.count <= 100 && request.body.count <= request.bodyLength, "a body beyond its limit")
    }
}

/// A canned server session.
final class CannedFuzz {
    private let session = CannedServerSession(
        answer: ResponseTemplate(status: 200, fields: [ResponseField("server", "x")], body: Array("{}".utf8)),
        streamLimit: 4
    )
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
    private let seed: UInt8

    init(seed: UInt8) {
        self.seed = seed
    }

    deinit {
        buffer.deallocate()
    }

    func give(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { try? session.receive($0) }
    }

    func play(_ bytes: UnsafeRawBufferPointer) {
        cut(bytes, seed: seed) { piece, _ in
            try? session.receive(piece)
            while session.collect(into: buffer) > 0 {}
        }
    }
}

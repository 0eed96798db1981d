/// A direct client session, and a caller that keeps requests open.
final class ClientFuzz {
    private static let slots = 8
    private static let path = Array("/3/device/0123456789abcdef".utf8)
    private static let body = [UInt8](repeating: 65, count: 200)
    private let session: DirectClientSession
    private let template: TemplateID
    private let path = UnsafeMutableRawBufferPointer.allocate(byteCount: ClientFuzz.path.count, alignment: 1)
    private let body = UnsafeMutableRawBufferPointer.allocate(byteCount: ClientFuzz.body.count, alignment: 1)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
    private var taken = [Bool](repeating: false, count: ClientFuzz.slots)
    private let seed: UInt8

    /// Begins with so many requests.
    init(requests: Int, seed: UInt8) {
        var settings = ClientSettings(slots: Self.slots)
        settings.streamWindow = 1000
        settings.connectionWindow = 65_535
        guard let session = try? DirectClientSession(settings: settings) else { fatalError("no session") }
        self.session = session
        template = session.prepare(
            RequestTemplate(fields: [
                HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":path", .path),
                HeaderField(":authority", "localhost"), HeaderField("apns-topic", "com.example.app"),
            ])
        )
        path.copyBytes(from: Self.path)
        body.copyBytes(from: Self.body)
        self.seed = seed
        for slot in 0..<requests { submit(slot) }
        pump()
    }

    deinit {
        path.deallocate()
        body.deallocate()
        buffer.deallocate()
    }

    private func submit(_ slot: Int) {
        let variables = RequestVariables(
            path: UnsafeRawBufferPointer(path),
            body: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(body)[..<(slot * 25)])
        )
        if (try? session.submit(template, variables, slot: UInt32(slot))) != nil { taken[slot] = true }
    }

    func give(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { receive($0) }
        pump()
    }

    func play(_ bytes: UnsafeRawBufferPointer) {
        cut(bytes, seed: seed) { piece, random in
            receive(piece)
            if random & 0x30 == 0 { session.reset(slot: UInt32(random & 7), code: .cancel) }
            pump()
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        session.receive(bytes)
        drain()
    }

    private func drain() {
        var sum = 0
        while let event = try? session.nextEvent() {
            for byte in event.bytes { sum &+= Int(byte) }
            guard event.kind == .closed else { continue }
            precondition(taken[Int(event.slot)], "closed a slot that was free")
            taken[Int(event.slot)] = false
            submit(Int(event.slot))
        }
        precondition(session.openStreams == taken.count { $0 } || sum == -1, "lost count of open requests")
    }

    private func pump() {
        while let count = try? session.collect(into: buffer), count > 0 { drain() }
        drain()
    }
}

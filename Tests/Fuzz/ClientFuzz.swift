// libFuzzer's target on the bytes that a direct client session gets. Compiled together with Sources/HTTP2 by
// scripts/fuzz, not by the package.

/// The first byte says how many requests are open and whether the server's SETTINGS come before the input; the second
/// seeds where the rest is cut into pieces. Requests that end are replaced, so that later bytes find open streams.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzClient(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let fuzz = ClientFuzz(requests: Int(input[0] & 7), seed: input[1])
    // SETTINGS, empty, and the acknowledgement of ours.
    if input[0] & 8 != 0 { fuzz.give([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]) }
    fuzz.play(UnsafeRawBufferPointer(rebasing: input[2...]))
    return 0
}

private final class ClientFuzz {
    private static let slots = 8
    private static let path = Array("/3/device/0123456789abcdef".utf8)
    private static let body = [UInt8](repeating: 65, count: 200)
    private let session: DirectClientSession
    private let template: TemplateID
    private let path = UnsafeMutableRawBufferPointer.allocate(byteCount: ClientFuzz.path.count, alignment: 1)
    private let body = UnsafeMutableRawBufferPointer.allocate(byteCount: ClientFuzz.body.count, alignment: 1)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
    private var taken = [Bool](repeating: false, count: ClientFuzz.slots)
    private var random: UInt8

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
        random = seed
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
        var rest = bytes
        while !rest.isEmpty {
            random = random &* 13 &+ 7
            let count = random & 3 == 0 ? rest.count : min(rest.count, 1 + Int(random >> 2))
            // In memory of its own size, so that reading past its end is found.
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            receive(UnsafeRawBufferPointer(piece))
            piece.deallocate()
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
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

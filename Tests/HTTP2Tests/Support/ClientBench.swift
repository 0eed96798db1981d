import Testing

@testable import HTTP2

/// A client session with a server that is only bytes, made by hand.
final class ClientBench {
    /// How far the connection and its first request (stream 1, slot 0) have come before the bytes of a test.
    enum Stage {
        /// Nothing has come from the server.
        case new
        /// SETTINGS went both ways; no request yet.
        case connected
        /// A request without a body is out.
        case open
        /// The response's header came, without END_STREAM.
        case answered
        /// The response is complete, but the request's body is held up by a window of 0.
        case halfClosed
        /// Request and response are complete.
        case closed
        /// The request was given up by the caller.
        case reset
        /// The request is out but for its body, held up by a window of 0.
        case held
    }

    let client: any ClientSession
    let template: TemplateID
    private var owned: [UInt32: SlotMemory] = [:]
    var events: [Event] = []
    var frames: [ParsedFrame] = []
    private(set) var failure: HTTP2Error?
    /// Every byte that the session has given.
    private var output: [UInt8] = []

    /// An event with its bytes copied.
    struct Event: Equatable {
        var kind: ClientEvent.Kind
        var slot: UInt32
        var status: UInt16
        var endStream: Bool
        var code: HTTP2ErrorCode
        var number: UInt32
        var bytes: [UInt8]
    }

    init(_ kind: SessionKind, _ stage: Stage = .connected, settings: ClientSettings = ClientSettings(slots: 8)) throws {
        client = try kind.make(settings)
        template = client.prepare(
            RequestTemplate(fields: [
                HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":path", .path),
                HeaderField(":authority", "localhost"),
            ])
        )
        if stage == .new { return }
        let isHeld = stage == .halfClosed || stage == .held
        send(Frame.settings(isHeld ? [(4, 0)] : []) + Frame.settingsAcknowledgement)
        if stage != .connected { try submit(0, body: isHeld ? Array("body".utf8) : []) }
        switch stage {
        case .answered: send(Frame.headers(1, Frame.status200))
        case .halfClosed, .closed: send(Frame.headers(1, Frame.status200, end: true))
        case .reset:
            client.reset(slot: 0, code: .cancel)
            pump()
        default: break
        }
        events.removeAll()
        frames.removeAll()
    }

    func submit(_ slot: UInt32, path: String = "/p", body: [UInt8] = []) throws {
        let memory = SlotMemory(path: Array(path.utf8), apnsID: [], body: body)
        try client.submit(template, memory.variables, slot: slot)
        owned[slot] = memory
        pump()
    }

    /// Hands bytes to the session, takes its events, and collects what it answers.
    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            client.receive(bytes)
            drain()
        }
        pump()
    }

    /// Collects what the session has to say and takes the events of that.
    func pump() {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 1)
        defer { buffer.deallocate() }
        do {
            while case let count = try client.collect(into: buffer), count > 0 { bytes += buffer[..<count] }
        } catch {
            failure = failure ?? error
        }
        output += bytes
        frames += ParsedFrame.parse(bytes)
        drain()
    }

    private func drain() {
        do {
            while let event = try client.nextEvent() {
                if event.kind == .closed { owned[event.slot] = nil }
                events.append(
                    Event(
                        kind: event.kind,
                        slot: event.slot,
                        status: event.status,
                        endStream: event.endStream,
                        code: event.code,
                        number: event.number,
                        bytes: Array(event.bytes)
                    )
                )
            }
        } catch {
            failure = failure ?? error
        }
    }

    /// Whether a request is open or waiting in the slot.
    func isTaken(_ slot: UInt32) -> Bool { owned[slot] != nil }

    /// The bytes that the session has given since the last call.
    func bytes(since count: inout Int) -> [UInt8] {
        defer { count = output.count }
        return Array(output[count...])
    }

    /// The code of the GOAWAY that ended the connection for a violation.
    var violation: HTTP2ErrorCode? {
        if case .violation(let code, _) = failure { return code }
        return nil
    }

    /// The codes of RST_STREAM frames sent for stream 1.
    var resets: [HTTP2ErrorCode] {
        frames.filter { $0.type == FrameType.resetStream && $0.stream == 1 }
            .map { HTTP2ErrorCode(rawValue: $0.payload.reduce(0) { $0 << 8 | UInt32($1) }) }
    }

    /// Whether the session still answers a PING.
    func isAlive() -> Bool {
        let before = frames.count
        send(Frame.ping())
        return failure == nil && frames[before...].contains { $0.type == FrameType.ping && $0.flags == 1 }
    }
}

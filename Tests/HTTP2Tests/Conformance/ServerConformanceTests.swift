import Testing

@testable import HTTP2

/// Every rule of `ServerConformanceCase`, with its bytes in one piece and byte by byte.
@Suite struct ServerConformanceTests {
    @Test(arguments: ServerConformanceCase.all) func theClientsFrame(item: ServerConformanceCase) throws {
        for piece in item.bytes.count < 2000 ? [1, Int.max] : [1000] {
            let bench = try ServerBench(item.stage)
            bench.feed(item.bytes, piece: piece)
            switch item.answer {
            case .connectionError(let code):
                #expect(bench.violation == code)
                let goAways = bench.frames.filter { $0.type == FrameType.goAway }
                #expect(goAways.map { Array($0.payload[4..<8]) } == [Frame.bigEndian(code.rawValue)])
            case .streamError(let code):
                #expect(bench.resets == [code])
                #expect(bench.events.filter { $0.kind == .closed }.map(\.code) == [code])
                #expect(bench.server.openStreams == 0)
                #expect(bench.isAlive())
            case .closed(let code):
                #expect(bench.events.map(\.kind) == [.closed])
                #expect(bench.events.map(\.code) == [code])
                #expect(bench.resets.isEmpty)
                #expect(bench.isAlive())
            case .request:
                #expect(bench.events.map(\.kind) == [.request])
                #expect(bench.resets.isEmpty)
                #expect(bench.isAlive())
            case .ignored:
                #expect(bench.events.isEmpty)
                #expect(bench.resets.isEmpty)
                #expect(bench.isAlive())
            }
        }
    }
}

/// A server session with a client that is only bytes, brought to a stage.
final class ServerBench {
    let server: ServerSession
    private(set) var events: [(kind: ServerEvent.Kind, code: HTTP2ErrorCode)] = []
    private(set) var frames: [ParsedFrame] = []
    private(set) var failure: HTTP2Error?

    init(_ stage: ServerConformanceCase.Stage, settings: ServerSettings = ServerSettings()) throws {
        server = try ServerSession(settings: settings)
        if stage == .new { return }
        feed(Frame.preface + Frame.settings() + Frame.settingsAcknowledgement)
        let ok = server.prepare(ResponseTemplate(status: 200))
        if stage != .idle {
            let isComplete = [.complete, .answered, .goingAway].contains(stage)
            feed(Frame.headers(1, ServerConformanceCase.header, end: isComplete))
        }
        let handle = StreamHandle(index: 0, stream: 1)
        switch stage {
        case .new, .idle, .open, .complete: break
        case .answered: try #expect(server.respond(handle, ok))
        case .resetByServer: server.reset(handle, code: .refusedStream)
        case .resetByClient: feed(Frame.reset(1, code: 8))
        case .goingAway: try server.goAway(code: .noError)
        }
        feed([])
        events.removeAll()
        frames.removeAll()
    }

    var violation: HTTP2ErrorCode? {
        if case .violation(let code, _) = failure { return code }
        return nil
    }

    /// The codes of RST_STREAM frames.
    var resets: [HTTP2ErrorCode] {
        frames.filter { $0.type == FrameType.resetStream }
            .map { HTTP2ErrorCode(rawValue: $0.payload.reduce(0) { $0 << 8 | UInt32($1) }) }
    }

    /// Hands in bytes, takes the events and collects what is due.
    func feed(_ bytes: [UInt8], piece: Int = .max) {
        for start in stride(from: 0, to: bytes.count, by: max(1, min(piece, bytes.count))) {
            Array(bytes[start..<min(bytes.count, start + min(piece, bytes.count))])
                .withUnsafeBytes {
                    server.receive($0)
                    drain()
                }
        }
        drain()
        collect()
        drain()
    }

    private func drain() {
        do throws(HTTP2Error) {
            while let event = try server.nextEvent() {
                if event.kind != .settingsAcknowledged && event.kind != .ping {
                    events.append((event.kind, event.code))
                }
            }
        } catch {
            failure = error
        }
    }

    private func collect() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while let count = try? server.collect(into: buffer), count > 0 { bytes += buffer[..<count] }
        frames += ParsedFrame.parse(bytes)
    }

    /// Whether the connection still answers a PING.
    func isAlive() -> Bool {
        let before = frames.count
        feed(Frame.ping())
        return failure == nil
            && frames[before...].contains { $0.type == FrameType.ping && $0.flags == FrameFlag.acknowledgement }
    }
}

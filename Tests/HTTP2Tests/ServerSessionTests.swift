import Testing

@testable import HTTP2

/// Server sessions fed with frames made by hand.
@Suite struct ServerSessionTests {
    /// A server with a client that is only bytes.
    private final class Bench {
        let server: ServerSession
        var events: [(kind: ServerEvent.Kind, stream: StreamHandle, code: HTTP2ErrorCode, number: UInt32)] = []
        var debug: [String] = []

        init(_ settings: ServerSettings = ServerSettings(capture: .named(["authorization", "apns-topic"]))) throws {
            server = try ServerSession(settings: settings)
            try feed(Frame.preface + Frame.settings())
            _ = try sent()
            events.removeAll()
        }

        func feed(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { bytes in
                server.receive(bytes)
                try drain()
            }
        }

        func drain() throws {
            while let event = try server.nextEvent() {
                events.append((event.kind, event.stream, event.code, event.number))
                debug.append(String(decoding: event.bytes, as: UTF8.self))
            }
        }

        func sent() throws -> [ParsedFrame] {
            var bytes: [UInt8] = []
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 1)
            defer { buffer.deallocate() }
            while case let count = try server.collect(into: buffer), count > 0 { bytes += buffer[..<count] }
            return ParsedFrame.parse(bytes)
        }

        func request(_ fields: [(String, String)], stream: UInt32 = 1, body: [UInt8]? = nil) throws {
            let block = HeaderBlock.literal(fields)
            try feed(Frame.headers(stream, block, end: body == nil))
            if let body { try feed(Frame.data(stream, body, end: true)) }
        }

        func view() throws -> RequestView {
            let event = try #require(events.last { $0.kind == .request })
            return try #require(server.request(event.stream))
        }
    }

    private static let pseudo = [(":method", "POST"), (":scheme", "https"), (":path", "/p")]

    private func text(_ bytes: UnsafeRawBufferPointer?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func knownHeadersAreCaptured() throws {
        let bench = try Bench()
        let fields = Self.pseudo + [(":authority", "h"), ("authorization", "bearer a"), ("x-other", "o")]
        try bench.request(fields, body: Array("body".utf8))
        let view = try bench.view()
        #expect(text(view.method) == "POST")
        #expect(text(view.scheme) == "https")
        #expect(text(view.path) == "/p")
        #expect(text(view.authority) == "h")
        #expect(text(view.value(at: 0)) == "bearer a")
        #expect(view.value(at: 1) == nil)
        #expect(!view.isDuplicated(at: 0))
        #expect(text(view.body) == "body")
        #expect(view.bodyLength == 4)
        #expect(!view.isBodyTruncated)
        #expect(!view.isHeaderTruncated)
        #expect(view.headerSize == fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 })
    }

    @Test func aSecondValueIsFlaggedAndTheFirstKept() throws {
        let bench = try Bench()
        try bench.request(Self.pseudo + [(":authority", "h"), ("apns-topic", "one"), ("apns-topic", "two")])
        let view = try bench.view()
        #expect(text(view.value(at: 1)) == "one")
        #expect(view.isDuplicated(at: 1))
        #expect(!view.isDuplicated(at: 0))
        #expect(view.body.isEmpty)
    }

    @Test func hostStandsInForAuthority() throws {
        let bench = try Bench()
        try bench.request(Self.pseudo + [("host", "localhost")])
        #expect(text(try bench.view().authority) == "localhost")
    }

    @Test func trailersAreNotTakenForHeaders() throws {
        let bench = try Bench()
        try bench.feed(Frame.headers(1, HeaderBlock.literal(Self.pseudo + [(":authority", "h")])))
        try bench.feed(Frame.data(1, [1]))
        try bench.feed(Frame.headers(1, HeaderBlock.literal([("apns-topic", "late")]), end: true))
        #expect(try bench.view().value(at: 1) == nil)
        #expect(Array(try bench.view().body) == [1])
    }

    @Test func aRequestWithoutPathIsReset() throws {
        let bench = try Bench()
        try bench.request([(":method", "POST"), (":scheme", "https"), (":authority", "h")])
        let reset = try #require(try bench.sent().first { $0.type == 3 })
        #expect(reset.payload == Frame.bigEndian(HTTP2ErrorCode.protocolError.rawValue))
        try bench.drain()
        #expect(bench.events.map(\.kind) == [.closed])
    }

    @Test func longBodiesAndHeadersAreCut() throws {
        var settings = ServerSettings(capture: .named(["apns-topic"]))
        settings.maximumBody = 10
        settings.maximumHeader = 200
        let bench = try Bench(settings)
        let fields = Self.pseudo + [(":authority", "h"), ("x-long", String(repeating: "l", count: 100))]
        try bench.feed(Frame.headers(1, HeaderBlock.literal(fields + [("apns-topic", "t")])))
        try bench.feed(
            Frame.data(1, Array(repeating: 7, count: 8)) + Frame.data(1, Array(repeating: 8, count: 8), end: true)
        )
        let view = try bench.view()
        #expect(view.isHeaderTruncated)
        #expect(view.value(at: 0) == nil)
        #expect(view.isBodyTruncated)
        #expect(view.bodyLength == 16)
        #expect(Array(view.body) == [7, 7, 7, 7, 7, 7, 7, 7, 8, 8])
    }

    @Test func capturingNothingStillCountsTheBody() throws {
        let bench = try Bench(ServerSettings(capture: .nothing))
        try bench.request(Self.pseudo + [(":authority", "h")], body: Array(repeating: 1, count: 100))
        let view = try bench.view()
        #expect(view.path == nil)
        #expect(view.body.isEmpty)
        #expect(view.bodyLength == 100)
    }

    @Test func storageIsReusedWithoutTraces() throws {
        let bench = try Bench()
        let ok = bench.server.prepare(ResponseTemplate(status: 200))
        try bench.request(
            Self.pseudo + [(":authority", "h"), ("apns-topic", "a"), ("apns-topic", "b")],
            body: Array(repeating: 1, count: 3000)
        )
        let first = try #require(bench.events.last).stream
        try bench.server.respond(first, ok)
        _ = try bench.sent()
        try bench.drain()
        #expect(bench.server.request(first) == nil)
        try bench.request(Self.pseudo + [(":authority", "i")], stream: 3, body: [2])
        let view = try bench.view()
        #expect(bench.events.last?.stream.index == first.index)
        #expect(view.value(at: 1) == nil)
        #expect(!view.isDuplicated(at: 1))
        #expect(Array(view.body) == [2])
        #expect(bench.server.request(first) == nil)
        let answered = try bench.server.respond(first, ok)
        #expect(!answered)
    }

    @Test func streamsAboveTheAcknowledgedLimitAreFlagged() throws {
        var settings = ServerSettings()
        settings.announced.streamLimit = 1
        let bench = try Bench(settings)
        // The client has not acknowledged yet: it may open as many as it likes.
        for stream: UInt32 in [1, 3] { try bench.request(Self.pseudo + [(":authority", "h")], stream: stream) }
        #expect(try !bench.view().isOverLimit)
        try bench.feed(Frame.settingsAcknowledgement)
        #expect(bench.events.last?.kind == .settingsAcknowledged)
        #expect(bench.events.last?.number == 1)
        try bench.request(Self.pseudo + [(":authority", "h")], stream: 5)
        #expect(try bench.view().isOverLimit)
        #expect(bench.server.openStreams == 3)
    }

    @Test func streamsThatFindNoRoomAreRefused() throws {
        var settings = ServerSettings()
        settings.maximumStreams = 2
        let bench = try Bench(settings)
        for stream: UInt32 in [1, 3, 5] { try bench.request(Self.pseudo + [(":authority", "h")], stream: stream) }
        #expect(bench.events.filter { $0.kind == .request }.count == 2)
        let refused = try bench.sent().filter { $0.type == 3 }
        #expect(refused.map(\.stream) == [5])
        #expect(refused.map(\.payload) == [Frame.bigEndian(7)])
    }

    @Test func settingsSayWhatWasAnnounced() throws {
        let server = try ServerSession(settings: ServerSettings())
        try server.announce(SettingsChange(headerTableSize: 0, streamLimit: 5, initialWindowSize: 9))
        try server.announce(SettingsChange(maximumFrameSize: 20000, maximumHeaderListSize: 8000))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        let count = try server.collect(into: buffer)
        let frames = ParsedFrame.parse(Array(buffer[..<count])).filter { $0.type == 4 }.map(\.payload)
        #expect(frames[0] == [0, 3, 0, 0, 3, 232])
        #expect(frames[1] == [0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 5, 0, 4, 0, 0, 0, 9])
        #expect(frames[2] == [0, 5, 0, 0, 78, 32, 0, 6, 0, 0, 31, 64])
    }

    @Test func answersCarryTheirVariables() throws {
        let bench = try Bench()
        let template = bench.server.prepare(
            ResponseTemplate(
                status: 429,
                fields: [
                    ResponseField("apns-id", .apnsID), ResponseField("retry-after", .retryAfter),
                    ResponseField("apns-unique-id", .apnsUniqueID), ResponseField("content-length", .contentLength),
                ],
                body: Array("canned".utf8)
            )
        )
        try bench.request(Self.pseudo + [(":authority", "h")])
        try bench.request(Self.pseudo + [(":authority", "h")], stream: 3)
        let streams = bench.events.map(\.stream)
        try bench.server.respond(streams[0], template)
        do {
            // The variables' memory is gone when the frames are serialised.
            let owned = Array("some-id".utf8)
            try owned.withUnsafeBytes { bytes in
                var variables = ResponseVariables()
                variables.apnsID = bytes
                variables.body = bytes
                try bench.server.respond(streams[1], template, variables)
            }
        }
        let frames = try bench.sent()
        let decoder = try HeaderBlock.Decoder()
        let headers = try frames.filter { $0.type == 1 }
            .map { try decoder.decode($0.payload).map { [$0.name, $0.value] } }
        #expect(headers[0] == [[":status", "429"], ["content-length", "6"]])
        #expect(headers[1] == [[":status", "429"], ["apns-id", "some-id"], ["content-length", "7"]])
        #expect(
            frames.filter { $0.type == 0 }.map { String(decoding: $0.payload, as: UTF8.self) } == ["canned", "some-id"]
        )
    }

    @Test func goAwaySaysWhatItWasTold() throws {
        let bench = try Bench()
        for stream: UInt32 in [1, 7] { try bench.request(Self.pseudo + [(":authority", "h")], stream: stream) }
        try bench.server.goAway(code: .enhanceYourCalm, debug: Array("too_many_pings".utf8))
        try bench.server.goAway(lastStream: 3, code: .noError)
        let frames = try bench.sent().filter { $0.type == 7 }.map(\.payload)
        #expect(frames[0] == Frame.bigEndian(7) + Frame.bigEndian(11) + Array("too_many_pings".utf8))
        #expect(frames[1] == Frame.bigEndian(3) + Frame.bigEndian(0))
        // Stream 1 is still open, and the connection with it.
        try bench.feed(Frame.ping())
        #expect(bench.events.last?.kind == .ping)
    }

    @Test func theClientsGoAwayIsHandedOver() throws {
        let bench = try Bench()
        try bench.feed(Frame.goAway(last: 0, code: 2, debug: "bye"))
        #expect(bench.events.last?.kind == .goAway)
        #expect(bench.events.last?.code == .internalError)
        #expect(bench.debug.last == "bye")
    }

    @Test func aStrangerIsTurnedAway() throws {
        let server = try ServerSession(settings: ServerSettings())
        Array("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
            .withUnsafeBytes { bytes in
                server.receive(bytes)
                let error = HTTP2Error.violation(code: .protocolError, reason: "no HTTP/2 preface")
                for _ in 0..<2 { #expect(throws: error) { try server.nextEvent() } }
            }
    }

    @Test(arguments: [
        ("DATA on stream 0", Frame.data(0, [1]), HTTP2ErrorCode.protocolError),
        (
            "a frame above the maximum size", Frame.make(0, stream: 1, Array(repeating: 0, count: 16385)),
            .frameSizeError
        ),
        (
            "a broken header block", Frame.headers(1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], end: true),
            .compressionError
        ),
        ("SETTINGS of 5 bytes", Frame.make(4, [0, 1, 0, 0, 0]), .frameSizeError),
        ("a window above 2^31-1", Frame.windowUpdate(0, 0x7fff_ffff), .flowControlError),
        ("an even stream", Frame.headers(2, HeaderBlock.literal(pseudo), end: true), .protocolError),
    ])
    func violationsEndTheConnection(name: String, bytes: [UInt8], code: HTTP2ErrorCode) throws {
        let bench = try Bench()
        #expect(throws: HTTP2Error.self) { try bench.feed(bytes) }
        #expect(bench.server.wantsWrite)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 1)
        defer { buffer.deallocate() }
        let count = try bench.server.collect(into: buffer)
        let goAway = try #require(ParsedFrame.parse(Array(buffer[..<count])).last)
        #expect(goAway.type == 7)
        #expect(Array(goAway.payload[4..<8]) == Frame.bigEndian(code.rawValue))
        #expect { try bench.server.collect(into: buffer) } throws: { error in
            guard case .violation(let found, _) = error as? HTTP2Error else { return false }
            return found == code
        }
    }
}

import Testing

@testable import HTTP2

@Suite struct CannedServerSessionTests {
    private static let answer = ResponseTemplate(
        status: 200,
        fields: [ResponseField("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")]
    )

    private func collectAll(_ server: CannedServerSession) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = server.collect(into: buffer), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    private func give(_ bytes: [UInt8], to server: CannedServerSession, chunk: Int = .max) throws {
        for start in stride(from: 0, to: bytes.count, by: max(1, min(chunk, bytes.count))) {
            try Array(bytes[start..<min(bytes.count, start + min(chunk, bytes.count))])
                .withUnsafeBytes {
                    try server.receive($0)
                }
        }
    }

    @Test(arguments: SessionKind.allCases, [1, 13, 1 << 20])
    func everyRequestIsAnswered(kind: SessionKind, chunk: Int) throws {
        let server = CannedServerSession(answer: Self.answer, streamLimit: 7)
        let bench = try ClientBench(kind, .new, settings: ClientSettings(slots: 20))
        for slot in 0..<20 { try bench.submit(UInt32(slot), body: Array(repeating: 1, count: slot * 100)) }
        var seen = 0
        for _ in 0..<20 {
            try give(bench.bytes(since: &seen), to: server, chunk: chunk)
            let back = collectAll(server)
            for start in stride(from: 0, to: back.count, by: chunk) {
                bench.send(Array(back[start..<min(back.count, start + chunk)]))
            }
        }
        #expect(bench.failure == nil)
        #expect(server.answered == 20)
        #expect(bench.events.filter { $0.kind == .headers && $0.status == 200 && $0.endStream }.count == 20)
        #expect(bench.events.filter { $0.kind == .closed && $0.code == .noError }.count == 20)
        #expect(bench.client.streamLimit == 7)
    }

    @Test func bodiesWaitForTheConnectionsWindow() throws {
        var answer = Self.answer
        answer.body = Array(repeating: 9, count: 16_000)
        let server = CannedServerSession(answer: answer, streamLimit: 100)
        try give(Frame.preface + Frame.settings(), to: server)
        _ = collectAll(server)
        for stream: UInt32 in [1, 3, 5, 7, 9] { try give(Frame.headers(stream, [0x82], end: true), to: server) }
        let before = ParsedFrame.parse(collectAll(server))
        #expect(before.filter { $0.type == 1 }.count == 5)
        #expect(before.filter { $0.type == 0 }.map(\.stream) == [1, 3, 5, 7])
        try give(Frame.reset(11, code: 8), to: server, expecting: .protocolError)
    }

    @Test func aWindowLetsTheRestOut() throws {
        var answer = Self.answer
        answer.body = Array(repeating: 9, count: 16_000)
        let server = CannedServerSession(answer: answer, streamLimit: 100)
        try give(Frame.preface + Frame.settings(), to: server)
        for stream: UInt32 in [1, 3, 5, 7, 9, 11] { try give(Frame.headers(stream, [0x82], end: true), to: server) }
        _ = collectAll(server)
        try give(Frame.reset(9, code: 8) + Frame.windowUpdate(0, 40_000), to: server)
        #expect(ParsedFrame.parse(collectAll(server)).map(\.stream) == [11])
    }

    @Test func theRestOfTheProtocolIsKept() throws {
        let server = CannedServerSession(answer: Self.answer, streamLimit: 100)
        let bytes =
            Frame.preface + Frame.settings([(1, 0), (4, 70_000)]) + Frame.settingsAcknowledgement + Frame.ping()
            + Frame.headers(1, [0x83], endHeaders: false) + Frame.continuation(1, [0x87])
            + Frame.make(0, flags: 9, stream: 1, [2, 65, 0, 0]) + Frame.make(2, stream: 9, [0, 0, 0, 0, 1])
            + Frame.headers(3, [0x83]) + Frame.reset(3, code: 8) + Frame.goAway(last: 0, code: 0)
        try give(bytes, to: server, chunk: 3)
        let frames = ParsedFrame.parse(collectAll(server))
        #expect(frames.first?.payload == [0, 3, 0, 0, 0, 100, 0, 4, 0x7f, 0xff, 0xff, 0xff])
        #expect(frames.contains { $0.type == 4 && $0.flags == 1 })
        #expect(frames.contains { $0.type == 6 && $0.flags == 1 && $0.payload == Array(1...8) })
        // The table was forbidden before the first answer.
        let decoder = try HeaderBlock.Decoder()
        let block = try #require(frames.first { $0.type == 1 }).payload
        #expect(try decoder.decode(block).map(\.name) == [":status", "apns-id"])
        #expect(block.first == 0x20)
        #expect(server.answered == 1)
    }

    @Test(arguments: [
        ("no preface", Array("GET / HTTP/1.1\r\n".utf8), HTTP2ErrorCode.protocolError),
        ("no SETTINGS first", Frame.preface + Frame.ping(), .protocolError),
        ("an even stream", Frame.preface + Frame.settings() + Frame.headers(2, [0x82], end: true), .protocolError),
        ("HEADERS on stream 0", Frame.preface + Frame.settings() + Frame.headers(0, [0x82], end: true), .protocolError),
        ("DATA on an idle stream", Frame.preface + Frame.settings() + Frame.data(1, [1]), .protocolError),
        ("RST_STREAM on an idle stream", Frame.preface + Frame.settings() + Frame.reset(1, code: 0), .protocolError),
        (
            "WINDOW_UPDATE on an idle stream", Frame.preface + Frame.settings() + Frame.windowUpdate(1, 1),
            .protocolError
        ),
        ("PUSH_PROMISE", Frame.preface + Frame.settings() + Frame.make(5, stream: 1, [0, 0, 0, 2]), .protocolError),
        (
            "a frame that is too long",
            Frame.preface + Frame.settings() + Frame.make(9, Array(repeating: 0, count: 16_385)), .frameSizeError
        ),
        ("SETTINGS_ENABLE_PUSH 2", Frame.preface + Frame.settings([(2, 2)]), .protocolError),
    ])
    func violationsEndTheConnection(name: String, bytes: [UInt8], code: HTTP2ErrorCode) throws {
        try give(bytes, to: CannedServerSession(answer: Self.answer, streamLimit: 1), expecting: code)
    }

    private func give(_ bytes: [UInt8], to server: CannedServerSession, expecting code: HTTP2ErrorCode) throws {
        #expect { try give(bytes, to: server) } throws: { error in
            guard case .violation(let found, _) = error as? HTTP2Error else { return false }
            return found == code
        }
        let goAway = try #require(ParsedFrame.parse(collectAll(server)).last)
        #expect(goAway.type == FrameType.goAway)
        #expect(Array(goAway.payload[4..<8]) == Frame.bigEndian(code.rawValue))
        #expect(throws: HTTP2Error.self) { try give(Frame.ping(), to: server) }
    }
}

import Testing

@testable import HTTP2

/// What a server session can be told to do, and what it tells of a client's ways.
@Suite struct ServerPolicyTests {
    private static let header = HeaderBlock.literal(ServerConformanceCase.pseudo)
    private static let body = [UInt8](repeating: 1, count: 10_000)

    private func updates(_ bench: ServerBench) -> [UInt32] {
        bench.frames.filter { $0.type == FrameType.windowUpdate }.map(\.stream)
    }

    // MARK: RFC 9113, section 6.9

    @Test(arguments: [
        (WindowUpdatePolicy.atOnce, [UInt32(0), 1, 0, 1, 0, 1]), (.whenHalfUsed, []), (.never, []),
    ])
    func windowsAreGivenBackByPolicy(policy: WindowUpdatePolicy, expected: [UInt32]) throws {
        var settings = ServerSettings()
        settings.windowUpdates = policy
        let bench = try ServerBench(.open, settings: settings)
        for _ in 0..<3 { bench.feed(Frame.data(1, Self.body)) }
        #expect(updates(bench) == expected)
        bench.feed(Frame.data(1, Self.body))
        // 40,000 of 65,535 bytes are used.
        #expect(updates(bench).contains(1) == (policy != .never))
    }

    @Test func aWindowThatIsNeverGivenBackIsHeld() throws {
        var settings = ServerSettings()
        settings.windowUpdates = .never
        settings.connectionWindow = 1 << 20
        let bench = try ServerBench(.open, settings: settings)
        for _ in 0..<7 { bench.feed(Frame.data(1, Self.body)) }
        #expect(bench.resets == [.flowControlError])
        #expect(bench.isAlive())
        // Padding counts as well, and so does what comes for a stream that was reset.
        for _ in 0..<103 { bench.feed(Frame.data(1, Self.body)) }
        #expect(bench.violation == .flowControlError)
    }

    @Test func aSmallerWindowHoldsFromItsAcknowledgementOn() throws {
        let bench = try ServerBench(.open)
        bench.feed(Frame.data(1, Self.body))
        try bench.server.announce(SettingsChange(initialWindowSize: 12_000))
        bench.feed(Frame.data(1, Array(Self.body.prefix(1000))))
        #expect(bench.resets.isEmpty)
        bench.feed(Frame.settingsAcknowledgement + Frame.data(1, Array(Self.body.prefix(2000))))
        #expect(bench.resets == [.flowControlError])
    }

    @Test func aLargerFrameSizeIsTakenAtOnce() throws {
        let bench = try ServerBench(.open)
        try bench.server.announce(SettingsChange(maximumFrameSize: 20_000))
        bench.feed(Frame.data(1, [UInt8](repeating: 2, count: 20_000), end: true))
        #expect(bench.events.map(\.kind) == [.request])
        bench.feed(Frame.make(0x2a, [UInt8](repeating: 0, count: 20_001)))
        #expect(bench.violation == .frameSizeError)
    }

    @Test(arguments: [
        SettingsChange(initialWindowSize: 1 << 31), SettingsChange(maximumFrameSize: 16_383),
        SettingsChange(maximumFrameSize: 1 << 24),
    ])
    func valuesOutOfRangeAreNotAnnounced(change: SettingsChange) throws {
        let bench = try ServerBench(.idle)
        #expect {
            try bench.server.announce(change)
        } throws: { error in
            guard case .invalidSetting(let text) = error as? HTTP2Error else { return false }
            return text.hasPrefix("SETTINGS_")
        }
        #expect(bench.isAlive())
    }

    // MARK: RFC 7541

    /// Section 4.2: after the table was forbidden, the next block must say so.
    @Test func aSmallerTableMustBeConfirmed() throws {
        let bench = try ServerBench(.idle)
        try bench.server.announce(SettingsChange(headerTableSize: 0))
        bench.feed(Frame.headers(1, Self.header, end: true))
        bench.feed(Frame.settingsAcknowledgement + Frame.headers(3, [0x20] + Self.header, end: true))
        #expect(bench.events.map(\.kind) == [.request, .request])
        try bench.server.announce(SettingsChange(headerTableSize: 4096))
        try bench.server.announce(SettingsChange(headerTableSize: 100))
        bench.feed(Frame.settingsAcknowledgement + Frame.headers(5, [0x3f, 0xe1, 0x1f] + Self.header, end: true))
        #expect(bench.events.count == 3)
        bench.feed(Frame.settingsAcknowledgement + Frame.headers(7, Self.header, end: true))
        #expect(bench.violation == .compressionError)
    }

    /// Section 7.1.3: what a client should not index is seen.
    @Test func indexingIsTold() throws {
        let settings = ServerSettings(capture: .named(["authorization", "apns-topic", "apns-id"]))
        let bench = try ServerBench(.idle, settings: settings)
        let pseudo: [UInt8] = [0x83, 0x87, 0x44] + HPACKCoding.plain("/p")
        let indexed = [0x57] + HPACKCoding.plain("bearer a")
        let never = [0x10] + HPACKCoding.plain("apns-id") + HPACKCoding.plain("i")
        let plain = [0x00] + HPACKCoding.plain("apns-topic") + HPACKCoding.plain("t")
        bench.feed(Frame.headers(1, pseudo + indexed + never + plain, end: true))
        // From the table: authorization is the newest entry, the path the one before.
        bench.feed(Frame.headers(3, [0x83, 0x87, 0xbf, 0xbe], end: true))
        for stream: Int32 in [1, 3] {
            let handle = StreamHandle(index: UInt32(stream / 2), stream: stream)
            let view = try #require(bench.server.request(handle))
            #expect(view.isPathIndexed)
            #expect(view.isIndexed(at: 0) && !view.isIndexed(at: 1) && !view.isIndexed(at: 2))
            #expect(view.isNeverIndexed(at: 2) == (stream == 1))
            #expect(!view.isNeverIndexed(at: 0))
            #expect(view.value(at: 0).map { String(decoding: $0, as: UTF8.self) } == "bearer a")
        }
    }

    // MARK: RFC 9113, section 6.8

    @Test func aGOAWAYOnlyFalls() throws {
        let bench = try ServerBench(.idle)
        for stream: UInt32 in [1, 3, 5] { bench.feed(Frame.headers(stream, Self.header, end: true)) }
        try bench.server.goAway(lastStream: Int32.max, code: .noError)
        bench.feed(Frame.headers(7, Self.header, end: true))
        try bench.server.goAway(lastStream: 3, code: .noError)
        try bench.server.goAway(lastStream: 5, code: .enhanceYourCalm, debug: Array("bye".utf8))
        bench.feed(Frame.headers(9, Self.header, end: true))
        let goAways = bench.frames.filter { $0.type == FrameType.goAway }.map(\.payload)
        #expect(goAways.map { Array($0.prefix(4)) } == [Int32.max, 3, 3].map { Frame.bigEndian(UInt32($0)) })
        #expect(goAways.last?.suffix(3) == Array("bye".utf8)[...])
        #expect(bench.events.filter { $0.kind == .request }.count == 4)
        #expect(bench.events.filter { $0.kind == .closed }.map(\.code) == [.refusedStream, .refusedStream])
        #expect(bench.server.openStreams == 2)
        #expect(bench.isAlive())
    }

    // MARK: Answers

    @Test func largeAnswersAreCutIntoContinuations() throws {
        let bench = try ServerBench(.complete)
        let template = bench.server.prepare(
            ResponseTemplate(status: 200, fields: [ResponseField("apns-id", .apnsID)], body: [7])
        )
        let long = [UInt8](repeating: 97, count: 40_000)
        try long.withUnsafeBytes {
            var variables = ResponseVariables()
            variables.apnsID = $0
            try #expect(bench.server.respond(StreamHandle(index: 0, stream: 1), template, variables))
        }
        bench.feed([])
        #expect(
            bench.frames.map(\.type) == [
                FrameType.headers, FrameType.continuation, FrameType.continuation, FrameType.data,
            ]
        )
        #expect(bench.frames.map(\.flags) == [0, 0, FrameFlag.endHeaders, FrameFlag.endStream])
        let block = bench.frames.prefix(3).flatMap(\.payload)
        #expect(try HeaderBlock.Decoder().decode(block).map(\.value.utf8.count) == [3, 40_000])
    }

    /// A client that reads no answers is left before they fill the memory.
    @Test func unreadAnswersHaveALimit() throws {
        let server = try ServerSession(settings: ServerSettings())
        let ok = server.prepare(ResponseTemplate(status: 200, body: [UInt8](repeating: 1, count: 1000)))
        var error: HTTP2Error?
        func give(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes {
                server.receive($0)
                do throws(HTTP2Error) {
                    while let event = try server.nextEvent() {
                        if event.kind == .request { try server.respond(event.stream, ok) }
                    }
                } catch let found {
                    error = found
                }
            }
        }
        give(Frame.preface + Frame.settings() + Frame.windowUpdate(0, 1 << 30))
        for stream in stride(from: UInt32(1), to: 10_001, by: 2) where error == nil {
            give(Frame.headers(stream, Self.header, end: true))
        }
        #expect(error == .violation(code: .enhanceYourCalm, reason: "answers are not read"))
    }
}

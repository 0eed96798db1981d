import Testing

@testable import HTTP2

/// What takes more than one frame, for every client session: windows, limits, ends.
@Suite struct ClientProtocolTests {
    private func dataBytes(_ bench: ClientBench, stream: UInt32 = 1) -> Int {
        bench.frames.filter { $0.type == FrameType.data && $0.stream == stream }.reduce(0) { $0 + $1.payload.count }
    }

    private func isEnded(_ bench: ClientBench, stream: UInt32 = 1) -> Bool {
        bench.frames.contains { $0.type == FrameType.data && $0.stream == stream && $0.flags & 1 == 1 }
    }

    // MARK: RFC 9113, sections 6.9 and 5.2: flow control

    @Test(arguments: SessionKind.allCases)
    func aBodyStopsAtTheStreamsWindowAndGoesOn(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        bench.send(Frame.settings([(4, 10)]))
        try bench.submit(0, body: Array(repeating: 7, count: 25))
        #expect(dataBytes(bench) == 10)
        #expect(!bench.client.wantsWrite)
        bench.send(Frame.windowUpdate(1, 7))
        #expect(dataBytes(bench) == 17)
        #expect(!isEnded(bench))
        bench.send(Frame.windowUpdate(1, 100))
        #expect(dataBytes(bench) == 25)
        #expect(isEnded(bench))
    }

    /// RFC 9113, section 6.9.2: a window below zero must be filled up before anything is sent.
    @Test(arguments: SessionKind.allCases)
    func aWindowMayFallBelowZero(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        bench.send(Frame.settings([(4, 60)]))
        try bench.submit(0, body: Array(repeating: 7, count: 100))
        #expect(dataBytes(bench) == 60)
        bench.send(Frame.settings([(4, 20)]))
        bench.send(Frame.windowUpdate(1, 40))
        #expect(dataBytes(bench) == 60)
        bench.send(Frame.windowUpdate(1, 1))
        #expect(dataBytes(bench) == 61)
        bench.send(Frame.settings([(4, 30)]))
        #expect(dataBytes(bench) == 71)
        bench.send(Frame.settings([(4, 59)]))
        #expect(dataBytes(bench) == 100)
        #expect(isEnded(bench))
    }

    @Test(arguments: SessionKind.allCases)
    func theConnectionsWindowHoldsAllStreams(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        for slot in 0..<4 { try bench.submit(UInt32(slot), body: Array(repeating: 7, count: 30_000)) }
        let sent = { [1, 3, 5, 7].reduce(0) { $0 + self.dataBytes(bench, stream: $1) } }
        #expect(sent() == 65_535)
        #expect(!bench.client.wantsWrite)
        // Headers are not held up, and neither are requests without a body.
        try bench.submit(4)
        #expect(bench.frames.last?.stream == 9)
        bench.send(Frame.windowUpdate(0, 1))
        #expect(sent() == 65_536)
        bench.send(Frame.windowUpdate(0, 1 << 20))
        #expect(sent() == 120_000)
        #expect([1, 3, 5, 7].allSatisfy { isEnded(bench, stream: $0) })
    }

    @Test(arguments: SessionKind.allCases)
    func framesKeepToThePeersMaximum(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        bench.send(Frame.settings([(4, 1 << 20)]) + Frame.windowUpdate(0, 1 << 20))
        try bench.submit(0, body: Array(repeating: 7, count: 40_000))
        #expect(dataBytes(bench) == 40_000)
        #expect(bench.frames.allSatisfy { $0.payload.count <= 16_384 })
    }

    @Test(arguments: SessionKind.allCases)
    func windowsAreGivenBack(kind: SessionKind) throws {
        var settings = ClientSettings(slots: 2)
        settings.streamWindow = 1000
        settings.connectionWindow = 65_535
        let bench = try ClientBench(kind, .answered, settings: settings)
        bench.send(Frame.data(1, Array(repeating: 0, count: 499)))
        #expect(bench.frames.isEmpty)
        bench.send(Frame.data(1, Array(repeating: 0, count: 1)))
        #expect(bench.frames == [ParsedFrame(type: 8, flags: 0, stream: 1, payload: Frame.bigEndian(500))])
        for _ in 0..<65 { bench.send(Frame.data(1, Array(repeating: 0, count: 500))) }
        let given = bench.frames.filter { $0.stream == 0 }.map { $0.payload.reduce(0) { $0 << 8 | UInt32($1) } }
        #expect(given == [33_000])
        #expect(bench.failure == nil)
    }

    @Test(arguments: SessionKind.allCases)
    func paddingCountsForTheWindows(kind: SessionKind) throws {
        var settings = ClientSettings(slots: 2)
        settings.streamWindow = 300
        let bench = try ClientBench(kind, .answered, settings: settings)
        bench.send(Frame.make(0, flags: 8, stream: 1, [149] + Array(repeating: 0, count: 149)))
        #expect(bench.frames == [ParsedFrame(type: 8, flags: 0, stream: 1, payload: Frame.bigEndian(150))])
    }

    @Test(arguments: SessionKind.allCases)
    func aServerThatIgnoresAStreamsWindowIsReset(kind: SessionKind) throws {
        var settings = ClientSettings(slots: 2)
        settings.streamWindow = 100
        let bench = try ClientBench(kind, .answered, settings: settings)
        bench.send(Frame.data(1, Array(repeating: 0, count: 101)))
        #expect(bench.resets == [.flowControlError])
        #expect(bench.isAlive())
    }

    // MARK: Limits and ends

    @Test func identifiersRunOut() throws {
        let bench = try ClientBench(.direct)
        let client = try #require(bench.client as? DirectClientSession)
        client.skipStreams(to: 0x7fff_fffd)
        try bench.submit(0)
        try bench.submit(1)
        #expect(bench.frames.filter { $0.type == FrameType.headers }.map(\.stream) == [0x7fff_fffd, 0x7fff_ffff])
        #expect(throws: HTTP2Error.streamIDsExhausted) { try bench.submit(2) }
        bench.send(Frame.headers(0x7fff_ffff, Frame.status200, end: true))
        #expect(bench.events.map(\.kind).suffix(2) == [.headers, .closed])
    }

    /// A stream that is never answered keeps its place; others pass over it.
    @Test func aStalledStreamIsPassedOver() throws {
        let bench = try ClientBench(.direct, settings: ClientSettings(slots: 2))
        try bench.submit(0)
        var streams: [UInt32] = []
        for _ in 0..<20 {
            try bench.submit(1)
            let stream = try #require(bench.frames.last?.stream)
            streams.append(stream)
            bench.send(Frame.headers(stream, Frame.status200, end: true))
        }
        #expect(streams.prefix(8) == [3, 5, 7, 9, 11, 13, 15, 19])
        #expect(bench.events.filter { $0.kind == .closed }.count == 20)
        bench.send(Frame.headers(1, Frame.status200, end: true))
        #expect(bench.events.last?.slot == 0)
    }

    @Test(arguments: SessionKind.allCases)
    func goAwayTwiceWithAFallingStream(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        for slot in 0..<4 { try bench.submit(UInt32(slot)) }
        bench.send(Frame.goAway(last: UInt32(Int32.max), code: 0))
        #expect(bench.events.filter { $0.kind == .closed }.isEmpty)
        #expect(throws: HTTP2Error.goingAway) { try bench.submit(4) }
        bench.send(Frame.goAway(last: 3, code: 0, debug: "bye"))
        let closed = bench.events.filter { $0.kind == .closed }
        #expect(closed.map(\.slot).sorted() == [2, 3])
        #expect(closed.allSatisfy { $0.code == .refusedStream })
        #expect(
            bench.events.filter { $0.kind == .goAway }.map { String(decoding: $0.bytes, as: UTF8.self) } == ["", "bye"]
        )
        bench.send(Frame.headers(1, Frame.status200, end: true) + Frame.headers(3, Frame.status200, end: true))
        #expect(bench.events.filter { $0.kind == .closed && $0.code == .noError }.count == 2)
    }

    @Test(arguments: SessionKind.allCases)
    func framesOnStreamsAboveTheLastAreIgnored(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        for slot in 0..<2 { try bench.submit(UInt32(slot)) }
        bench.send(Frame.goAway(last: 1, code: 0))
        let count = bench.events.count
        bench.send(Frame.headers(3, Frame.status200, end: true))
        #expect(bench.events.count == count)
        #expect(bench.failure == nil)
    }

    @Test(arguments: SessionKind.allCases)
    func aLargeHeaderGoesOutInContinuations(kind: SessionKind) throws {
        let bench = try ClientBench(kind)
        let path = "/" + String(repeating: "p", count: 40_000)
        try bench.submit(0, path: path, body: Array("body".utf8))
        let frames = bench.frames.filter { $0.stream == 1 }
        #expect(frames.first?.type == FrameType.headers)
        #expect(frames.dropFirst().dropLast().allSatisfy { $0.type == FrameType.continuation })
        #expect(frames.last?.payload == Array("body".utf8))
        let decoder = try HeaderBlock.Decoder()
        let fields = try decoder.decode(frames.dropLast().flatMap(\.payload))
        #expect(fields.first { $0.name == ":path" }?.value == path)
    }

    @Test(arguments: SessionKind.allCases)
    func theResponseMayComeBeforeOurBodyIsOut(kind: SessionKind) throws {
        let bench = try ClientBench(kind, .held)
        bench.send(Frame.headers(1, Frame.status200, end: true))
        #expect(bench.events.map(\.kind) == [.headers])
        bench.send(Frame.windowUpdate(1, 100))
        #expect(isEnded(bench))
        #expect(bench.events.map(\.kind) == [.headers, .closed])
    }

    // MARK: RFC 9113, section 10.5: floods

    @Test(arguments: [Frame.ping(), Frame.settings()])
    func framesThatWantAnswersAreLimited(frame: [UInt8]) throws {
        let bench = try ClientBench(.direct)
        let flood = (0..<1001).flatMap { _ in frame }
        bench.send(flood)
        #expect(bench.violation == .enhanceYourCalm)
    }

    @Test(arguments: [Frame.data(1, []), Frame.headers(3, Frame.status200)])
    func uselessFramesAreLimited(frame: [UInt8]) throws {
        let bench = try ClientBench(.direct)
        for slot in 0..<2 { try bench.submit(UInt32(slot)) }
        bench.send(Frame.headers(1, Frame.status200) + Frame.headers(3, Frame.status200, end: true))
        for _ in 0..<100 { bench.send((0..<101).flatMap { _ in frame }) }
        #expect(bench.violation == .enhanceYourCalm)
    }

    @Test func answersEarnPatience() throws {
        let bench = try ClientBench(.direct)
        for index in 0..<200 {
            try bench.submit(0)
            let stream = UInt32(1 + 2 * index)
            bench.send(
                Frame.headers(stream, Frame.status200) + Frame.data(stream, []) + Frame.data(stream, [], end: true)
            )
        }
        #expect(bench.failure == nil)
        #expect(bench.events.filter { $0.kind == .closed }.count == 200)
    }

    // MARK: Settings

    /// RFC 7541, section 4.2, over a connection: the server's table sizes change while requests go on.
    @Test(arguments: SessionKind.allCases)
    func theHeaderTableSizeMayChange(kind: SessionKind) throws {
        let pair = try Loopback(
            kind,
            slots: 4,
            server: ServerSettings(capture: .named(["authorization", "apns-topic"]))
        )
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        var topics: [String] = []
        pair.onRequest = { server, stream, request in
            topics.append(request.value(at: 1).map { String(decoding: $0, as: UTF8.self) } ?? "none")
            try server.respond(stream, ok)
        }
        for (index, size) in [UInt32(0), 4096, 50, 100, 65_536, 0, 0, 4096].enumerated() {
            try pair.server.announce(SettingsChange(headerTableSize: size))
            try pair.run()
            for number in 0..<3 { try pair.submit(path: "/\(index)/\(number)") }
            try pair.run()
        }
        #expect(topics == Array(repeating: "com.example.app", count: 24))
        #expect(pair.finished.allSatisfy { $0.status == 200 })
    }

    @Test(arguments: SessionKind.allCases)
    func noLimitMeansManyStreams(kind: SessionKind) throws {
        let bench = try ClientBench(kind, .new, settings: ClientSettings(slots: 200))
        #expect(bench.client.streamLimit == 100)
        for slot in 0..<200 { try bench.submit(UInt32(slot)) }
        #expect(bench.frames.filter { $0.type == FrameType.headers }.count == 100)
        bench.send(Frame.settings())
        #expect(bench.client.streamLimit == Int(Int32.max))
        #expect(bench.frames.filter { $0.type == FrameType.headers }.count == 200)
    }

    /// Whatever the server sends and wherever it is cut off, the session neither traps nor loses count.
    @Test(arguments: SessionKind.allCases)
    func aConnectionMayBeCutOffAnywhere(kind: SessionKind) throws {
        let head = HeaderBlock.literal([(":status", "429"), ("retry-after", "7")])
        let bytes =
            Frame.settings([(3, 10)]) + Frame.settingsAcknowledgement + Frame.headers(1, head, endHeaders: false)
            + Frame.continuation(1, HeaderBlock.literal([("server", "x")]))
            + Frame.make(0, flags: 8, stream: 1, [2, 65, 66, 0, 0])
            + Frame.data(1, Array("cd".utf8), end: true) + Frame.ping() + Frame.reset(3, code: 7)
            + Frame.goAway(last: 3, code: 0, debug: "bye")
        for cut in 0...bytes.count {
            let bench = try ClientBench(kind, .new)
            for slot in 0..<2 { try bench.submit(UInt32(slot)) }
            bench.send(Array(bytes[..<cut]))
            #expect(bench.failure == nil)
            bench.send(Array(bytes[cut...]))
            #expect(bench.failure == nil)
            let mine = bench.events.filter { $0.slot == 0 && [.headers, .data, .closed].contains($0.kind) }
            #expect(mine.first?.bytes == Array("7".utf8))
            #expect(mine.filter { $0.kind == .data }.flatMap(\.bytes) == Array("ABcd".utf8))
            #expect(mine.last?.kind == .closed)
            #expect(bench.events.contains { $0.slot == 1 && $0.kind == .closed && $0.code == .refusedStream })
            #expect(bench.events.last?.kind == .goAway)
        }
    }
}

import Testing

@testable import HTTP2

/// Client and server sessions that exchange bytes in memory.
@Suite struct LoopbackTests {
    private typealias Pair = Loopback

    /// Answers every request with 200 at once.
    private func answerAll(_ pair: Pair, body: [UInt8] = []) {
        let ok = pair.server.prepare(
            ResponseTemplate(
                status: 200,
                fields: [ResponseField("apns-id", .apnsID), ResponseField("content-length", .contentLength)],
                body: body
            )
        )
        pair.onRequest = { server, stream, request in
            var variables = ResponseVariables()
            if let id = request.value(at: 0) { variables.apnsID = id }
            let answered = try server.respond(stream, ok, variables)
            #expect(answered)
        }
    }

    @Test(
        arguments: SessionKind.allCases,
        [(1, 1 << 20), (250, 1 << 20), (1000, 1 << 20), (250, 1), (250, 7), (1000, 1000)]
    )
    func allPushesAreAnswered(kind: SessionKind, load: (limit: UInt32, chunk: Int)) throws {
        let (limit, chunk) = load
        var settings = ServerSettings(capture: .named(["apns-id"]))
        settings.announced.streamLimit = limit
        let pair = try Pair(kind, server: settings)
        pair.chunk = chunk
        answerAll(pair, body: Array("done".utf8))
        try pair.run()
        let total = chunk < 100 ? 300 : 3000
        var submitted = 0
        while pair.finished.count < total {
            while submitted < total, pair.freeSlot() != nil {
                try pair.submit(path: "/3/device/\(submitted)", apnsID: "id-\(submitted)")
                submitted += 1
            }
            #expect(try pair.turn())
        }
        #expect(pair.peakOnWire == min(Int(limit), total))
        #expect(pair.client.openStreams == 0)
        #expect(pair.server.openStreams == 0)
        #expect(Set(pair.finished.map(\.path)).count == total)
        #expect(pair.finished.allSatisfy { $0.status == 200 && $0.body == Array("done".utf8) && $0.ended })
        #expect(pair.client.counters.messagesOut == UInt64(total))
    }

    @Test(arguments: SessionKind.allCases) func aLimitOfOneIsObeyedUntilItIsRaised(kind: SessionKind) throws {
        var settings = ServerSettings()
        settings.announced.streamLimit = 1
        let pair = try Pair(kind, server: settings)
        var held: [StreamHandle] = []
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        pair.onRequest = { _, stream, _ in held.append(stream) }
        try pair.run()
        #expect(pair.client.streamLimit == 1)
        for index in 0..<1000 { try pair.submit(path: "/\(index)") }
        try pair.run()
        #expect(held.count == 1)
        try pair.server.announce(SettingsChange(streamLimit: 1000))
        try pair.run()
        #expect(held.count == 1000)
        #expect(pair.otherEvents.map(\.number) == [1, 1000])
        #expect(pair.server.acknowledgedLimit == 1000)
        for stream in held { try pair.server.respond(stream, ok) }
        try pair.run()
        #expect(pair.finished.count == 1000)
        #expect(pair.peakOnWire == 1000)
    }

    @Test(arguments: SessionKind.allCases) func aLimitThatFallsHoldsNewRequestsBack(kind: SessionKind) throws {
        let pair = try Pair(kind)
        var held: [StreamHandle] = []
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        pair.onRequest = { _, stream, _ in held.append(stream) }
        try pair.run()
        for index in 0..<10 { try pair.submit(path: "/\(index)") }
        try pair.run()
        try pair.server.announce(SettingsChange(streamLimit: 0))
        try pair.run()
        for index in 10..<15 { try pair.submit(path: "/\(index)") }
        for stream in held { try pair.server.respond(stream, ok) }
        try pair.run()
        #expect(pair.finished.count == 10)
        #expect(held.count == 10)
        #expect(pair.client.openStreams == 5)
        #expect(!pair.client.wantsWrite)
        try pair.server.announce(SettingsChange(streamLimit: 2))
        try pair.run()
        #expect(held.count == 12)
    }

    @Test(arguments: SessionKind.allCases, [1, 1000, 65535])
    func bodiesLargerThanTheWindowsGoThrough(kind: SessionKind, window: UInt32) throws {
        var settings = ServerSettings()
        settings.announced.initialWindowSize = window
        settings.maximumBody = 1 << 20
        settings.connectionWindow = 65535
        let pair = try Pair(kind, server: settings)
        let size = window == 1 ? 500 : 300_000
        let bodies = (0..<3).map { seed in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) } }
        var received: [[UInt8]] = []
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        pair.onRequest = { server, stream, request in
            received.append(Array(request.body))
            var variables = ResponseVariables()
            variables.body = request.body
            try server.respond(stream, ok, variables)
        }
        try pair.run()
        for body in bodies { try pair.submit(path: "/", body: body) }
        try pair.run()
        let allReceived = Set(received) == Set(bodies)
        #expect(allReceived)
        let allSentBack = Set(pair.finished.map(\.body)) == Set(bodies)
        #expect(allSentBack)
    }

    @Test(arguments: SessionKind.allCases) func answersLargerThanTheClientsWindowsGoThrough(kind: SessionKind) throws {
        var client = ClientSettings(slots: 4)
        client.streamWindow = 1000
        client.connectionWindow = 65535
        let pair = try Pair(kind, slots: 4, client: client)
        answerAll(pair, body: (0..<400_000).map { UInt8(truncatingIfNeeded: $0) })
        for index in 0..<4 { try pair.submit(path: "/\(index)") }
        try pair.run()
        #expect(pair.finished.count == 4)
        #expect(pair.finished.allSatisfy { $0.body.count == 400_000 && $0.ended })
    }

    @Test(arguments: SessionKind.allCases) func goAwayRefusesWhatIsAboveTheLastStream(kind: SessionKind) throws {
        var settings = ServerSettings()
        settings.announced.streamLimit = 10
        let pair = try Pair(kind, slots: 20, server: settings)
        var held: [StreamHandle] = []
        pair.onRequest = { _, stream, _ in held.append(stream) }
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        try pair.run()
        for index in 0..<15 { try pair.submit(path: "/\(index)") }
        try pair.run()
        let debug = #"{"reason":"Shutdown"}"#
        try pair.server.goAway(lastStream: 7, code: .noError, debug: Array(debug.utf8))
        try pair.run()
        #expect(pair.otherEvents.last?.kind == .goAway)
        #expect(pair.otherEvents.last?.number == 7)
        #expect(pair.otherEvents.last?.bytes == debug)
        #expect(pair.finished.count == 11)
        #expect(pair.finished.allSatisfy { $0.code == .refusedStream && $0.status == 0 })
        #expect(pair.finished.filter(\.written).count == 6)
        #expect(throws: HTTP2Error.goingAway) { try pair.submit(path: "/late") }
        for stream in held.prefix(4) { #expect(try pair.server.respond(stream, ok)) }
        for stream in held.dropFirst(4) { #expect(try !pair.server.respond(stream, ok)) }
        try pair.run()
        #expect(pair.finished.suffix(4).allSatisfy { $0.code == .noError && $0.status == 200 })
        #expect(pair.client.openStreams == 0)
    }

    @Test(arguments: SessionKind.allCases) func theServerResetsStreams(kind: SessionKind) throws {
        let pair = try Pair(kind, slots: 4)
        pair.onRequest = { server, stream, _ in server.reset(stream, code: .enhanceYourCalm) }
        for index in 0..<4 { try pair.submit(path: "/\(index)") }
        try pair.run()
        #expect(pair.finished.count == 4)
        #expect(pair.finished.allSatisfy { $0.code == .enhanceYourCalm && $0.status == 0 && !$0.ended })
        #expect(pair.serverEvents.filter { $0.kind == .closed && $0.code == .enhanceYourCalm }.count == 4)
        #expect(pair.server.openStreams == 0)
    }

    @Test(arguments: SessionKind.allCases) func theClientResetsWaitingAndOpenStreams(kind: SessionKind) throws {
        var settings = ServerSettings()
        settings.announced.streamLimit = 2
        let pair = try Pair(kind, slots: 4, server: settings)
        var held: [StreamHandle] = []
        pair.onRequest = { _, stream, _ in held.append(stream) }
        try pair.run()
        let slots = try (0..<4).map { try pair.submit(path: "/\($0)") }
        try pair.run()
        pair.client.reset(slot: slots[3], code: .cancel)
        pair.client.reset(slot: slots[0], code: .cancel)
        try pair.run()
        #expect(pair.finished.map(\.path).sorted() == ["/0", "/3"])
        #expect(pair.finished.allSatisfy { $0.code == .cancel })
        // The stream that was freed went to the request that waited.
        #expect(held.map(\.stream) == [1, 3, 5])
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        #expect(try !pair.server.respond(held[0], ok))
        #expect(pair.server.request(held[0]) == nil)
        // A slot that is free is left alone.
        pair.client.reset(slot: slots[0], code: .cancel)
        #expect(pair.client.openStreams == 2)
    }

    @Test(arguments: SessionKind.allCases) func varyingAndSecretFieldsAreNeverIndexedOnTheWire(kind: SessionKind) throws
    {
        let pair = try Pair(kind, slots: 8)
        try pair.run()
        for index in 0..<8 { try pair.submit(path: "/3/device/\(index)", apnsID: index % 2 == 0 ? "id\(index)" : "") }
        try pair.run()
        let decoder = try HeaderBlock.Decoder()
        let blocks = ParsedFrame.parse(pair.clientBytes).filter { $0.type == 1 }.map(\.payload)
        #expect(blocks.count == 8)
        for (index, block) in blocks.enumerated() {
            let fields = try decoder.decode(block)
            let secret = fields.filter(\.neverIndexed).map(\.name)
            let identifier = index % 2 == 0 ? ["apns-id"] : []
            #expect(secret.sorted() == [":path"] + identifier + ["authorization", "content-length"])
            #expect(fields.contains { $0.name == "apns-id" } == (index % 2 == 0))
            #expect(fields.contains(HeaderBlock.Field(name: ":path", value: "/3/device/\(index)", neverIndexed: true)))
            #expect(fields.contains { $0.name == "authorization" && $0.neverIndexed && $0.value.count == 207 })
            #expect(fields.contains { $0.name == "apns-topic" && !$0.neverIndexed })
            #expect(fields.contains { $0.name == "content-length" && $0.value == "2" })
        }
        // What repeats has entered the table: later blocks are shorter by the topic and the authority.
        #expect(blocks[2].count < blocks[0].count - 20)
    }

    @Test(arguments: SessionKind.allCases) func aReplacedFieldIsUsedFromTheNextHeadersOn(kind: SessionKind) throws {
        var settings = ServerSettings(capture: .named(["authorization"]))
        settings.announced.streamLimit = 1
        let pair = try Pair(kind, slots: 4, server: settings)
        var tokens: [String] = []
        let ok = pair.server.prepare(ResponseTemplate(status: 200))
        pair.onRequest = { [unowned pair] server, stream, request in
            tokens.append(request.value(at: 0).map { String(decoding: $0, as: UTF8.self).suffix(4).description } ?? "")
            if tokens.count == 1 {
                pair.client.replaceField(named: "authorization", in: pair.template, with: "bearer longer and NEW.")
            }
            try server.respond(stream, ok)
        }
        try pair.run()
        for index in 0..<3 { try pair.submit(path: "/\(index)") }
        try pair.run()
        #expect(tokens == ["t0K.", "NEW.", "NEW."])
    }

    @Test(arguments: SessionKind.allCases) func pingsAreAnsweredBothWays(kind: SessionKind) throws {
        let pair = try Pair(kind, slots: 1)
        try pair.client.ping()
        try pair.run()
        #expect(
            pair.otherEvents.map(\.kind) == [.settings, .pong] || pair.otherEvents.map(\.kind) == [.pong, .settings]
        )
        #expect(pair.serverEvents.contains { $0.kind == .ping })
    }

    @Test(arguments: SessionKind.allCases) func theClientSaysGoAway(kind: SessionKind) throws {
        let pair = try Pair(kind, slots: 2)
        answerAll(pair)
        try pair.submit(path: "/")
        try pair.client.goAway(code: .noError)
        try pair.run()
        #expect(pair.finished.map(\.status) == [200])
        #expect(pair.serverEvents.contains { $0.kind == .goAway && $0.code == .noError })
        #expect(throws: HTTP2Error.goingAway) { try pair.submit(path: "/") }
    }

    @Test(arguments: SessionKind.allCases) func retryAfterIsHandedOver(kind: SessionKind) throws {
        let pair = try Pair(kind, slots: 2)
        let busy = pair.server.prepare(
            ResponseTemplate(status: 429, fields: [ResponseField("retry-after", .retryAfter)], body: Array("slow".utf8))
        )
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        var answers = ["7", date]
        pair.onRequest = { server, stream, _ in
            let text = Array(answers.removeFirst().utf8)
            try text.withUnsafeBytes { bytes in
                var variables = ResponseVariables()
                variables.retryAfter = bytes
                try server.respond(stream, busy, variables)
            }
        }
        for index in 0..<2 { try pair.submit(path: "/\(index)") }
        try pair.run()
        #expect(pair.finished.map(\.retryAfter) == ["7", date])
        #expect(pair.finished.allSatisfy { $0.status == 429 && $0.body == Array("slow".utf8) })
    }

    @Test(arguments: SessionKind.allCases) func smallBuffersLoseNothing(kind: SessionKind) throws {
        let pair = try Pair(kind, slots: 50)
        pair.bufferSize = 11
        pair.chunk = 5
        answerAll(pair, body: Array("0123456789".utf8))
        for index in 0..<50 { try pair.submit(path: "/\(index)", body: Array(repeating: 9, count: 3000)) }
        try pair.run()
        #expect(pair.finished.count == 50)
        #expect(pair.finished.allSatisfy { $0.body == Array("0123456789".utf8) })
    }
}

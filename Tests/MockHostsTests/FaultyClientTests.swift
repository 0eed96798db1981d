import HTTP2
import LoadPlan
import MockHosts
import Testing
import Transport

/// What bad clients do to themselves, and not to anybody else.
@Suite struct FaultyClientTests {
    /// A push on a connection of its own shows that the mock still serves.
    private func expectService(_ mock: MockFixture) throws {
        let sender = try TestSender(to: .apnsProduction, of: mock)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let response = try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        #expect(response.status == 200)
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    static let breaches: [(name: String, bytes: [UInt8])] = [
        ("HTTP/1.1 over h2", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)),
        ("a preface cut short and garbage", Array(preface[..<10]) + [0, 1, 2, 3]),
        ("no SETTINGS first", preface + [0, 0, 8, 6, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8)),
        ("a frame that is too large", preface + settings + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
        ("DATA on stream 0", preface + settings + [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("an even stream", preface + settings + [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x82]),
        ("a header block that is no HPACK", preface + settings + [0, 0, 1, 1, 5, 0, 0, 0, 1, 0xFF]),
        ("CONTINUATION without HEADERS", preface + settings + [0, 0, 0, 9, 4, 0, 0, 0, 1]),
        ("a WINDOW_UPDATE of nothing", preface + settings + [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("SETTINGS acknowledged twice", preface + settings + [0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]),
        ("a PING of the wrong size", preface + settings + [0, 0, 7, 6, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 7)),
    ]

    @Test(arguments: breaches.indices) func aBreachEndsItsOwnConnection(_ index: Int) throws {
        let mock = try MockFixture()
        let bystander = try TestSender(to: .apnsProduction, of: mock)
        try bystander.run { $0.session.settingsReceived }
        let wire = try Wire(to: .apnsProduction, of: mock)
        try wire.write(Self.breaches[index].bytes)
        // The mock says GOAWAY (frame type 7) before it ends the connection; only a peer that does not speak HTTP/2 at
        // all may get less.
        let answer = try wire.readToTheEnd()
        #expect(frames(answer).contains(7) || index < 2)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let response = try bystander.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        #expect(response.status == 200)
        let summary = try mock.stop()
        #expect(summary.connections(.apnsProduction)?.faulty == 1)
    }

    private func frames(_ bytes: [UInt8]) -> [UInt8] {
        var types: [UInt8] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let start = rest.startIndex
            let length = Int(rest[start]) << 16 | Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            types.append(rest[start + 3])
            rest = rest.dropFirst(9 + length)
        }
        return types
    }

    @Test func clientsThatGoInTheMiddleAreForgotten() throws {
        let mock = try MockFixture()
        for count in 0..<Self.preface.count {
            let wire = try Wire(to: .apnsProduction, of: mock)
            try wire.write(Array((Self.preface + Self.settings)[..<(count + 1)]))
            try wire.close()
        }
        let plain = PlainSocketClient(try mock.address(.apnsProduction))
        try plain.write(Array("hello, this is no TLS".utf8))
        _ = try plain.readToTheEnd()
        try expectService(mock)
        #expect(try mock.stop().connections(.apnsProduction)?.accepted == UInt64(Self.preface.count) + 2)
    }

    @Test func aClientWithoutHTTP2IsTurnedAwayFromAPNs() throws {
        let mock = try MockFixture()
        #expect(throws: TransportError.self) {
            try Wire(to: .apnsProduction, of: mock, protocols: [.http11])
        }
        try expectService(mock)
    }

    @Test func thereIsALimitOfConnections() throws {
        let mock = try MockFixture(mostConnections: 3)
        var wires = try (0..<3).map { _ in try Wire(to: .fcm, of: mock) }
        #expect(throws: TransportError.self) { try Wire(to: .fcm, of: mock) }
        try wires.removeLast().close()
        // The mock learns of the end in its own time; until then it turns newcomers away.
        while true {
            if let wire = try? Wire(to: .fcm, of: mock) {
                wires.append(wire)
                break
            }
        }
        let summary = try mock.stop()
        #expect(summary.connections(.fcm)?.mostOpen == 3)
        #expect((summary.connections(.fcm)?.turnedAway ?? 0) >= 1)
        #expect(wires.count == 3)
    }

    /// Answers that nobody reads don't pile up without end.
    @Test func aClientThatNeverReadsIsCutOff() throws {
        let mock = try MockFixture()
        let wire = try Wire(to: .oauth, of: mock, protocols: [.http11])
        let requests = Array(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 500).utf8)
        // 100 times what the mock keeps.
        #expect(throws: TransportError.self) {
            for _ in 0..<500 { try wire.write(requests) }
        }
        try expectService(mock)
        #expect(try mock.stop().connections(.oauth)?.faulty == 1)
    }

    @Test func streamsAboveTheLimitAreRefused() throws {
        let mock = try MockFixture {
            $0.mock.streamLimits["fcm"] = 2
            $0.mock.serviceTime = .constant(20_000_000)
        }
        let wire = try Wire(to: .fcm, of: mock)
        // The mock's SETTINGS are read and acknowledged first, so that the client has no excuse.
        try wire.write(Self.preface + Self.settings)
        _ = try wire.read()
        try wire.write([0, 0, 0, 4, 1, 0, 0, 0, 0])
        // POST, https, path /, authority literal: END_STREAM and END_HEADERS.
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 1, 0x78]
        for stream in [1, 3, 5, 7] as [UInt8] {
            try wire.write([0, 0, UInt8(block.count), 1, 5, 0, 0, 0, stream] + block)
        }
        var resets: Set<UInt8> = []
        var answered: Set<UInt8> = []
        var bytes: [UInt8] = []
        while resets.count + answered.count < 4, let more = try wire.read() {
            bytes += more
            (resets, answered) = ([], [])
            var rest = bytes[...]
            while rest.count >= 9 {
                let start = rest.startIndex
                let length = Int(rest[start]) << 16 | Int(rest[start + 1]) << 8 | Int(rest[start + 2])
                let type = rest[start + 3]
                // REFUSED_STREAM is 7 (RFC 9113, 7).
                if type == 3, rest.count >= 13 { #expect(Array(rest[(start + 9)..<(start + 13)]) == [0, 0, 0, 7]) }
                if type == 3 { resets.insert(rest[start + 8]) }
                if type == 1 { answered.insert(rest[start + 8]) }
                rest = rest.dropFirst(9 + length)
            }
        }
        #expect(answered == [1, 3])
        #expect(resets == [5, 7])
        #expect(try mock.stop().refusedStreams == 2)
    }
}

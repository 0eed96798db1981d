import Foundation
import HTTP2
import Hosts
import LoadPlan
import MockHosts
import Push
import Testing
import Transport

/// Senders that break each rule, and one that keeps to all, as the mock finds them.
@Suite struct AuditTests {
    private func findings(_ mock: MockFixture) throws -> [AuditRule: UInt64] {
        let report = try mock.stop().audit
        return Dictionary(uniqueKeysWithValues: report.findings.map { ($0.finding, $0.count) })
    }

    private func sender(_ mock: MockFixture) throws -> TestSender {
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.run { $0.session.settingsReceived }
        return sender
    }

    /// A push to a device of its own.
    private func send(_ number: UInt32, _ sender: TestSender, token: String) throws {
        let digits = String(number, radix: 16)
        let device = String(repeating: "0", count: 64 - digits.count) + digits
        try sender.submit(
            number,
            path: "/3/device/" + device,
            headers: GoodRequest.apnsHeaders(token: token),
            body: GoodRequest.payload
        )
        try sender.wait(for: [number])
    }

    @Test func aGoodSender() throws {
        let mock = try MockFixture()
        let sender = try sender(mock)
        let token = try mock.providerToken()
        for number in 1...20 as ClosedRange<UInt32> { try send(number, sender, token: token) }
        try sender.session.ping()
        try sender.run { $0.pongs == 1 }
        let report = try mock.stop().audit
        #expect(report.findings == [])
        let counts = try #require(report.hosts.first).counts
        #expect(counts.pushes == 20 && counts.accepted == 20 && counts.distinct == 20 && counts.duplicates == 0)
        #expect(counts.connections == 1 && counts.handshakes == 1 && counts.providerTokens == 1 && counts.pings == 1)
        #expect(counts.mostStreams == 1 && counts.bytesIn > 2000 && counts.bytesOut > 1000)
    }

    @Test func aTokenForEachPushAndAConnectionForEachPush() throws {
        let mock = try MockFixture()
        for number in 1...12 as ClosedRange<UInt32> {
            let sender = try sender(mock)
            try send(number, sender, token: try mock.providerToken())
            try sender.wire.close()
        }
        let sender = try sender(mock)
        for number in 1...3 as ClosedRange<UInt32> {
            try send(100 + number, sender, token: try mock.providerToken(age: Int64(number)))
        }
        let found = try findings(mock)
        #expect(found[.connectionPerPush] == 12 && found[.newTokenTooSoon] == 2)
    }

    @Test func streamsAboveTheLimit() throws {
        let mock = try MockFixture { profile in
            profile.mock.serviceTime = .constant(50 * Nanoseconds.millisecond)
        }
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        try wire.write(Frames.opening)
        try frames.read(wire) { $0.contains { $0.type == 4 && $0.flags == 0 } }
        let requests = (0..<4).flatMap { Frames.get(stream: UInt32(2 * $0 + 1)) }
        try wire.write(Frames.settingsAcknowledgement + requests)
        try frames.read(wire) { $0.contains { $0.type == 1 && $0.stream == 1 } }
        #expect(try findings(mock) == [.streamsAboveLimit: 3])
    }

    @Test func retriesTooSoonAndForNothing() throws {
        let faults = [
            try Fault("answer=TooManyRequests,every=100"), try Fault("retry-after=1h"),
            try Fault("answer=Forbidden,after=50"),
        ]
        let mock = try MockFixture { $0.mock.faults = faults }
        let sender = try sender(mock)
        let token = try mock.providerToken()
        try send(1, sender, token: token)
        #expect(sender.responses[1]?.status == 429)
        try send(1, sender, token: token)
        // A device that is of no use, twice.
        for _ in 0..<2 {
            try sender.submit(
                2,
                path: "/3/device/xyz",
                headers: GoodRequest.apnsHeaders(token: token),
                body: GoodRequest.payload
            )
            try sender.wait(for: [2])
        }
        #expect(try findings(mock) == [.retryAfterIgnored: 1, .refusedSentAgain: 1])
    }

    @Test func duplicates() throws {
        let mock = try MockFixture { $0.mock.faults = [] }
        let sender = try sender(mock)
        let token = try mock.providerToken()
        for _ in 0..<3 { try send(7, sender, token: token) }
        #expect(try findings(mock) == [.duplicates: 2])
    }

    @Test func duplicatesThatAFaultProvokes() throws {
        let fault = try Fault("accept-then-fail,every=2")
        let mock = try MockFixture { $0.mock.faults = [fault] }
        let sender = try sender(mock)
        let token = try mock.providerToken()
        for _ in 0..<2 { try send(7, sender, token: token) }
        let report = try mock.stop().audit
        let counts = try #require(report.hosts.first).counts
        #expect(counts.accepted == 2 && counts.distinct == 1 && counts.duplicatesUnawares == 1)
        #expect(report.findings == [])
    }

    @Test func requestsAfterAGoAwayThatWasRead() throws {
        let fault = try Fault("goaway,after=1,open")
        let mock = try MockFixture { $0.mock.faults = [fault] }
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        try wire.write(Frames.opening + Frames.settingsAcknowledgement + Frames.get(stream: 1))
        try frames.read(wire) { $0.contains { $0.type == 7 } && $0.contains { $0.type == 6 } }
        // On their way before the GOAWAY was read: nobody's fault.
        try wire.write(Frames.get(stream: 3))
        let ping = try #require(frames.all.first { $0.type == 6 })
        try wire.write(Frames.frame(type: 6, flags: 1, payload: ping.payload))
        try wire.write(Frames.get(stream: 5) + Frames.get(stream: 7) + Frames.ping)
        try frames.read(wire) { $0.count { $0.type == 6 } == 2 }
        #expect(try findings(mock) == [.requestsAfterGoAway: 2])
    }

    @Test func secretsInTheTable() throws {
        let mock = try MockFixture()
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        // GET, https, and a path that is to be put into the table; later taken from it.
        let first: [UInt8] = [0x82, 0x87, 0x44, 0x02, 0x2F, 0x78, 0x41, 0x01, 0x78]
        let second: [UInt8] = [0x82, 0x87, 0xBF, 0xBE]
        try wire.write(Frames.opening + Frames.settingsAcknowledgement)
        try wire.write(Frames.frame(type: 1, flags: 5, stream: 1, payload: first))
        try frames.read(wire) { $0.contains { $0.type == 1 && $0.stream == 1 } }
        try wire.write(Frames.frame(type: 1, flags: 5, stream: 3, payload: second))
        try frames.read(wire) { $0.contains { $0.type == 1 && $0.stream == 3 } }
        #expect(try findings(mock) == [.indexedSecrets: 2])
    }

    // MARK: The control port

    private func get(_ target: String, _ mock: MockFixture, method: String = "GET") throws -> (
        head: String, body: String
    ) {
        let url = try #require(mock.announcement.hosts["control"])
        let port = try #require(UInt16(url.dropFirst("http://127.0.0.1:".count)))
        let client = PlainSocketClient(.loopback(port: port))
        try client.write(Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        let answer = String(decoding: try client.readToTheEnd(), as: UTF8.self)
        let end = try #require(answer.range(of: "\r\n\r\n"))
        return (String(answer[..<end.lowerBound]), String(answer[end.upperBound...]))
    }

    @Test func theAuditOnDemand() throws {
        let mock = try MockFixture()
        let sender = try sender(mock)
        try send(1, sender, token: try mock.providerToken())
        let answer = try get("/pushbench/audit", mock)
        #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.head.contains("content-type: application/json"))
        let report = try JSONDecoder().decode(AuditReport.self, from: Data(answer.body.utf8))
        #expect(report.hosts.map(\.host) == ["apns-production"] && report.hosts[0].counts.pushes == 1)
        let text = try get("/pushbench/audit?format=text", mock).body
        #expect(text.contains("apns-production: 1 requests, 1 pushes, 1 accepted") && text.contains("No finding."))
    }

    @Test func whatTheControlPortDoesNotKnow() throws {
        let mock = try MockFixture()
        #expect(try get("/", mock).head.hasPrefix("HTTP/1.1 404 "))
        #expect(try get("/pushbench/audit", mock, method: "POST").head.hasPrefix("HTTP/1.1 405 "))
        #expect(try get(String(repeating: "x", count: 10_000), mock).head.hasPrefix("HTTP/1.1 4"))
    }
}

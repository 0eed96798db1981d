import HTTP2
import LoadPlan
import MockHosts
import Testing
import Transport

/// Each fault, turned on, as a sender sees it on the wire.
@Suite struct FaultTests {
    func mock(_ faults: String..., change: (inout Profile) -> Void = { _ in }) throws -> MockFixture {
        let parsed = try faults.map { try Fault($0) }
        return try MockFixture { profile in
            profile.mock.faults = parsed
            change(&profile)
        }
    }

    /// A sender to APNs that has read the mock's SETTINGS.
    func sender(_ mock: MockFixture) throws -> TestSender {
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.run { $0.session.settingsReceived }
        return sender
    }

    func submit(_ slots: ClosedRange<UInt32>, to sender: TestSender, of mock: MockFixture) throws {
        // One token for all that a sender does: another with each push is a fault of its own.
        let token = try sender.token ?? mock.providerToken()
        sender.token = token
        let headers = GoodRequest.apnsHeaders(token: token)
        for slot in slots {
            try sender.submit(slot, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        }
    }

    /// The mock ends the connection, and does not just say nothing until the time is over.
    private func expectEnd(of sender: TestSender) throws {
        do {
            try sender.run { _ in false }
        } catch let error as TransportError {
            if case .timedOut = error { Issue.record("the connection goes on") }
        }
    }

    /// One push after another, each with its answer.
    func send(_ slots: ClosedRange<UInt32>, to sender: TestSender, of mock: MockFixture) throws {
        for slot in slots {
            try submit(slot...slot, to: sender, of: mock)
            try sender.wait(for: [slot])
        }
    }

    func statuses(_ sender: TestSender, _ slots: ClosedRange<UInt32>) -> [Int] {
        slots.map { sender.responses[$0]?.status ?? -1 }
    }

    // MARK: Limits

    @Test func firstStreams() throws {
        let mock = try mock("first-streams=7")
        #expect(try sender(mock).limits == [7])
    }

    /// The limit of a sender with a token, and that of one with a certificate.
    @Test func firstStreamsByCredential() throws {
        let byCertificate = try mock("first-streams=7,auth=certificate")
        #expect(try sender(byCertificate).limits == [1])
        let pem = byCertificate.folder + "/apns.pem"
        let owner = try TestSender(
            to: .apnsProduction,
            of: byCertificate,
            identity: .pem(certificate: pem, key: pem)
        )
        try owner.run { $0.session.settingsReceived }
        #expect(owner.limits == [7])
        let byToken = try mock("first-streams=7,auth=token")
        #expect(try sender(byToken).limits == [7])
    }

    @Test func noStreamLimit() throws {
        let mock = try mock("no-stream-limit")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(sender.limits.allSatisfy { $0 > 1_000_000 })
    }

    @Test func cutStreams() throws {
        let mock = try mock("cut-streams=3", "answer=TooManyRequests,after=1,every=100")
        let sender = try sender(mock)
        try send(1...3, to: sender, of: mock)
        #expect(statuses(sender, 1...3) == [200, 429, 200])
        #expect(sender.limits == [1, 1000, 3, 1000])
    }

    /// Two streams on a connection that may have one: the client's own session would not, so this one is told too late.
    @Test(arguments: ["refuse", "goaway", "ignore"]) func excessStreams(rule: String) throws {
        let mock = try mock("excess-streams=\(rule)") { profile in
            profile.mock.serviceTime = .constant(200 * Nanoseconds.millisecond)
        }
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        try wire.write(Frames.opening)
        try frames.read(wire) { $0.contains { $0.type == 4 && $0.flags == 0 } }
        try wire.write(Frames.settingsAcknowledgement)
        try wire.write(Frames.get(stream: 1) + Frames.get(stream: 3) + Frames.ping)
        switch rule {
        case "refuse":
            try frames.read(wire) { $0.contains { $0.type == 3 && $0.stream == 3 } }
            #expect(frames.all.last { $0.type == 3 }?.payload == [0, 0, 0, 7])
        case "goaway":
            try frames.read(wire) { $0.contains { $0.type == 7 } }
            let goAway = try #require(frames.all.first { $0.type == 7 })
            #expect(goAway.payload.prefix(8) == [0, 0, 0, 1, 0, 0, 0, 7])
            #expect(String(decoding: goAway.payload.dropFirst(8), as: UTF8.self).hasPrefix("Maximum active streams"))
        default:
            // The first is answered, the second not, though the PING behind it is.
            try frames.read(wire) { $0.contains { $0.type == 1 && $0.stream == 1 } }
            #expect(frames.all.contains { $0.type == 6 } && !frames.all.contains { $0.stream == 3 })
        }
    }

    // MARK: Endings

    @Test func goAwayAfterSoManyRequests() throws {
        let mock = try mock("goaway,after=3,last=-1,code=2,reason=Shutdown")
        let sender = try sender(mock)
        try send(1...2, to: sender, of: mock)
        try submit(3...3, to: sender, of: mock)
        try sender.run { $0.goAway != nil }
        #expect(sender.goAway?.code == .internalError && sender.goAway?.debug == #"{"reason":"Shutdown"}"#)
        #expect(sender.goAwayLast == 3, "the second request's stream")
        // The connection ends when the streams have been answered.
        try expectEnd(of: sender)
        #expect(try mock.stop().count(.apnsProduction, 200) == 2)
    }

    @Test func goAwayTwiceWithTheSocketLeftOpen() throws {
        let mock = try mock("goaway,after=1,twice,open,text=bye")
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        try wire.write(Frames.opening + Frames.settingsAcknowledgement + Frames.get(stream: 1))
        // The answer, two GOAWAY frames with a PING behind them, and then a PING is answered as ever.
        try frames.read(wire) { $0.contains { $0.type == 6 } && $0.contains { $0.type == 1 } }
        let goAways = frames.all.filter { $0.type == 7 }
        #expect(goAways.map(\.payload) == Array(repeating: [0, 0, 0, 1, 0, 0, 0, 0] + Array("bye".utf8), count: 2))
        try wire.write(Frames.ping)
        try frames.read(wire) { $0.contains { $0.type == 6 && $0.flags == 1 } }
        #expect(frames.all.contains { $0.type == 6 && $0.flags == 1 })
    }

    @Test(arguments: ["goaway,age=20ms", "goaway,idle=20ms", "goaway"]) func goAwayByTheClock(fault: String) throws {
        let mock = try mock(fault)
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.run { $0.goAway != nil }
        #expect(sender.goAwayLast == 0)
    }

    @Test func sessionTimeout() throws {
        let mock = try mock("session-timeout=20ms")
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.run { $0.goAway != nil }
        #expect(sender.goAway?.debug == "session_timed_out" && sender.goAway?.code == .noError)
    }

    @Test func disconnect() throws {
        let mock = try mock("disconnect,after=2")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        try submit(2...2, to: sender, of: mock)
        try expectEnd(of: sender)
        #expect(sender.goAway == nil)
    }

    @Test func errorRatio() throws {
        let mock = try mock("error-ratio=40%,window=5", "answer=TooManyRequests,every=2")
        let sender = try sender(mock)
        try send(1...4, to: sender, of: mock)
        #expect(sender.goAway == nil)
        try send(5...5, to: sender, of: mock)
        try sender.run { $0.goAway != nil }
        #expect(sender.goAway?.debug == "" && sender.goAwayLast == 9)
    }

    @Test func pings() throws {
        let mock = try mock("pings=2")
        let sender = try sender(mock)
        for _ in 0..<3 { try sender.session.ping() }
        try sender.run { $0.goAway != nil }
        #expect(sender.goAway?.code == .enhanceYourCalm && sender.goAway?.debug == "too_many_pings")
    }

    // MARK: Requests

    @Test(arguments: ["before", "after"]) func resets(when: String) throws {
        let mock = try mock("reset=CANCEL,when=\(when),after=1,every=100")
        let sender = try sender(mock)
        try send(1...3, to: sender, of: mock)
        #expect(statuses(sender, 1...3) == [200, 0, 200])
        #expect(sender.responses[2]?.code == .cancel)
    }

    @Test(arguments: ["stall", "accept-then-fail=nothing"]) func noAnswer(fault: String) throws {
        let mock = try mock(fault + ",after=1,every=100")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        try submit(2...3, to: sender, of: mock)
        try sender.wait(for: [3])
        #expect(sender.responses[2]?.code == nil)
    }

    @Test func wrongAnswers() throws {
        let mock = try mock(
            "accept-then-fail,every=3",
            "answer=InternalServerError,after=1,every=3",
            "retry-after=7s,every=3"
        )
        let sender = try sender(mock)
        try send(1...3, to: sender, of: mock)
        #expect(statuses(sender, 1...3) == [503, 500, 200])
        #expect(sender.responses[1]?.text == #"{"reason":"ServiceUnavailable"}"#)
        #expect(sender.responses[1]?.retryAfter == "7" && sender.responses[2]?.retryAfter == "")
    }

    @Test func retryAfterAsADate() throws {
        let mock = try mock("answer=ServiceUnavailable", "retry-after=1m,as=date")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        let text = try #require(sender.responses[1]?.retryAfter)
        #expect(text.count == 29 && text.hasSuffix(" GMT"))
    }

    @Test func serviceTimes() throws {
        let mock = try mock("service-time=1h,after=1,every=100")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        try submit(2...3, to: sender, of: mock)
        try sender.wait(for: [3])
        #expect(sender.responses[2]?.code == nil)
    }

    @Test func oneHostAlone() throws {
        let mock = try mock("stall,lane=apns-sandbox")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(statuses(sender, 1...1) == [200])
    }

    // MARK: Connections that are dead or slow

    @Test func wedge() throws {
        let mock = try mock("wedge=1")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        let stale = GoodRequest.apnsHeaders(token: try mock.providerToken(age: 4000))
        try sender.submit(2, path: GoodRequest.apnsPath, headers: stale, body: GoodRequest.payload)
        try sender.wait(for: [2])
        #expect(sender.responses[2]?.status == 403)
        try submit(3...3, to: sender, of: mock)
        // The connection lives, but answers nothing.
        try sender.session.ping()
        try sender.run { $0.pongs > 0 }
        #expect(sender.responses[3]?.code == nil)
    }

    @Test func silence() throws {
        let mock = try mock("silence=10ms,after=1,lane=apns-production", "goaway,idle=20ms,lane=apns-sandbox")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        // Once another host has found its connection idle for longer, this one has fallen silent too.
        let clock = try TestSender(to: .apnsSandbox, of: mock)
        try clock.run { $0.goAway != nil }
        try submit(2...2, to: sender, of: mock)
        try sender.flush()
        let bystander = try TestSender(to: .apnsSandbox, of: mock)
        try bystander.run { $0.goAway != nil }
        try sender.flush()
        #expect(sender.responses[2] == TestSender.Response())
    }

    @Test func slowTLS() throws {
        let mock = try mock("slow-tls=150ms")
        let start = MonotonicClock.now()
        _ = try Wire(to: .apnsProduction, of: mock)
        #expect(MonotonicClock.now() - start >= 150 * Nanoseconds.millisecond)
    }

    @Test func roundTrips() throws {
        let mock = try mock("round-trip=80ms")
        let sender = try sender(mock)
        let start = MonotonicClock.now()
        try submit(1...1, to: sender, of: mock)
        try sender.wait(for: [1])
        #expect(MonotonicClock.now() - start >= 80 * Nanoseconds.millisecond)
        #expect(statuses(sender, 1...1) == [200])
    }

    /// A host that stands still takes in nothing, and goes on with what has come.
    @Test func freeze() throws {
        let started = MonotonicClock.now()
        let mock = try mock("freeze,until=700ms")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(statuses(sender, 1...1) == [200])
        #expect(MonotonicClock.now() - started >= 700 * Nanoseconds.millisecond)
    }

    /// What was taken in before the host stood still is answered after, and the host is as it was.
    @Test func answersThatCameDueDuringAFreeze() throws {
        let mock = try mock("freeze,from=300ms,until=700ms", "service-time=400ms")
        let sender = try sender(mock)
        let started = MonotonicClock.now()
        try submit(1...20, to: sender, of: mock)
        // Something comes in over the same connection while the host stands still, whenever it began.
        while MonotonicClock.now() - started < 500 * Nanoseconds.millisecond {
            try sender.session.ping()
            try sender.flush()
        }
        try sender.wait(for: 1...20)
        #expect(statuses(sender, 1...20) == Array(repeating: 200, count: 20))
        #expect(try mock.stop().count(.apnsProduction, 200) == 20)
    }

    @Test func aFrozenHostLeavesOthersAlone() throws {
        let mock = try mock("freeze,until=10m,lane=fcm")
        let sender = try sender(mock)
        try send(1...2, to: sender, of: mock)
        #expect(statuses(sender, 1...2) == [200, 200])
    }

    // MARK: HTTP/1.1 and the token endpoint

    @Test func faultsOfHTTP1() throws {
        let mock = try mock("stall,lane=oauth,after=1,every=100", "reset,lane=oauth,after=2")
        let request = "POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        func wire() throws -> Wire { try Wire(to: .oauth, of: mock, protocols: [.http11]) }
        let first = try wire()
        try first.write(request)
        #expect(try first.read { $0.contains("invalid_request") }.contains("400"))
        let second = try wire()
        try second.write(request)
        let third = try wire()
        try third.write(request)
        #expect(try third.readToTheEnd().isEmpty)
    }

    @Test func tokenClock() throws {
        let mock = try mock("token-clock=60")
        let sender = try sender(mock)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken(age: 90))
        let response = try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        #expect(response.text.contains("ExpiredProviderToken"))
    }

    @Test(arguments: [("expired", "expired"), ("other-name", "mismatch")])
    func certificates(fault: String, reason: String) throws {
        let mock = try mock("certificate=\(fault),lane=apns-production")
        let error = #expect(throws: TransportError.self) { try Wire(to: .apnsProduction, of: mock) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        _ = try Wire(to: .apnsSandbox, of: mock)
    }

    @Test(arguments: [(7200, "ExpiredProviderToken"), (-7200, "InvalidProviderToken")])
    func clockSkew(seconds: Int, reason: String) throws {
        let mock = try mock("clock-skew=\(seconds)")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(sender.responses[1]?.text.contains(reason) == true)
    }
}

import Credentials
import Fleet
import Foundation
import Hosts
import LoadPlan
import MockHosts
import Push
import Testing
import Transport

/// Faults that change what a host allows or how it says no, as a sender reads it.
extension FaultTests {
    /// The text of each answer to these bodies, one after another over one connection to FCM.
    private func fcmAnswers(_ bodies: [String], _ mock: MockFixture) throws -> [TestSender.Response] {
        let token = try mock.accessToken()
        let sender = try TestSender(to: .fcm, of: mock)
        return try bodies.enumerated()
            .map { number, body in
                let slot = UInt32(number)
                let headers = [("authorization", "Bearer " + token)]
                try sender.submit(slot, path: GoodRequest.fcmPath, headers: headers, body: body)
                try sender.wait(for: [slot])
                return try #require(sender.responses[slot])
            }
    }

    @Test func topicLimit() throws {
        let body = #"{"message":{"topic":"news"}}"#
        let answers = try fcmAnswers([body, body, GoodRequest.fcmBody], try mock("topic-limit=1,per=1h"))
        #expect(answers.map(\.status) == [200, 429, 200])
        #expect(answers[1].text.contains("QUOTA_EXCEEDED") && answers[1].text.contains("Topic quota exceeded."))
    }

    @Test func noThirdPartyCredential() throws {
        let apns = #"{"message":{"token":"\#(GoodRequest.fcmToken)","apns":{"payload":{"aps":{}}}}}"#
        let answers = try fcmAnswers([apns, GoodRequest.fcmBody], try mock("no-third-party-credential"))
        #expect(answers.map(\.status) == [401, 200])
        #expect(answers[0].text.contains("THIRD_PARTY_AUTH_ERROR"))
    }

    /// What comes first in `details`, the FcmError or what else there is.
    @Test(arguments: [
        ("error-details=first", ["FcmError", "QuotaFailure"]), ("error-details=last", ["QuotaFailure", "FcmError"]),
        ("error-details=last,no-quota-failure", ["FcmError"]),
    ])
    func errorDetails(fault: String, order: [String]) throws {
        let mock = try mock("answer=QUOTA_EXCEEDED", fault)
        let text = try #require(try fcmAnswers([GoodRequest.fcmBody], mock).first).text
        #expect(text.matches(of: /"type\.googleapis\.com\/[a-z.0-9]*\.([A-Za-z]+)"/).map { String($0.1) } == order)
    }

    @Test func idleTimeout() throws {
        let mock = try mock("idle-timeout=20ms,lane=apns-production", "goaway,idle=60ms,lane=apns-sandbox")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(statuses(sender, 1...1) == [200])
        // Once another host has found its connection idle for longer, this one has been idle for long enough.
        let clock = try TestSender(to: .apnsSandbox, of: mock)
        try clock.run { $0.goAway != nil }
        try send(2...2, to: sender, of: mock)
        #expect(sender.responses[2]?.status == 400)
        #expect(sender.responses[2]?.text == #"{"reason":"IdleTimeout"}"#)
    }

    @Test(arguments: [("expired-tokens=100%", "ExpiredToken"), ("expired-tokens=0%", "Unregistered")])
    func expiredTokens(fault: String, reason: String) throws {
        let mock = try mock(fault)
        let sender = try sender(mock)
        try sender.submit(
            1,
            path: "/3/device/" + SyntheticDevice.token(.unregistered, of: .apnsProduction),
            headers: GoodRequest.apnsHeaders(token: try mock.providerToken()),
            body: GoodRequest.payload
        )
        try sender.wait(for: [1])
        #expect(sender.responses[1]?.status == 410)
        #expect(sender.responses[1]?.text.contains(#"{"reason":"\#(reason)","timestamp":"#) == true)
    }

    @Test func accessTokenLife() throws {
        let mock = try mock("access-token-life=2s")
        let account = try ServiceAccount.load(mock.announcement.fcm.serviceAccount)
        let assertion = try account.assertion(issuedAt: WallTime.seconds())
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        let sender = try TestSender(to: .oauth, of: mock)
        let answer = try sender.send(path: "/token", body: form + String(decoding: assertion, as: UTF8.self))
        #expect(answer.text.contains(#""expires_in":2,"#), "\(answer.text)")
        let token = try #require(answer.text.firstMatch(of: /"access_token":"([^"]+)"/)).1
        let client = try TestSender(to: .fcm, of: mock)
        let deadline = MonotonicClock.now() + 60 * Nanoseconds.second
        var slot: UInt32 = 0
        repeat {
            slot = slot % 4000 + 1
            let headers = [("authorization", "Bearer \(token)")]
            try client.submit(slot, path: GoodRequest.fcmPath, headers: headers, body: GoodRequest.fcmBody)
            try client.wait(for: [slot])
            // One device can't have as many messages as come before its end; that is no refusal of the token.
        } while client.responses[slot]?.status != 401 && MonotonicClock.now() < deadline
        #expect(client.responses[slot]?.status == 401)
    }

    @Test func retryAfterThatIsAbsent() throws {
        let mock = try mock("answer=ServiceUnavailable", "retry-after=7s,as=absent")
        let sender = try sender(mock)
        try send(1...1, to: sender, of: mock)
        #expect(sender.responses[1]?.status == 503 && sender.responses[1]?.retryAfter == "")
    }

    // MARK: Keys with a scope

    /// A provider token by one of the mock's other keys.
    private func token(_ keyID: String, of mock: MockFixture) throws -> String {
        let other = try #require(mock.announcement.apns.otherKeys?.first { $0.keyId == keyID })
        let identity = try ProviderIdentity(keyID: other.keyId, teamID: other.teamId)
        let token = try ProviderToken.make(
            key: try SigningKey.loadP8(other.key),
            identity: identity,
            issuedAt: WallClock.now() / 1_000_000_000
        )
        return String(decoding: token, as: UTF8.self)
    }

    private func answer(_ token: String, topic: String = "com.example.app", _ sender: TestSender) throws -> String {
        let headers = [("authorization", "bearer " + token), ("apns-topic", topic)]
        return try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload).text
    }

    @Test(arguments: [
        ("key-spelling=live", "BadEnvironmentKeyInToken"), ("key-spelling=documented", "BadEnvironmentKeyIdInToken"),
    ])
    func aKeyOfTheOtherEnvironment(fault: String, reason: String) throws {
        let mock = try mock(fault)
        let token = try token("SANDBOXKEY", of: mock)
        #expect(try answer(token, try sender(mock)) == #"{"reason":"\#(reason)"}"#)
        #expect(try answer(token, TestSender(to: .apnsSandbox, of: mock)) == "")
    }

    @Test func keysForOneTopicAndOfAnotherTeam() throws {
        let mock = try MockFixture { profile in
            profile.fleet.apps = ["com.example.app", "com.example.news"].map { AppShare(topic: $0, share: 0.5) }
        }
        let narrow = try token("ONETOPICKY", of: mock)
        let first = try sender(mock)
        #expect(try answer(narrow, first) == "")
        #expect(try answer(narrow, topic: "com.example.news", first) == #"{"reason":"TopicDisallowed"}"#)
        let second = try sender(mock)
        #expect(try answer(try mock.providerToken(), topic: "com.example.news", second) == "")
        let foreign = try token("OTHERTEAMK", of: mock)
        #expect(try answer(foreign, second) == #"{"reason":"UnrelatedKeyIdInToken"}"#)
        #expect(try answer(foreign, try sender(mock)) == "")
    }

    @Test func aTopicThatIsAddedLater() throws {
        let mock = try mock()
        let token = try mock.providerToken()
        let bound = try sender(mock)
        #expect(try answer(token, bound) == "")
        #expect(try answer(token, topic: "com.example.new", bound) == #"{"reason":"TopicDisallowed"}"#)
        #expect(try control(mock, "POST /pushbench/topics/com.example.new").hasPrefix("HTTP/1.1 200 "))
        #expect(try control(mock, "POST /pushbench/topics/no%20topic").hasPrefix("HTTP/1.1 400 "))
        #expect(try control(mock, "POST /pushbench/topics/").hasPrefix("HTTP/1.1 400 "))
        // A connection keeps what it was bound to at its first push.
        #expect(try answer(token, topic: "com.example.new", bound) == #"{"reason":"TopicDisallowed"}"#)
        #expect(try answer(token, topic: "com.example.new", try sender(mock)) == "")
    }

    private func control(_ mock: MockFixture, _ line: String) throws -> String {
        let url = try #require(mock.announcement.hosts["control"])
        let port = try #require(UInt16(url.dropFirst("http://127.0.0.1:".count)))
        let client = PlainSocketClient(.loopback(port: port))
        try client.write(Array("\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".utf8))
        return String(decoding: try client.readToTheEnd(), as: UTF8.self)
    }

    // MARK: All of them

    /// A knob that nobody turned in these files fails here.
    @Test func everyKnobIsTurned() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let files = ["FaultTests.swift", "FaultTests+Limits.swift", "FaultTests+Rules.swift"]
        let text = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
        for knob in FaultKnob.allCases {
            #expect(text.contains(try Regex("\"\(knob.rawValue)[\",=]")), "\(knob.rawValue) is turned by no test")
        }
    }
}

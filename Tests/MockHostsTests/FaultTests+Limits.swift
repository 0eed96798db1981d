import HTTP2
import Hosts
import LoadPlan
import MockHosts
import Testing
import Transport

/// Rules of the hosts that faults change, and windows.
extension FaultTests {
    private func fcm(_ mock: MockFixture, slots: ClosedRange<UInt32>) throws -> TestSender {
        let token = try mock.accessToken()
        let sender = try TestSender(to: .fcm, of: mock)
        for slot in slots {
            try sender.submit(
                slot,
                path: GoodRequest.fcmPath,
                headers: [("authorization", "Bearer " + token)],
                body: GoodRequest.fcmBody
            )
            try sender.wait(for: [slot])
        }
        return sender
    }

    @Test func answersOfFCM() throws {
        let mock = try mock(
            "answer=INTERNAL,every=4",
            "answer=RATE_LIMIT_EXCEEDED,after=1,every=4",
            "accept-then-fail,after=2,every=4",
            "retry-after=9s,after=2,every=4",
            "error-details=first"
        )
        let sender = try fcm(mock, slots: 1...4)
        #expect(statuses(sender, 1...4) == [500, 429, 503, 200])
        #expect(sender.responses[1]?.text.contains("\"INTERNAL\"") == true)
        #expect(sender.responses[3]?.retryAfter == "9")
    }

    @Test func limitsOfFCM() throws {
        let quota = try mock("quota=2,per=1h")
        #expect(statuses(try fcm(quota, slots: 1...4), 1...4) == [200, 200, 429, 429])
        #expect(try quota.stop().audit.findings.map(\.finding).contains(.overQuota))
        let device = try mock("device-limit=1,per=1h")
        #expect(statuses(try fcm(device, slots: 1...2), 1...2) == [200, 429])
    }

    @Test func revokedTokens() throws {
        let mock = try mock("revoke-tokens,from=0s")
        // Those given out after that time are good.
        #expect(statuses(try fcm(mock, slots: 1...1), 1...1) == [200])
        let late = try self.mock("revoke-tokens,from=1500ms")
        let sender = try fcm(late, slots: 1...1)
        let start = MonotonicClock.now()
        var slot: UInt32 = 1
        while sender.responses[slot]?.status != 401, MonotonicClock.now() - start < 20 * Nanoseconds.second {
            slot = slot % 4000 + 1
            try sender.repeatLast(slot)
        }
        #expect(sender.responses[slot]?.status == 401)
    }

    @Test func limitsOfAPNs() throws {
        let mock = try mock("device-limit=2,per=1h", "expired-tokens=100%")
        let sender = try sender(mock)
        try send(1...3, to: sender, of: mock)
        #expect(statuses(sender, 1...3) == [200, 200, 429])
        #expect(sender.responses[3]?.text == #"{"reason":"TooManyRequests"}"#)
    }

    @Test func windows() throws {
        let mock = try mock("window=10,updates=never")
        let sender = try sender(mock)
        try submit(1...1, to: sender, of: mock)
        // The PING is answered, the push can't get through: its body is longer than ten bytes.
        try sender.session.ping()
        try sender.run { $0.pongs > 0 }
        #expect(sender.responses[1]?.code == nil)
        let other = try self.mock("window=10,updates=each")
        let patient = try self.sender(other)
        try send(1...1, to: patient, of: other)
        #expect(statuses(patient, 1...1) == [200])
    }
}

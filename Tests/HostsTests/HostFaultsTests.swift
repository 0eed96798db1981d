import LoadPlan
import Push
import Testing

@testable import Hosts

/// What faults decide, without a wire.
@Suite struct HostFaultsTests {
    private static func faults(_ texts: String..., seed: UInt64 = 7) throws -> HostFaults {
        try #require(HostFaults(texts.map { try Fault($0) }, host: "apns-production", seed: seed))
    }

    @Test func aHostWithoutFaultsHasNone() throws {
        #expect(HostFaults([], host: "fcm", seed: 1) == nil)
        #expect(HostFaults([try Fault("stall,lane=oauth"), try Fault("wedge")], host: "fcm", seed: 1) == nil)
    }

    /// The numbers, from 0, of the requests that a fault strikes.
    private func struck(_ text: String, of count: Int, seed: UInt64 = 7) throws -> [Int] {
        var faults = try Self.faults(text, seed: seed)
        var connection = faults.opened(at: 0)
        return (0..<count)
            .filter { number in
                // One request each second.
                faults.request(over: &connection, at: Int64(number) * Nanoseconds.second).lossBefore != nil
            }
    }

    @Test func scopesChooseRequests() throws {
        #expect(try struck("stall", of: 4) == [0, 1, 2, 3])
        #expect(try struck("stall,after=2", of: 5) == [2, 3, 4])
        #expect(try struck("stall,every=3", of: 8) == [0, 3, 6])
        #expect(try struck("stall,after=1,every=3", of: 8) == [1, 4, 7])
        #expect(try struck("stall,from=2s,until=4s", of: 8) == [2, 3])
        #expect(try struck("stall,share=0", of: 100) == [])
    }

    @Test func sharesAreSeededAndExactEnough() throws {
        let first = try struck("stall,share=10%", of: 10_000)
        #expect((900...1100).contains(first.count))
        #expect(try struck("stall,share=10%", of: 10_000) == first)
        #expect(try struck("stall,share=10%", of: 10_000, seed: 8) != first)
    }

    @Test func effectsOfRequestFaults() throws {
        var faults = try Self.faults(
            "reset=8,after=1,every=100",
            "reset=2,when=after,after=2,every=100",
            "answer=Shutdown,after=3,every=100",
            "accept-then-fail,after=4,every=100",
            "accept-then-fail=nothing,after=5,every=100",
            "service-time=7ms,after=6,every=100"
        )
        var connection = faults.opened(at: 0)
        let found = (0..<7).map { _ in faults.request(over: &connection, at: 0) }
        #expect(found[0].lossBefore == nil && found[0].lossAfter == nil && found[0].refusal == nil)
        #expect(found[1].lossBefore == .reset(code: 8))
        #expect(found[2].lossAfter == .reset(code: 2))
        #expect(found[3].refusal.map { faults.refusals[Int($0)] } == .apns(.shutdown))
        #expect(found[4].refusalAfter.map { faults.refusals[Int($0)] } == .apns(.serviceUnavailable))
        #expect(found[5].lossAfter == .silence)
        #expect(found[6].serviceTime == 7_000_000)
    }

    /// That every reason of the table is one of its host's: the server looks them up when it starts.
    @Test func reasonsExist() throws {
        let words = [
            ("apns-sandbox", FaultForm.apnsRefusals), ("fcm", FaultForm.fcmRefusals),
            ("oauth", FaultForm.oauthRefusals),
        ]
        for (host, words) in words {
            for word in words { #expect(HostRefusal(word, host: host) != nil, "\(word) of \(host)") }
            for word in ["unavailable", "internal"] {
                let fault = try Fault("accept-then-fail=\(word)")
                #expect(HostFaults([fault], host: host, seed: 1)?.refusals.count == (host == "oauth" ? nil : 1))
            }
        }
    }

    @Test func aReasonStrikesTheHostsThatHaveIt() throws {
        let fault = try Fault("answer=UNAVAILABLE")
        #expect(HostFaults([fault], host: "fcm", seed: 1)?.refusals == [.fcm(.unavailable)])
        #expect(HostFaults([fault], host: "apns-production", seed: 1) == nil)
    }

    @Test func windows() throws {
        let faults = try Self.faults("window=1000,connection=70000,updates=never")
        let expected = WindowRule(stream: 1000, connection: 70_000, updates: .never)
        #expect(faults.window(of: ConnectionFaults(), at: 0) == expected)
        #expect(try Self.faults("stall").window(of: ConnectionFaults(), at: 0) == nil)
    }

    @Test func retryAfterGoesWithTheRequestBefore() throws {
        var faults = try Self.faults("retry-after=1500ms,every=2", "retry-after=5s,as=date,after=100")
        var connection = faults.opened(at: 0)
        var found: [RetryAfterField?] = []
        for _ in 0..<3 {
            _ = faults.request(over: &connection, at: 0)
            found.append(faults.retryAfter(at: 0))
        }
        #expect(found == [.seconds(2), nil, .seconds(2)])
    }

    @Test func goAwayComesAfterSoManyRequestsAndDropsTheLast() throws {
        var faults = try Self.faults("goaway,after=5,last=-2,code=2,reason=Shutdown,twice,open")
        var connection = faults.opened(at: 0)
        #expect(faults.ending(of: &connection, isBusy: false, at: 0) == nil)
        var dropped: [Bool] = []
        for number in 1...5 {
            dropped.append(faults.request(over: &connection, at: 0).isDropped)
            let order = faults.ending(of: &connection, isBusy: true, at: 0)
            guard number == 5 else {
                #expect(order == nil)
                continue
            }
            var expected = GoAwayOrder(code: 2, debug: #"{"reason":"Shutdown"}"#)
            (expected.dropped, expected.isTwice, expected.staysOpen) = (2, true, true)
            #expect(order == .goAway(expected))
        }
        #expect(dropped == [false, false, false, true, true])
        #expect(faults.ending(of: &connection, isBusy: true, at: 0) == nil, "only once")
    }

    @Test(
        arguments: [
            ("goaway,age=2s", 2.0, ConnectionOrder.goAway(GoAwayOrder())),
            ("goaway,idle=2s", 3, .goAway(GoAwayOrder())),
            ("session-timeout=2s", 3, .goAway(GoAwayOrder(debug: "session_timed_out"))),
            ("silence=2s", 3, .fallSilent),
            ("disconnect,from=4s", 4, .cut),
        ]
    )
    func endingsGoByTheClock(text: String, due: Double, expected: ConnectionOrder) throws {
        var faults = try Self.faults(text)
        var connection = faults.opened(at: 0)
        // One request after one second.
        _ = faults.request(over: &connection, at: Nanoseconds.second)
        let moment = Int64(due * 1e9)
        #expect(faults.ending(of: &connection, isBusy: false, at: moment - 1) == nil)
        #expect(faults.ending(of: &connection, isBusy: false, at: moment) == expected)
    }

    @Test func aBusyConnectionIsNotIdle() throws {
        let faults = try Self.faults("session-timeout=2s")
        var connection = ConnectionFaults()
        #expect(faults.ending(of: &connection, isBusy: true, at: 9 * Nanoseconds.second) == nil)
        #expect(faults.ending(of: &connection, isBusy: false, at: 9 * Nanoseconds.second) != nil)
    }

    @Test func aRejectionCutsTheStreamsAndAnAcceptanceRestoresThem() throws {
        let faults = try Self.faults("cut-streams")
        var connection = ConnectionFaults()
        let steps: [(AnswerKind, UInt32?)] = [
            (.accepted, nil), (.badDeviceToken, 1), (.refused, nil), (.unregistered, nil), (.accepted, 1000),
            (.accepted, nil), (.unregistered, 1),
        ]
        for (kind, expected) in steps {
            var limit: UInt32?
            _ = faults.answered(kind, over: &connection, changing: &limit, full: 1000, at: 0)
            #expect(limit == expected, "\(kind)")
        }
    }

    @Test func firstStreamsAndNone() throws {
        var connection = ConnectionFaults()
        let some = try Self.faults("first-streams=500,auth=certificate")
        #expect(some.firstStreams(of: connection, usual: 1, at: 0) == 1)
        connection.hasCertificate = true
        #expect(some.firstStreams(of: connection, usual: 1, at: 0) == 500)
        let none = try Self.faults("no-stream-limit")
        #expect(none.firstStreams(of: connection, usual: 1, at: 0) == nil)
        var limit: UInt32? = 1000
        _ = none.answered(.accepted, over: &connection, changing: &limit, full: 1000, at: 0)
        #expect(limit == nil)
    }

    @Test func staleTokensWedge() throws {
        var faults = try Self.faults("wedge=2")
        var connection = faults.opened(at: 0)
        for kind in [AnswerKind.staleToken, .accepted, .staleToken] {
            #expect(faults.request(over: &connection, at: 0).lossBefore == nil)
            var limit: UInt32?
            _ = faults.answered(kind, over: &connection, changing: &limit, full: 1000, at: 0)
        }
        #expect(faults.request(over: &connection, at: 0).lossBefore == .silence)
    }

    @Test func tooManyErrorsEndAConnection() throws {
        let faults = try Self.faults("error-ratio=50%,window=4")
        func order(_ kinds: [AnswerKind]) -> [ConnectionOrder?] {
            var connection = ConnectionFaults()
            return kinds.map { kind in
                var limit: UInt32?
                return faults.answered(kind, over: &connection, changing: &limit, full: 1000, at: 0)
            }
        }
        let end = ConnectionOrder.goAway(GoAwayOrder())
        #expect(order([.accepted, .accepted, .refused, .refused]) == [nil, nil, nil, end])
        #expect(order([.accepted, .accepted, .accepted, .badDeviceToken]) == [nil, nil, nil, end])
        #expect(order([.unregistered, .unregistered, .unregistered, .refused]) == [nil, nil, nil, nil])
        #expect(order([.accepted, .accepted, .accepted, .refused, .refused]) == [nil, nil, nil, nil, nil])
    }

    @Test func pingsWithoutRequestsAreCounted() throws {
        var faults = try Self.faults("pings=2,within=1m")
        var connection = faults.opened(at: 0)
        func ping(_ second: Int64) -> Bool { faults.pinged(over: &connection, at: second * Nanoseconds.second) != nil }
        #expect([ping(0), ping(1), ping(2)] == [false, false, true])
        _ = faults.request(over: &connection, at: 0)
        #expect([ping(3), ping(4), ping(70), ping(71), ping(72)] == [false, false, false, false, true])
    }

    @Test func connectionsAreChosenOneByOne() throws {
        var faults = try Self.faults("slow-tls=3s,every=2", "round-trip=40ms,share=50%")
        let connections = (0..<1000).map { _ in faults.opened(at: 0) }
        #expect(
            connections.prefix(4).map { faults.handshakeDelay(of: $0, at: 0) / Nanoseconds.second } == [3, 0, 3, 0]
        )
        let far = connections.filter { faults.roundTrip(of: $0, at: 0) == 40 * Nanoseconds.millisecond }.count
        #expect((400...600).contains(far))
    }

    @Test func freezes() throws {
        let faults = try Self.faults("freeze,from=1s,until=3s")
        #expect(faults.frozen(at: Nanoseconds.second - 1) == nil)
        #expect(faults.frozen(at: Nanoseconds.second) == 3 * Nanoseconds.second)
        #expect(faults.frozen(at: 3 * Nanoseconds.second) == nil)
        #expect(faults.watchInterval != nil)
        #expect(try Self.faults("stall").watchInterval == nil)
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_767_225_599, "Wed, 31 Dec 2025 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ]
    )
    func datesOfHTTP(seconds: Int64, expected: String) {
        var bytes = [UInt8](repeating: 0, count: HTTPDate.length)
        bytes.withUnsafeMutableBytes { HTTPDate.write(seconds, into: $0) }
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}

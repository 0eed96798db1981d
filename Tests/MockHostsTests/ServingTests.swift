import Credentials
import HTTP2
import LoadPlan
import MockHosts
import Push
import Testing

/// What well-behaved senders get from a running mock.
@Suite struct ServingTests {
    @Test func aPushIsAccepted() throws {
        let mock = try MockFixture()
        let sender = try TestSender(to: .apnsProduction, of: mock)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let response = try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        #expect(response == TestSender.Response(status: 200, body: [], code: .noError))
        let summary = try mock.stop()
        #expect(summary.count(.apnsProduction, 200) == 1)
        #expect(summary.answered == 1)
        let connections = try #require(summary.connections(.apnsProduction))
        #expect(connections.accepted == 1 && connections.secured == 1 && connections.faulty == 0)
    }

    @Test func refusalsSayWhy() throws {
        let mock = try MockFixture()
        let sender = try TestSender(to: .apnsSandbox, of: mock)
        let missing = try sender.send(path: GoodRequest.apnsPath, body: GoodRequest.payload)
        #expect(missing.status == 403 && missing.text == #"{"reason":"MissingProviderToken"}"#)
        let old = GoodRequest.apnsHeaders(token: try mock.providerToken(age: 3700))
        let expired = try sender.send(path: GoodRequest.apnsPath, headers: old, body: GoodRequest.payload)
        #expect(expired.status == 403 && expired.text == #"{"reason":"ExpiredProviderToken"}"#)
        let forged = GoodRequest.apnsHeaders(token: try mock.providerToken() + "A")
        let invalid = try sender.send(path: GoodRequest.apnsPath, headers: forged, body: GoodRequest.payload)
        #expect(invalid.status == 403 && invalid.text == #"{"reason":"InvalidProviderToken"}"#)
        #expect(sender.limits == [1])
        let summary = try mock.stop()
        #expect(summary.count(.apnsSandbox, 403, "ExpiredProviderToken") == 1)
    }

    @Test func theStreamLimitRisesWithTheFirstGoodToken() throws {
        let mock = try MockFixture { $0.mock.streamLimits["apns-production"] = 500 }
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.run { $0.limits == [1] }
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        for slot in 0..<1000 as Range<UInt32> {
            try sender.submit(slot, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        }
        try sender.wait(for: 0..<1000)
        #expect(sender.limits == [1, 500])
        #expect(sender.responses.values.allSatisfy { $0.status == 200 && $0.code == .noError })
        #expect(try mock.stop().count(.apnsProduction, 200) == 1000)
    }

    @Test func answersComeAfterTheirServiceTimes() throws {
        let mock = try MockFixture { $0.mock.serviceTime = .uniform(from: 1_000_000, to: 20_000_000) }
        let sender = try TestSender(to: .apnsProduction, of: mock)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        for slot in 0..<300 as Range<UInt32> {
            try sender.submit(slot, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        }
        try sender.wait(for: 0..<300)
        #expect(sender.responses.values.allSatisfy { $0.status == 200 })
        #expect(try mock.stop().count(.apnsProduction, 200) == 300)
    }

    @Test func anAnswerForNobodyIsCounted() throws {
        let mock = try MockFixture { $0.mock.serviceTime = .constant(1_500_000_000) }
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let sender = try TestSender(to: .apnsProduction, of: mock)
        try sender.submit(0, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        try sender.submit(1, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        try sender.run { $0.session.settingsReceived }
        sender.session.reset(slot: 0, code: .cancel)
        try sender.wait(for: [0, 1])
        #expect(sender.responses[1]?.status == 200)

        // The same with the whole connection gone; a later push shows that the mock has seen it.
        try sender.submit(2, path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        try sender.run { !$0.session.wantsWrite }
        try sender.wire.close()
        let other = try TestSender(to: .apnsProduction, of: mock)
        #expect(try other.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload).status == 200)
        let summary = try mock.stop()
        #expect(summary.count(.apnsProduction, 200) + summary.abandoned == 4)
        #expect(summary.count(.apnsProduction, 200) == 2)
    }

    @Test func aMessageGoesTheWholeWayWithATokenFromTheTokenEndpoint() throws {
        let mock = try MockFixture()
        let token = try mock.accessToken()
        let sender = try TestSender(to: .fcm, of: mock)
        let headers = [("authorization", "Bearer " + token), ("content-type", "application/json")]
        let response = try sender.send(path: GoodRequest.fcmPath, headers: headers, body: GoodRequest.fcmBody)
        #expect(response.status == 200)
        #expect(response.text.contains(#""name": "projects/example-project/messages/0:"#))
        let bare = try sender.send(path: GoodRequest.fcmPath, body: GoodRequest.fcmBody)
        #expect(bare.status == 401 && bare.text.contains("CREDENTIALS_MISSING"))
        #expect(sender.limits == [100])
        let summary = try mock.stop()
        #expect(summary.count(.oauth, 200) == 1)
        #expect(summary.count(.fcm, 200) == 1)
        #expect(summary.count(.fcm, 401, "CREDENTIALS_MISSING") == 1)
    }

    @Test func theCannedPolicyAcceptsAnything() throws {
        let mock = try MockFixture { $0.mock.policy = .canned }
        for port in [HostPort.apnsProduction, .apnsSandbox, .fcm, .oauth] {
            let sender = try TestSender(to: port, of: mock)
            for slot in 0..<250 as Range<UInt32> { try sender.submit(slot, path: "/whatever", body: "") }
            try sender.wait(for: 0..<250)
            #expect(sender.responses.values.allSatisfy { $0.status == 200 && $0.code == .noError })
            let text = try #require(sender.responses[0]).text
            switch port.host {
            case .apnsProduction, .apnsSandbox: #expect(text == "")
            case .fcm: #expect(text.contains(#""name": "projects/example-project/messages/"#))
            case .oauth:
                #expect(
                    text.wholeMatch(of: /\{"access_token":"[a-z-]{200}","expires_in":3599,"token_type":"Bearer"\}/)
                        != nil
                )
            }
        }
        let summary = try mock.stop()
        #expect(HostName.allCases.map { summary.count($0, 200) } == [250, 250, 250, 250])
    }

    @Test func oneTokenIsCheckedOnceForAllConnections() throws {
        let mock = try MockFixture()
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        for host in [HostPort.apnsProduction, .apnsSandbox, .apnsProductionAlternate] {
            let sender = try TestSender(to: host, of: mock)
            let response = try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
            #expect(response.status == 200)
        }
        let summary = try mock.stop()
        #expect(summary.answered == 3 && summary.signatureChecks == 1)
    }
}

import Fleet
import Hosts
import Push
import Testing

/// What becomes of the tokens of a synthetic fleet.
@Suite struct APNsDeviceTests {
    @Test(arguments: [
        (Defect.none, nil), (.unregistered, APNsReason.unregistered), (.wrongEnvironment, .badDeviceToken),
        (.malformed, .badDeviceToken), (.wrongTopic, .deviceTokenNotForTopic), (.otherSender, nil),
    ])
    func aDefectGetsItsReason(_ defect: Defect, _ reason: APNsReason?) throws {
        for lane in [FleetLane.apnsProduction, .apnsSandbox] {
            for device in try DefectiveTokens(defect).devices(of: lane) {
                let request = APNsHostTests.request()
                request.path = "/3/device/" + device.token
                request.headers["apns-topic"] = device.topic
                let answer = APNsHostTests.answer(
                    request,
                    environment: lane == .apnsSandbox ? .sandbox : .production
                )
                // A malformed token may have lost all of its characters: then the path is at fault.
                #expect(answer.reason == reason || (defect == .malformed && device.token.isEmpty))
            }
        }
    }

    @Test func aSandboxTokenIsBadInProduction() throws {
        let device = try #require(DefectiveTokens(.none).devices(of: .apnsSandbox, count: 1).first)
        let request = APNsHostTests.request()
        request.path = "/3/device/" + device.token
        request.headers["apns-topic"] = device.topic
        #expect(APNsHostTests.answer(request, environment: .production).reason == .badDeviceToken)
    }

    @Test func theTopicOfAnotherAppIsRefusedWithASuffixToo() throws {
        let device = try #require(DefectiveTokens(.none).devices(of: .apnsProduction, count: 1).first)
        for topic in DefectiveTokens.topics {
            let request = APNsHostTests.request()
            request.path = "/3/device/" + device.token
            request.headers["apns-push-type"] = "voip"
            request.headers["apns-topic"] = topic + ".voip"
            let reason = APNsHostTests.answer(request).reason
            #expect(reason == (topic == device.topic ? nil : .deviceTokenNotForTopic))
        }
    }

    @Test func unregisteredSinceTheSameMillisecondEachTime() throws {
        let devices = try DefectiveTokens(.unregistered).devices(of: .apnsProduction, count: 20)
        var dates: Set<Int64> = []
        for device in devices {
            let request = APNsHostTests.request()
            request.path = "/3/device/" + device.token
            request.headers["apns-topic"] = device.topic
            let first = APNsHostTests.answer(request)
            #expect(first.timestampMilliseconds == APNsHostTests.answer(request).timestampMilliseconds)
            let age = APNsHostTests.now / 1_000_000 - first.timestampMilliseconds
            #expect(age > 0 && age <= 30 * 24 * 3600 * 1000)
            dates.insert(first.timestampMilliseconds)
        }
        #expect(dates.count == devices.count)
    }
}

import Hosts
import Push
import Testing

/// The bytes of APNs answers, and the tables that stand for strings on the hot path.
@Suite struct APNsAnswerTests {
    static func body(_ answer: APNsAnswer) -> String {
        withUnsafeTemporaryAllocation(byteCount: APNsAnswer.longestBody, alignment: 1) { buffer in
            let length = answer.writeBody(into: buffer)
            return String(decoding: buffer[0..<length], as: UTF8.self)
        }
    }

    @Test(arguments: APNsReason.allCases) func theBodyIsExact(_ reason: APNsReason) throws {
        var answer = APNsHostTests.answer(APNsHostTests.request())
        answer.reason = reason
        answer.timestampMilliseconds = 1_454_948_015_990
        let extra = reason.status == 410 ? ",\"timestamp\":1454948015990" : ""
        #expect(Self.body(answer) == "{\"reason\":\"\(reason.rawValue)\"\(extra)}")
    }

    @Test func anAcceptedPushHasNoBody() {
        #expect(Self.body(APNsHostTests.answer(APNsHostTests.request())) == "")
    }

    /// The constants that replace `PushType`'s strings say the same as those.
    @Test(arguments: PushType.allCases) func everyPushTypeWorksWithItsSuffixAndPriorities(_ type: PushType) {
        for priority in 0...11 {
            let request = APNsHostTests.request()
            request.headers["apns-push-type"] = type.rawValue
            request.headers["apns-topic"] = "com.example.app" + type.topicSuffix
            request.headers["apns-priority"] = String(priority)
            let isAllowed = type.allowedPriorities.contains(priority)
            #expect(APNsHostTests.answer(request).reason == (isAllowed ? nil : .badPriority))
        }
    }
}

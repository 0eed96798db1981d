import Fleet
import Testing

@testable import Push

@Suite("Reasons and dispositions")
struct ReasonTests {
    private func index(_ catalogue: inout AnswerCatalogue, _ status: Int, _ body: String) -> Answer {
        let bytes = Array(body.utf8)
        let index = bytes.withUnsafeBytes { catalogue.index(status: status, body: $0) }
        return catalogue.answers[index]
    }

    @Test(
        "APNs bodies",
        arguments: [
            (200, "", "", Disposition.delivered),
            (400, #"{"reason":"BadDeviceToken"}"#, "BadDeviceToken", .invalidDevice),
            (400, #"{"reason":"DeviceTokenNotForTopic"}"#, "DeviceTokenNotForTopic", .invalidDevice),
            (410, #"{"reason":"Unregistered","timestamp":1700000000000}"#, "Unregistered", .removeDevice),
            (410, #"{ "timestamp": 1, "reason" : "ExpiredToken" }"#, "ExpiredToken", .removeDevice),
            (403, #"{"reason":"BadEnvironmentKeyInToken"}"#, "BadEnvironmentKeyInToken", .configurationFault),
            (403, #"{"reason":"BadEnvironmentKeyIdInToken"}"#, "BadEnvironmentKeyIdInToken", .configurationFault),
            (429, #"{"reason":"TooManyProviderTokenUpdates"}"#, "TooManyProviderTokenUpdates", .configurationFault),
            (429, #"{"reason":"TooManyRequests"}"#, "TooManyRequests", .retryLater),
            (400, #"{"reason":"NeverHeardOf"}"#, "NeverHeardOf", .rejected),
            (403, #"{"reason":"NeverHeardOf"}"#, "NeverHeardOf", .configurationFault),
            (503, "", "(empty)", .retryLater),
            (502, "\n<html>", "(html)", .retryLater),
            (400, #"{"reason":17}"#, "(no reason)", .rejected),
            (400, #"{"reason":"cut off"#, "(no reason)", .rejected),
            (400, #"{"reason""#, "(no reason)", .rejected),
            (400, #"{"note":"\"reason\":\"Fake\"","reason":"PayloadEmpty"}"#, "PayloadEmpty", .rejected),
        ]
    )
    func apns(status: Int, body: String, reason: String, disposition: Disposition) {
        var catalogue = AnswerCatalogue(provider: .apns)
        let answer = index(&catalogue, status, body)
        #expect(answer == Answer(status: status, reason: reason, disposition: disposition))
    }

    @Test(
        "FCM bodies",
        arguments: [
            (
                404,
                #"{"error":{"status":"NOT_FOUND","details":[{"@type":"x.FcmError","errorCode":"UNREGISTERED"}]}}"#,
                "UNREGISTERED", Disposition.removeDevice
            ),
            (
                403, #"{"error":{"status":"PERMISSION_DENIED","details":[{"errorCode":"SENDER_ID_MISMATCH"}]}}"#,
                "SENDER_ID_MISMATCH", .invalidDevice
            ),
            (
                400, #"{"error":{"status":"INVALID_ARGUMENT","details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#,
                "INVALID_ARGUMENT", .rejected
            ),
            (
                429, #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}"#,
                "RATE_LIMIT_EXCEEDED", .retryLater
            ),
            (
                429, #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"errorCode":"QUOTA_EXCEEDED"}]}}"#,
                "QUOTA_EXCEEDED", .retryLater
            ),
            (
                401, #"{"error":{"status":"UNAUTHENTICATED","details":[{"reason":"CREDENTIALS_MISSING"}]}}"#,
                "CREDENTIALS_MISSING", .configurationFault
            ),
            (
                401, #"{"error":{"details":[{"errorCode":"THIRD_PARTY_AUTH_ERROR"}]}}"#,
                "THIRD_PARTY_AUTH_ERROR", .configurationFault
            ),
            (404, "<!DOCTYPE html>", "(html)", .rejected),
            (500, #"{"error":{"status":"INTERNAL"}}"#, "INTERNAL", .retryLater),
        ]
    )
    func fcm(status: Int, body: String, reason: String, disposition: Disposition) {
        var catalogue = AnswerCatalogue(provider: .fcm)
        let answer = index(&catalogue, status, body)
        #expect(answer == Answer(status: status, reason: reason, disposition: disposition))
    }

    @Test("Every reason of the tables is told apart when met on the wire")
    func tables() {
        var apns = AnswerCatalogue(provider: .apns)
        for reason in APNsReason.allCases {
            let answer = index(&apns, reason.status, #"{"reason":"\#(reason.rawValue)"}"#)
            #expect(answer.reason == reason.rawValue && answer.status == reason.status)
        }
        #expect(apns.answers.count == APNsReason.allCases.count + 1)
        var fcm = AnswerCatalogue(provider: .fcm)
        for code in FCMErrorCode.allCases {
            let answer = index(&fcm, code.status, #"{"error":{"details":[{"errorCode":"\#(code.rawValue)"}]}}"#)
            #expect(answer.reason == code.rawValue && answer.status == code.status)
        }
    }

    @Test("The same answer keeps its index; a host that invents reasons can't grow the catalogue without limit")
    func bounded() {
        var catalogue = AnswerCatalogue(provider: .apns)
        let first = index(&catalogue, 400, #"{"reason":"A"}"#)
        #expect(index(&catalogue, 400, #"{"reason":"A"}"#) == first)
        for number in 0..<2000 { _ = index(&catalogue, 400, #"{"reason":"R\#(number)"}"#) }
        #expect(catalogue.answers.count == 513)
        #expect(catalogue.answers.last?.reason == "(more reasons)")
        let long = index(&catalogue, 400, #"{"reason":"\#(String(repeating: "x", count: 4000))"}"#)
        #expect(long.reason == "(more reasons)")
    }
}

import Fleet
import Foundation
import Hosts
import Push
import Testing

/// The bodies of FCM's refusals.
@Suite struct FCMBodyTests {
    /// A request that earns each reason, and the body as JSON.
    static let examples: [(FCMReason, @Sendable (inout FCMFixture) -> WrittenRequest)] = [
        (.missingCredentials, { $0.request("{}").without("authorization") }),
        (.invalidCredentials, { $0.request("{}").with("authorization", "Bearer x") }),
        (.insufficientScope, { $0.request("{}").with("authorization", "Bearer " + $0.narrowToken) }),
        (.invalidBody, { $0.request("{]") }),
        (.invalidField, { $0.request(#"{"message":{"data":{"from":"x"}}}"#) }),
        (.missingRecipient, { $0.request("{}") }),
        (.invalidToken, { $0.request(#"{"message":{"token":"x"}}"#) }),
        (.invalidTopic, { $0.request(#"{"message":{"topic":"x y"}}"#) }),
        (
            .messageTooLarge,
            { $0.request(#"{"message":{"topic":"x","data":{"k":"\#(String(repeating: "v", count: 5000))"}}}"#) }
        ),
    ]

    private struct Body: Decodable {
        struct Failure: Decodable {
            struct Detail: Decodable {
                var type: String
                var errorCode: String?
                var reason: String?
                var fieldViolations: [[String: String]]?

                enum CodingKeys: String, CodingKey {
                    case type = "@type"
                    case errorCode
                    case reason
                    case fieldViolations
                }
            }

            var code: Int
            var message: String
            var status: String
            var details: [Detail]?
        }

        var error: Failure
    }

    @Test func everyBodyIsJSONThatSaysItsStatusAndReason() throws {
        for (reason, make) in Self.examples {
            var fixture = FCMFixture()
            let request = make(&fixture)
            let answer = fixture.answer(request)
            #expect(answer.reason == reason)
            let bytes = fixture.body(answer)
            let failure = try JSONDecoder().decode(Body.self, from: Data(bytes)).error
            #expect(failure.code == answer.status)
            #expect(!failure.message.isEmpty)
            let label = bytes.withUnsafeBytes { bytes in
                ReasonParser.reason(in: bytes, from: .fcm).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(label == reason.label)
        }
    }

    @Test func missingCredentials() throws {
        var fixture = FCMFixture()
        let answer = fixture.answer(fixture.request("").without("authorization"))
        #expect(
            FCMAnswer.headers(answer.reason)
                .contains {
                    $0 == ("www-authenticate", "Bearer realm=\"https://accounts.google.com/\"")
                }
        )
        let failure = try JSONDecoder().decode(Body.self, from: Data(fixture.body(answer))).error
        #expect(failure.status == "UNAUTHENTICATED")
        #expect(failure.details?.first?.type == "type.googleapis.com/google.rpc.ErrorInfo")
        #expect(failure.details?.first?.reason == "CREDENTIALS_MISSING")
    }

    @Test(arguments: [
        (
            Defect.unregistered,
            """
            {
              "error": {
                "code": 404,
                "message": "Requested entity was not found.",
                "status": "NOT_FOUND",
                "details": [
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "UNREGISTERED"
                  }
                ]
              }
            }

            """
        ),
        (
            .otherSender,
            """
            {
              "error": {
                "code": 403,
                "message": "SenderId mismatch",
                "status": "PERMISSION_DENIED",
                "details": [
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "SENDER_ID_MISMATCH"
                  }
                ]
              }
            }

            """
        ),
        (
            .malformed,
            """
            {
              "error": {
                "code": 400,
                "message": "The registration token is not a valid FCM registration token",
                "status": "INVALID_ARGUMENT",
                "details": [
                  {
                    "@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [
                      {
                        "field": "message.token",
                        "description": "The registration token is not a valid FCM registration token"
                      }
                    ]
                  },
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "INVALID_ARGUMENT"
                  }
                ]
              }
            }

            """
        ),
    ])
    func aRefusedDeviceGetsExactlyThis(_ defect: Defect, _ text: String) throws {
        var fixture = FCMFixture()
        let device = try #require(DefectiveTokens(defect).devices(of: .fcm, count: 1).first)
        let token = String(decoding: try JSONEncoder().encode(device.token), as: UTF8.self)
        let answer = fixture.answer(fixture.request("{\"message\":{\"token\":\(token)}}"))
        #expect(String(decoding: fixture.body(answer), as: UTF8.self) == text)
    }

    struct Violation: Sendable, CustomTestStringConvertible {
        var body: String
        var field: String?
        var description: String
        var hasCode = false

        var testDescription: String { body }
    }

    static let violations = [
        Violation(
            body: #"{"massage":{}}"#,
            description: "Invalid JSON payload received. Unknown name \"massage\": Cannot find field."
        ),
        Violation(
            body: #"{"message":{"tokens":[]}}"#,
            field: "message",
            description: "Invalid JSON payload received. Unknown name \"tokens\" at 'message': Cannot find field."
        ),
        Violation(
            body: #"{"message":{"data":{"a":"b","n":1.5}}}"#,
            field: "message.data[1].value",
            description: "Invalid value at 'message.data[1].value' (TYPE_STRING), 1.5"
        ),
        Violation(
            body: #"{"message":{"android":{"priority":"urgent"}}}"#,
            field: "message.android.priority",
            description: "Invalid value at 'message.android.priority' "
                + "(type.googleapis.com/google.firebase.fcm.v1.AndroidConfig.AndroidMessagePriority), \"urgent\""
        ),
        Violation(
            body: #"{"message":{"android":{"ttl":"1h"}}}"#,
            field: "message.android.ttl",
            description: "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), \"1h\""
        ),
        Violation(
            body: #"{"message":{"notification":{"title":["a"]}}}"#,
            field: "message.notification",
            description: "Invalid JSON payload received. Unknown name \"title\" at 'message.notification': "
                + "Proto field is not repeating, cannot start list."
        ),
        Violation(
            body: #"{"message":{"token":"a","topic":"b"}}"#,
            field: "message",
            description: "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
        ),
        Violation(
            body: #"{"message":{"android":{"notification":{"titleLocArgs":["a",{}]}}}}"#,
            field: "message.android.notification.title_loc_args[1]",
            description: "Invalid value at 'message.android.notification.title_loc_args[1]' (TYPE_STRING), "
                + "Starting an object on a scalar field"
        ),
        Violation(
            body: #"{"message":{"android":{"ttl":"2419201s"}}}"#,
            field: "message.android.ttl",
            description: "Invalid TTL: it must be between 0 and 2419200 seconds",
            hasCode: true
        ),
        Violation(
            body: #"{"message":{"data":{"google.x":"1"}}}"#,
            field: "message.data[0]",
            description: "Invalid data payload key: google.x",
            hasCode: true
        ),
    ]

    @Test(arguments: violations) func aViolationNamesItsField(_ each: Violation) throws {
        var fixture = FCMFixture()
        let answer = fixture.answer(fixture.request(each.body))
        let failure = try JSONDecoder().decode(Body.self, from: Data(fixture.body(answer))).error
        #expect(failure.message == each.description)
        let details = try #require(failure.details)
        #expect(details.first?.type == "type.googleapis.com/google.rpc.BadRequest")
        #expect(details.first?.fieldViolations?.first?["field"] == each.field)
        #expect(details.first?.fieldViolations?.first?["description"] == each.description)
        #expect(details.contains { $0.errorCode == "INVALID_ARGUMENT" } == each.hasCode)
    }
}

extension WrittenRequest {
    func with(_ name: String, _ value: String) -> WrittenRequest {
        headers[name] = value
        return self
    }

    func without(_ name: String) -> WrittenRequest {
        headers[name] = nil
        return self
    }
}

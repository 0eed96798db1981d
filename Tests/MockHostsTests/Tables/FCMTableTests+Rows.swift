import Fleet
import Hosts

@testable import MockHosts

private let minute: Int64 = 60_000_000_000
private let fcmError = #""@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode""#
private let badRequest = #""@type": "type.googleapis.com/google.rpc.BadRequest","fieldViolations""#
private let errorInfo = #""@type": "type.googleapis.com/google.rpc.ErrorInfo","reason""#
private let quotaFailure = #""@type": "type.googleapis.com/google.rpc.QuotaFailure","violations""#
private let send =
    #""metadata": {"method": "google.firebase.fcm.v1.FcmService.SendMessage","service": "fcm.googleapis.com"}"#
private let expected =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
    + "See https://developers.google.com/identity/sign-in/web/devconsole-project."

/// A refusal for a field by the messaging service.
private func invalid(_ field: String, _ text: String) -> String {
    #""message": "\#(text)","status": "INVALID_ARGUMENT","details": [{\#(badRequest): "#
        + #"[{"field": "\#(field)","description": "\#(text)"}]},{\#(fcmError): "INVALID_ARGUMENT"}]"#
}

/// A refusal by the messaging service.
private func service(_ text: String, _ status: String, _ code: String, before: String = "", after: String = "")
    -> String
{
    #""message": "\#(text)","status": "\#(status)","details": [\#(before){\#(fcmError): "\#(code)"}\#(after)]"#
}

extension FCMTableTests {
    /// At least one row for each reason that has a body of JSON.
    static let rows: [Row] = credentialRows + fieldRows + deviceRows + quotaRows + faultRows

    private static let realm = #"www-authenticate: Bearer realm="https://accounts.google.com/""#

    private static let credentialRows = [
        Row(
            .missingCredentials,
            "401 Unauthorized",
            "no access token",
            more: [realm],
            #""message": "Request is missing required authentication credential. \#(expected)","status": "UNAUTHENTICATED","#
                + #""details": [{\#(errorInfo): "CREDENTIALS_MISSING","domain": "googleapis.com",\#(send)}]"#
        ) { $0.authorization = nil },
        Row(
            .invalidCredentials,
            "401 Unauthorized",
            "a server key of earlier years",
            more: [realm + #", error="invalid_token""#],
            #""message": "Request had invalid authentication credentials. \#(expected)","status": "UNAUTHENTICATED","#
                + #""details": [{\#(errorInfo): "ACCESS_TOKEN_TYPE_UNSUPPORTED","domain": "googleapis.com",\#(send)}]"#
        ) { $0.authorization = "key=AAAA" },
        Row(
            .expiredCredentials,
            "401 Unauthorized",
            "an access token of an hour ago",
            more: [realm + #", error="invalid_token""#],
            #""message": "Request had invalid authentication credentials. \#(expected)","status": "UNAUTHENTICATED","#
                + #""details": [{\#(errorInfo): "ACCESS_TOKEN_EXPIRED","domain": "googleapis.com",\#(send)}]"#
        ) { $0.bench.now += 60 * minute },
        Row(
            .insufficientScope,
            "403 Forbidden",
            "an access token for something else",
            #""message": "Request had insufficient authentication scopes.","status": "PERMISSION_DENIED","#
                + #""details": [{\#(errorInfo): "ACCESS_TOKEN_SCOPE_INSUFFICIENT","domain": "googleapis.com",\#(send)}]"#
        ) { $0.authorization = "Bearer " + (try $0.bench.accessToken(scope: "https://www.googleapis.com/auth/drive")) },
        Row(
            .permissionDenied,
            "403 Forbidden",
            "somebody else's project",
            #""message": "Permission 'cloudmessaging.messages.create' denied on resource "#
                + #"'//cloudresourcemanager.googleapis.com/projects/stranger' (or it may not exist).","#
                + #""status": "PERMISSION_DENIED","details": [{\#(errorInfo): "IAM_PERMISSION_DENIED","#
                + #""domain": "cloudresourcemanager.googleapis.com","#
                + #""metadata": {"permission": "cloudmessaging.messages.create","resource": "projects/stranger"}}]"#
        ) { $0.path = "/v1/projects/stranger/messages:send" },
    ]

    private static let fieldRows = [
        Row(
            .invalidBody,
            "400 Bad Request",
            "a field of the wrong type",
            #""message": "Invalid value at 'message.data[0].value' (TYPE_STRING), 1","status": "INVALID_ARGUMENT","#
                + #""details": [{\#(badRequest): [{"field": "message.data[0].value","#
                + #""description": "Invalid value at 'message.data[0].value' (TYPE_STRING), 1"}]}]"#
        ) { $0.message(#"{"data":{"k":1}}"#) },
        Row(
            .bodyTooLarge,
            "400 Bad Request",
            "more than the front end takes",
            #""message": "Request payload size exceeds the limit.","status": "INVALID_ARGUMENT""#
        ) { $0.fault = .bodyTooLarge },
        Row(
            .invalidField,
            "400 Bad Request",
            "a key that is FCM's own",
            invalid("message.data[0]", "Invalid data payload key: from")
        ) {
            $0.message(#"{"data":{"from":"x"}}"#)
        },
        Row(
            .invalidField,
            "400 Bad Request",
            "five weeks to live",
            invalid("message.android.ttl", "Invalid TTL: it must be between 0 and 2419200 seconds")
        ) { $0.message(#"{"android":{"ttl":"3024000s"}}"#) },
        Row(
            .missingRecipient,
            "400 Bad Request",
            "to nobody",
            invalid("message", "Recipient of the message is not set.")
        ) {
            $0.message(#"{"data":{"k":"v"}}"#)
        },
        Row(.messageTooLarge, "400 Bad Request", "4097 bytes", invalid("message", "Android message is too big")) {
            $0.message(#"{"token":"\#(token)","data":{"k":"\#(String(repeating: "v", count: 4096))"}}"#)
        },
        Row(
            .messageTooLarge,
            "400 Bad Request",
            "2049 bytes to a topic",
            invalid("message", "Android message is too big")
        ) {
            $0.message(#"{"topic":"t","data":{"k":"\#(String(repeating: "v", count: 2048))"}}"#)
        },
        Row(
            .invalidToken,
            "400 Bad Request",
            "no registration token",
            invalid("message.token", "The registration token is not a valid FCM registration token")
        ) { $0.message(#"{"token":"abc"}"#) },
        Row(
            .invalidTopic,
            "400 Bad Request",
            "a topic with a space",
            invalid("message.topic", "Invalid topic name or condition")
        ) { $0.message(#"{"topic":"a b"}"#) },
        Row(
            .invalidToken,
            "400 Bad Request",
            "no registration token, the FcmError first",
            #""message": "The registration token is not a valid FCM registration token","status": "INVALID_ARGUMENT","#
                + #""details": [{\#(fcmError): "INVALID_ARGUMENT"},{\#(badRequest): [{"field": "message.token","#
                + #""description": "The registration token is not a valid FCM registration token"}]}]"#
        ) {
            $0.bench.changeFCM { $0.style.putsFcmErrorFirst = true }
            $0.message(#"{"token":"abc"}"#)
        },
    ]

    private static let deviceRows = [
        Row(
            .senderIDMismatch,
            "403 Forbidden",
            "another project's device",
            service("SenderId mismatch", "PERMISSION_DENIED", "SENDER_ID_MISMATCH")
        ) {
            $0.message(#"{"token":"\#(try SyntheticDevice.token(.otherSender, of: .fcm))"}"#)
        },
        Row(
            .unregistered,
            "404 Not Found",
            "the app is gone",
            service("Requested entity was not found.", "NOT_FOUND", "UNREGISTERED")
        ) {
            $0.message(#"{"token":"\#(try SyntheticDevice.token(.unregistered, of: .fcm))"}"#)
        },
        Row(
            .thirdPartyAuth,
            "401 Unauthorized",
            "a project without a credential for APNs",
            service(
                "Auth error from APNS or Web Push Service",
                "UNAUTHENTICATED",
                "THIRD_PARTY_AUTH_ERROR",
                before: #"{"@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError","statusCode": 403,"#
                    + #""reason": "InvalidProviderToken"},"#
            )
        ) {
            $0.bench.changeFCM { $0.hasThirdPartyCredential = false }
            $0.message(#"{"token":"\#(token)","apns":{"payload":{"aps":{}}}}"#)
        },
    ]

    private static let quotaRows = [
        Row(
            .projectQuota,
            "429 Too Many Requests",
            "the project's minute is spent, by messages that were refused too",
            #""message": "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "#
                + #"'fcm.googleapis.com' for consumer 'project_number:123456789012'.","status": "RESOURCE_EXHAUSTED","#
                + #""details": [{\#(errorInfo): "RATE_LIMIT_EXCEEDED","domain": "googleapis.com","metadata": {"#
                + #""quota_limit_value": "3","consumer": "projects/123456789012","#
                + #""quota_metric": "fcm.googleapis.com/send_requests","quota_unit": "1/min/{project}","#
                + #""service": "fcm.googleapis.com","quota_location": "global","quota_limit": "SendsPerMinutePerProject"}},"#
                + #"{"@type": "type.googleapis.com/google.rpc.Help","links": [{"description": "Request a higher quota limit.","#
                + #""url": "https://cloud.google.com/docs/quotas/help/request_increase"}]}]"#
        ) {
            $0.bench.changeFCM { $0.quota = .init(3, per: minute) }
            $0.message(#"{"token":"abc"}"#)
            $0.earlier = 3
        },
        Row(
            .deviceQuota,
            "429 Too Many Requests",
            "the 241st message to a device in a minute",
            service(
                "Device message rate exceeded.",
                "RESOURCE_EXHAUSTED",
                "QUOTA_EXCEEDED",
                before:
                    #"{\#(quotaFailure): [{"subject": "device","description": "The device message rate is exceeded."}]},"#
            )
        ) { $0.earlier = 240 },
        Row(
            .topicQuota,
            "429 Too Many Requests",
            "a third message to topics where two are allowed, the FcmError alone",
            service("Topic quota exceeded.", "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
        ) {
            $0.bench.changeFCM {
                $0.topicLimit = .init(2, per: minute)
                $0.style.tellsQuotaFailure = false
            }
            $0.message(#"{"topic":"weather"}"#)
            $0.earlier = 2
        },
    ]

    private static let faultRows = [
        Row(
            .internalError,
            "500 Internal Server Error",
            "whatever is asked",
            service("Internal error encountered.", "INTERNAL", "INTERNAL")
        ) {
            $0.fault = .internalError
        },
        Row(
            .unavailable,
            "503 Service Unavailable",
            "whatever is asked",
            service("The service is currently unavailable.", "UNAVAILABLE", "UNAVAILABLE")
        ) {
            $0.fault = .unavailable
        },
        Row(
            .unspecified,
            "500 Internal Server Error",
            "whatever is asked",
            service("Unknown error.", "UNKNOWN", "UNSPECIFIED_ERROR")
        ) {
            $0.fault = .unspecified
        },
    ]
}

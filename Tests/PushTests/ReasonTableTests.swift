import Fleet
import Foundation
import Testing

@testable import Push

/// The facts are written out a second time here, from Apple's and Firebase's pages and not from the table.
@Suite("The table of reasons")
struct ReasonTableTests {
    private static let apns: [(Int, Disposition, [String])] = [
        (
            400, .rejected,
            [
                "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DuplicateHeaders",
                "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty", "TopicDisallowed",
            ]
        ),
        (400, .invalidDevice, ["BadDeviceToken", "DeviceTokenNotForTopic"]),
        (400, .retryLater, ["IdleTimeout"]),
        (
            403, .configurationFault,
            [
                "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden",
                "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken",
                "BadEnvironmentKeyInToken",
            ]
        ),
        (404, .rejected, ["BadPath"]),
        (405, .rejected, ["MethodNotAllowed"]),
        (410, .removeDevice, ["ExpiredToken", "Unregistered"]),
        (413, .rejected, ["PayloadTooLarge"]),
        (429, .configurationFault, ["TooManyProviderTokenUpdates"]),
        (429, .retryLater, ["TooManyRequests"]),
        (500, .retryLater, ["InternalServerError"]),
        (503, .retryLater, ["ServiceUnavailable", "Shutdown"]),
    ]
    private static let fcm: [(Int, Disposition, [String])] = [
        (400, .rejected, ["INVALID_ARGUMENT"]),
        (
            401, .configurationFault,
            ["THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR", "CREDENTIALS_MISSING", "UNAUTHENTICATED"]
        ),
        (403, .invalidDevice, ["SENDER_ID_MISMATCH"]),
        (403, .configurationFault, ["PERMISSION_DENIED"]),
        (404, .removeDevice, ["UNREGISTERED"]),
        (404, .rejected, ["NOT_FOUND"]),
        (429, .retryLater, ["QUOTA_EXCEEDED", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"]),
        (500, .retryLater, ["INTERNAL", "UNSPECIFIED_ERROR"]),
        (503, .retryLater, ["UNAVAILABLE"]),
    ]

    @Test("Each documented row, and no row besides", arguments: [(Provider.apns, apns), (.fcm, fcm)])
    func rows(provider: Provider, facts: [(Int, Disposition, [String])]) {
        var expected: Set<String> = []
        for (status, disposition, reasons) in facts {
            for reason in reasons {
                expected.insert("\(status) \(reason) \(disposition)")
                #expect(Disposition(provider: provider, status: status, reason: reason) == disposition, "\(reason)")
            }
        }
        let rules = ReasonTable.rules.filter { $0.provider == provider }
        #expect(Set(rules.map { "\($0.status) \($0.reason) \($0.disposition)" }) == expected)
        #expect(rules.count == expected.count)
    }

    @Test("The enumerations that the hosts answer with stand in the table, each once")
    func enumerations() {
        for reason in APNsReason.allCases {
            #expect(ReasonTable.rules.count { $0.provider == .apns && $0.reason == reason.rawValue } == 1)
        }
        for code in FCMErrorCode.allCases {
            #expect(ReasonTable.rules.count { $0.provider == .fcm && $0.reason == code.rawValue } == 1)
        }
    }

    @Test(
        "A reason without a row is judged by its status, faults of ours before busy hosts",
        arguments: [
            (401, Disposition.configurationFault), (403, .configurationFault), (410, .removeDevice), (429, .retryLater),
            (500, .retryLater), (502, .retryLater), (504, .retryLater), (599, .retryLater), (400, .rejected),
            (404, .rejected), (302, .rejected), (200, .delivered), (204, .delivered),
        ]
    )
    func unknown(status: Int, disposition: Disposition) {
        for provider in [Provider.apns, .fcm] {
            #expect(Disposition(provider: provider, status: status, reason: "NeverHeardOf") == disposition)
        }
    }

    @Test("A known reason decides whatever status it comes with; the other provider's words are unknown")
    func reasonFirst() {
        #expect(Disposition(provider: .apns, status: 400, reason: "PayloadTooLarge") == .rejected)
        #expect(Disposition(provider: .apns, status: 503, reason: "TooManyProviderTokenUpdates") == .configurationFault)
        #expect(Disposition(provider: .fcm, status: 404, reason: "Unregistered") == .rejected)
        #expect(Disposition(provider: .fcm, status: 400, reason: "UNREGISTERED") == .removeDevice)
    }

    @Test(
        "Only a token that is called expired asks for a new one",
        arguments: [
            (403, "ExpiredProviderToken", true), (401, "UNAUTHENTICATED", true), (410, "ExpiredToken", false),
            (403, "InvalidProviderToken", false), (401, "CREDENTIALS_MISSING", false),
            (429, "TooManyProviderTokenUpdates", false), (401, "THIRD_PARTY_AUTH_ERROR", false),
        ]
    )
    func newToken(status: Int, reason: String, asks: Bool) {
        #expect(Answer(status: status, reason: reason, disposition: .configurationFault).asksForNewToken == asks)
    }

    @Test("docs/reasons.md is what the table prints")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/reasons.md")
        #expect(try String(contentsOf: file.standardized, encoding: .utf8) == ReasonTable.markdown)
    }
}

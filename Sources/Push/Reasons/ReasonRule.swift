package import Fleet

/// One row of the table from answers to dispositions: what a host says, and what a sender should do about it.
package struct ReasonRule: Sendable, Equatable {
    package let provider: Provider
    /// The HTTP status that the reason comes with.
    package let status: Int
    /// The host's word; one of ``AnswerCatalogue``'s stand-ins where the host gives none.
    package let reason: String
    package let disposition: Disposition
    /// What is to be known about the row, in one sentence without its full stop; may be empty.
    package let note: String

    init(_ provider: Provider, _ status: Int, _ reason: String, _ disposition: Disposition, _ note: String = "") {
        self.provider = provider
        self.status = status
        self.reason = reason
        self.disposition = disposition
        self.note = note
    }

    fileprivate init(_ reason: APNsReason, _ disposition: Disposition, _ note: String = "") {
        self.init(.apns, reason.status, reason.rawValue, disposition, note)
    }

    fileprivate init(_ code: FCMErrorCode, _ disposition: Disposition, _ note: String = "") {
        self.init(.fcm, code.status, code.rawValue, disposition, note)
    }
}

/// The one table of what hosts say: the core sorts answers by it, and `docs/reasons.md` is printed from it.
///
/// Sources: Apple, "Handling notification responses from APNs"; Firebase, "ErrorCode" reference of the FCM v1 REST API and
/// "FCM error codes".
package enum ReasonTable {
    /// Every row, in the order of the document.
    package static let rules = apns + fcm

    static let apns: [ReasonRule] = [
        ReasonRule(.badCollapseID, .rejected, "More than 64 bytes"),
        ReasonRule(.badDeviceToken, .invalidDevice, "Malformed, or a token of the other environment"),
        ReasonRule(.badExpirationDate, .rejected),
        ReasonRule(.badMessageID, .rejected, "`apns-id` is no UUID"),
        ReasonRule(.badPriority, .rejected),
        ReasonRule(.badTopic, .rejected),
        ReasonRule(.deviceTokenNotForTopic, .invalidDevice, "The token belongs to another app"),
        ReasonRule(.duplicateHeaders, .rejected),
        ReasonRule(.idleTimeout, .retryLater, "The connection was idle for too long; nothing is wrong with the push"),
        ReasonRule(.invalidPushType, .rejected),
        ReasonRule(.missingDeviceToken, .rejected, "The path has no token"),
        ReasonRule(.missingTopic, .rejected, "A topic is required with a provider token"),
        ReasonRule(.payloadEmpty, .rejected),
        ReasonRule(.topicDisallowed, .rejected),
        ReasonRule(.badCertificate, .configurationFault),
        ReasonRule(.badCertificateEnvironment, .configurationFault, "A certificate of the other environment"),
        ReasonRule(
            .expiredProviderToken,
            .configurationFault,
            "A new token is signed first, once per token; only if that is called expired too, the lane halts"
        ),
        ReasonRule(.forbidden, .configurationFault),
        ReasonRule(.invalidProviderToken, .configurationFault, "A bad signature or an unknown key, expired or not"),
        ReasonRule(.missingProviderToken, .configurationFault, "No `authorization`"),
        ReasonRule(
            .unrelatedKeyIDInToken,
            .configurationFault,
            "The key is not of the team or topic that the connection began with"
        ),
        ReasonRule(.badEnvironmentKeyIDInToken, .configurationFault, "The spelling of Apple's documentation"),
        ReasonRule(.badEnvironmentKeyInToken, .configurationFault, "The spelling seen on the wire"),
        ReasonRule(.badPath, .rejected),
        ReasonRule(.methodNotAllowed, .rejected),
        ReasonRule(.expiredToken, .removeDevice, "The device token, not the provider's; the body has `timestamp`"),
        ReasonRule(APNsReason.unregistered, .removeDevice, "The body has `timestamp`"),
        ReasonRule(.payloadTooLarge, .rejected),
        ReasonRule(
            .tooManyProviderTokenUpdates,
            .configurationFault,
            "We sign too often: no limit on this device, and trying again makes it worse"
        ),
        ReasonRule(.tooManyRequests, .retryLater, "Too many to this device"),
        ReasonRule(.internalServerError, .retryLater, "After 15 minutes"),
        ReasonRule(.serviceUnavailable, .retryLater, "After 15 minutes"),
        ReasonRule(.shutdown, .retryLater, "After 15 minutes"),
    ]

    static let fcm: [ReasonRule] = [
        ReasonRule(.invalidArgument, .rejected, "The payload or the token: it never condemns the device by itself"),
        ReasonRule(.fcm, 401, "CREDENTIALS_MISSING", .configurationFault, "No access token; an ErrorInfo, no FcmError"),
        ReasonRule(.fcm, 401, "UNAUTHENTICATED", .configurationFault, "An access token that is not accepted"),
        ReasonRule(.thirdPartyAuthError, .configurationFault, "Firebase has no good credential for APNs or web push"),
        ReasonRule(.fcm, 401, "APNS_AUTH_ERROR", .configurationFault, "The older name of THIRD_PARTY_AUTH_ERROR"),
        ReasonRule(.fcm, 403, "PERMISSION_DENIED", .configurationFault, "The account may not send for this project"),
        ReasonRule(.senderIDMismatch, .invalidDevice, "The token belongs to another sender"),
        ReasonRule(FCMErrorCode.unregistered, .removeDevice),
        ReasonRule(
            .fcm,
            404,
            "NOT_FOUND",
            .rejected,
            "Without the FcmError UNREGISTERED it may be the project that is not found"
        ),
        ReasonRule(.quotaExceeded, .retryLater, "Of a device or topic"),
        ReasonRule(.fcm, 429, "RATE_LIMIT_EXCEEDED", .retryLater, "The project's minute; an ErrorInfo, no FcmError"),
        ReasonRule(.fcm, 429, "RESOURCE_EXHAUSTED", .retryLater),
        ReasonRule(.internal, .retryLater),
        ReasonRule(.unspecified, .retryLater, "No more information; the reference gives it no status"),
        ReasonRule(.unavailable, .retryLater),
    ]

    /// The rule for a reason; nil for one that the table doesn't know.
    ///
    /// The reason alone decides: hosts and mocks have been seen to send a reason with another status than the documented.
    package static func rule(for provider: Provider, reason: String) -> ReasonRule? {
        rules.first { $0.provider == provider && $0.reason == reason }
    }
}

package import Push

/// Why FCM refused a message, by the part of the service that refused it.
///
/// Sources: Firebase, "ErrorCode" reference; the bodies seen live and in public reports, told of in `FCMBodies`.
package enum FCMReason: UInt8, Sendable, CaseIterable {
    // The front end, which knows paths and access tokens.
    case notFound
    case missingCredentials
    case invalidCredentials
    case expiredCredentials
    case insufficientScope
    case permissionDenied
    /// The JSON does not fit the schema.
    case invalidBody
    case bodyTooLarge
    /// The project has sent its share of this minute.
    case projectQuota
    /// The page of a front end that can't reach the service.
    case badGateway
    // The messaging service, which adds an FcmError.
    /// A field holds what FCM does not take.
    case invalidField
    case missingRecipient
    case messageTooLarge
    case invalidToken
    case invalidTopic
    case senderIDMismatch
    case unregistered
    /// The project's credential for APNs or web push is not good.
    case thirdPartyAuth
    case deviceQuota
    case topicQuota
    case internalError
    case unavailable
    case unspecified

    /// The HTTP status.
    package var status: Int {
        switch self {
        case .invalidBody, .bodyTooLarge, .invalidField, .missingRecipient, .messageTooLarge, .invalidToken,
            .invalidTopic:
            400
        case .missingCredentials, .invalidCredentials, .expiredCredentials, .thirdPartyAuth: 401
        case .insufficientScope, .permissionDenied, .senderIDMismatch: 403
        case .notFound, .unregistered: 404
        case .projectQuota, .deviceQuota, .topicQuota: 429
        case .internalError, .unspecified: 500
        case .badGateway: 502
        case .unavailable: 503
        }
    }

    /// The word that a sender finds in the body: the FcmError's code, else the ErrorInfo's reason, else the
    /// status; `(html)` for a page.
    package var label: String {
        switch self {
        case .notFound, .badGateway: "(html)"
        case .missingCredentials: "CREDENTIALS_MISSING"
        case .invalidCredentials: "ACCESS_TOKEN_TYPE_UNSUPPORTED"
        case .expiredCredentials: "ACCESS_TOKEN_EXPIRED"
        case .insufficientScope: "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        case .permissionDenied: "IAM_PERMISSION_DENIED"
        case .projectQuota: "RATE_LIMIT_EXCEEDED"
        case .invalidBody, .bodyTooLarge, .invalidField, .missingRecipient, .messageTooLarge, .invalidToken,
            .invalidTopic:
            "INVALID_ARGUMENT"
        case .senderIDMismatch: "SENDER_ID_MISMATCH"
        case .unregistered: "UNREGISTERED"
        case .thirdPartyAuth: "THIRD_PARTY_AUTH_ERROR"
        case .deviceQuota, .topicQuota: "QUOTA_EXCEEDED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .unspecified: "UNSPECIFIED_ERROR"
        }
    }

    /// The FcmError's code; nil for the front end's refusals.
    package var code: FCMErrorCode? {
        switch self {
        case .notFound, .missingCredentials, .invalidCredentials, .expiredCredentials, .insufficientScope,
            .permissionDenied, .invalidBody, .bodyTooLarge, .projectQuota, .badGateway:
            nil
        case .invalidField, .missingRecipient, .messageTooLarge, .invalidToken, .invalidTopic, .senderIDMismatch,
            .unregistered, .thirdPartyAuth, .deviceQuota, .topicQuota, .internalError, .unavailable, .unspecified:
            FCMErrorCode(rawValue: label)
        }
    }
}

/// The reasons that APNs gives for refusing a broadcast or a request about channels, each with its status.
///
/// Source: Apple, "Handling error responses from APNs"; a table of its own, beside the one for device pushes.
package enum BroadcastReason: String, Sendable, CaseIterable {
    case featureNotEnabled = "FeatureNotEnabled"
    case missingChannelID = "MissingChannelId"
    case badChannelID = "BadChannelId"
    case channelNotRegistered = "ChannelNotRegistered"
    case badRequestParams = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case payloadEmpty = "PayloadEmpty"
    case badMessageID = "BadMessageId"
    case missingPushType = "MissingPushType"
    case invalidPushType = "InvalidPushType"
    case cannotCreateChannelConfig = "CannotCreateChannelConfig"
    case badExpirationDate = "BadExpirationDate"
    case topicDisallowed = "TopicDisallowed"
    case badPriority = "BadPriority"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case topicMismatch = "TopicMismatch"
    case missingProviderToken = "MissingProviderToken"
    case expiredProviderToken = "ExpiredProviderToken"
    case invalidProviderToken = "InvalidProviderToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyRequests = "TooManyRequests"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case internalServerError = "InternalServerError"
    /// With a space, as documented; device pushes are answered without one.
    case serviceUnavailable = "Service Unavailable"
    case shutdown = "Shutdown"

    /// The HTTP status that comes with the reason.
    package var status: Int {
        switch self {
        case .featureNotEnabled, .missingChannelID, .badChannelID, .channelNotRegistered, .badRequestParams,
            .badRequestPayload, .payloadEmpty, .badMessageID, .missingPushType, .invalidPushType,
            .cannotCreateChannelConfig, .badExpirationDate, .topicDisallowed, .badPriority:
            400
        case .badCertificate, .badCertificateEnvironment, .topicMismatch, .missingProviderToken,
            .expiredProviderToken, .invalidProviderToken:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .payloadTooLarge: 413
        case .tooManyRequests, .tooManyProviderTokenUpdates: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// The same fault of a sender or a host in the words of this table.
    ///
    /// The table has no words for a key that is unrelated to the connection's or of the other environment; the two
    /// nearest stand for them.
    package init?(_ reason: APNsReason) {
        switch reason {
        case .unrelatedKeyIDInToken: self = .topicMismatch
        case .badEnvironmentKeyIDInToken, .badEnvironmentKeyInToken: self = .invalidProviderToken
        case .serviceUnavailable: self = .serviceUnavailable
        default: self.init(rawValue: reason.rawValue)
        }
    }
}

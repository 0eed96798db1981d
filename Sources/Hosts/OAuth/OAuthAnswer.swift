/// Why the token endpoint refused, each with the text that Google gives.
///
/// Sources: Google, "Using OAuth 2.0 for Server to Server Applications", and texts from public reports
/// (googleapis/google-api-php-client#2214 for the client that is not authorized).
package enum OAuthReason: UInt8, Sendable, CaseIterable {
    case notFound
    case missingGrantType
    case unsupportedGrantType
    case missingAssertion
    case unreadableAssertion
    case accountNotFound
    case wrongSignature
    case wrongAudience
    case unreasonableTimeframe
    case invalidScope
    /// The account wants to act for somebody, and nobody has allowed it to.
    case unauthorizedClient
    case internalFailure
    case unavailable
    /// The page of a front end that can't reach the endpoint.
    case badGateway

    package var status: Int {
        switch self {
        case .notFound: 404
        case .unauthorizedClient: 401
        case .internalFailure: 500
        case .badGateway: 502
        case .unavailable: 503
        case .missingGrantType, .unsupportedGrantType, .missingAssertion, .unreadableAssertion, .accountNotFound,
            .wrongSignature, .wrongAudience, .unreasonableTimeframe, .invalidScope:
            400
        }
    }

    /// The `error` member of the body; `(html)` for a page.
    package var label: String {
        switch self {
        case .notFound, .badGateway: "(html)"
        case .missingGrantType, .missingAssertion: "invalid_request"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .invalidScope: "invalid_scope"
        case .unauthorizedClient: "unauthorized_client"
        case .internalFailure: "internal_failure"
        case .unavailable: "temporarily_unavailable"
        case .unreadableAssertion, .accountNotFound, .wrongSignature, .wrongAudience, .unreasonableTimeframe:
            "invalid_grant"
        }
    }

    /// The `error_description` member; empty for a page.
    var text: String {
        switch self {
        case .notFound, .badGateway: ""
        case .missingGrantType: "Required parameter is missing: grant_type"
        case .unsupportedGrantType: "Invalid grant_type"
        case .missingAssertion: "Required parameter is missing: assertion"
        case .unreadableAssertion: "Invalid JWT: The token could not be read."
        case .accountNotFound: "Invalid grant: account not found"
        case .wrongSignature: "Invalid JWT Signature."
        case .wrongAudience: "Invalid JWT: Failed audience check."
        case .unreasonableTimeframe: Self.timeframe + "Check your iat and exp values in the JWT claim."
        case .invalidScope: "Invalid OAuth scope or ID token audience provided."
        case .unauthorizedClient:
            "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of "
                + "the scopes requested."
        case .internalFailure: "Backend Error"
        case .unavailable: "The service is currently unavailable."
        }
    }

    /// The same in the words of earlier years, where they were others (MihaelIsaev/FCM#19).
    var oldText: String {
        guard self == .unreasonableTimeframe else { return text }
        return Self.timeframe + "Check your iat and exp values and use a clock with skew to account for clock "
            + "differences between systems."
    }

    private static let timeframe =
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
}

/// What the token endpoint answers to one request.
package struct OAuthAnswer: Sendable, Equatable {
    /// Why there is no token; nil if there is one.
    package var reason: OAuthReason?
    package var body: [UInt8]

    package var status: Int { reason?.status ?? 200 }

    /// The header fields of an answer, other than its status: the same for all answers with this reason.
    package static func headers(_ reason: OAuthReason?) -> [(name: String, value: String)] {
        let isPage = reason == .notFound || reason == .badGateway
        let type = isPage ? "text/html; charset=UTF-8" : "application/json; charset=utf-8"
        return [("content-type", type), ("cache-control", "no-cache, no-store, max-age=0, must-revalidate")]
    }
}

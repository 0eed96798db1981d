/// Why the token endpoint refused, each with the text that Google gives.
///
/// Sources: Google, "Using OAuth 2.0 for Server to Server Applications", and texts from public reports. All are
/// answered with status 400 but for a path that leads nowhere.
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

    package var status: Int { self == .notFound ? 404 : 400 }

    /// The `error` member of the body; `(html)` for a page.
    package var label: String {
        switch self {
        case .notFound: "(html)"
        case .missingGrantType, .missingAssertion: "invalid_request"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .invalidScope: "invalid_scope"
        case .unreadableAssertion, .accountNotFound, .wrongSignature, .wrongAudience, .unreasonableTimeframe:
            "invalid_grant"
        }
    }

    var text: String {
        switch self {
        case .notFound: ""
        case .missingGrantType: "Required parameter is missing: grant_type"
        case .unsupportedGrantType: "Invalid grant_type"
        case .missingAssertion: "Required parameter is missing: assertion"
        case .unreadableAssertion: "Invalid JWT: The token could not be read."
        case .accountNotFound: "Invalid grant: account not found"
        case .wrongSignature: "Invalid JWT Signature."
        case .wrongAudience: "Invalid JWT: Failed audience check."
        case .unreasonableTimeframe:
            "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                + "Check your iat and exp values in the JWT claim."
        case .invalidScope: "Invalid OAuth scope or ID token audience provided."
        }
    }
}

/// What the token endpoint answers to one request.
package struct OAuthAnswer: Sendable, Equatable {
    /// Why there is no token; nil if there is one.
    package var reason: OAuthReason?
    package var body: [UInt8]

    package var status: Int { reason?.status ?? 200 }

    /// The header fields of an answer, other than its status: the same for all answers with this reason.
    package static func headers(_ reason: OAuthReason?) -> [(name: String, value: String)] {
        let type = reason == .notFound ? "text/html; charset=UTF-8" : "application/json; charset=utf-8"
        return [("content-type", type), ("cache-control", "no-cache, no-store, max-age=0, must-revalidate")]
    }
}

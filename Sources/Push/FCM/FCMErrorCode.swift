/// The `FcmError.errorCode` values of FCM's HTTP v1 API.
///
/// Source: Firebase, "ErrorCode" reference of the FCM v1 REST API.
package enum FCMErrorCode: String, Sendable, CaseIterable {
    case invalidArgument = "INVALID_ARGUMENT"
    case unregistered = "UNREGISTERED"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case unavailable = "UNAVAILABLE"
    case `internal` = "INTERNAL"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    /// "No more information is available"; the reference gives it no status.
    case unspecified = "UNSPECIFIED_ERROR"

    /// The HTTP status that comes with the code; for ``unspecified`` an assumption.
    package var status: Int {
        switch self {
        case .invalidArgument: 400
        case .unregistered: 404
        case .senderIDMismatch: 403
        case .quotaExceeded: 429
        case .unavailable: 503
        case .internal, .unspecified: 500
        case .thirdPartyAuthError: 401
        }
    }

    /// The `google.rpc` status name in `error.status`.
    package var rpcStatus: String {
        switch self {
        case .invalidArgument: "INVALID_ARGUMENT"
        case .unregistered: "NOT_FOUND"
        case .senderIDMismatch: "PERMISSION_DENIED"
        case .quotaExceeded: "RESOURCE_EXHAUSTED"
        case .unavailable: "UNAVAILABLE"
        case .internal: "INTERNAL"
        case .thirdPartyAuthError: "UNAUTHENTICATED"
        case .unspecified: "UNKNOWN"
        }
    }
}

/// What FCM answers to one request.
package struct FCMAnswer: Sendable, Equatable {
    /// The last part of an accepted message's name.
    package enum MessageID: Sendable, Equatable {
        /// A time in microseconds since 1970 and 64 bits that tell messages of one microsecond apart.
        case number(microseconds: Int64, tail: UInt64)
        /// What the service answers to `validate_only`.
        case validated
    }

    /// Why the message was refused; nil if it was accepted.
    package var reason: FCMReason?
    package var messageID = MessageID.validated
    /// The body of a refusal that quotes the request; empty for all others, whose bodies the host keeps.
    package var ownBody: [UInt8] = []
    /// Whether the service holds the message back, because the device has had too many that replace one another.
    ///
    /// The sender is not told.
    package var isDelayed = false

    package var status: Int { reason?.status ?? 200 }

    /// The header fields of an answer, other than its status: the same for all answers with this reason.
    package static func headers(_ reason: FCMReason?) -> [(name: String, value: String)] {
        let realm = "Bearer realm=\"https://accounts.google.com/\""
        switch reason {
        case .notFound, .badGateway: return [("content-type", "text/html; charset=UTF-8")]
        case .missingCredentials: return [json, ("www-authenticate", realm)]
        case .invalidCredentials, .expiredCredentials:
            return [json, ("www-authenticate", realm + ", error=\"invalid_token\"")]
        default: return [json]
        }
    }

    private static let json = (name: "content-type", value: "application/json; charset=UTF-8")
}

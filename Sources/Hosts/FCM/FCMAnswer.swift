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

    package var status: Int { reason?.status ?? 200 }

    /// The `content-type` of the body.
    package var contentType: StaticString {
        reason == .notFound ? "text/html; charset=UTF-8" : "application/json; charset=UTF-8"
    }

    /// The `www-authenticate` header of a 401, else nil.
    package var challenge: StaticString? {
        switch reason {
        case .missingCredentials: "Bearer realm=\"https://accounts.google.com/\""
        case .invalidCredentials, .expiredCredentials:
            "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\""
        default: nil
        }
    }
}

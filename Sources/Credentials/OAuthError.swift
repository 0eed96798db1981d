/// Why an assertion got no access token: the endpoint, and what happened there.
///
/// `description` is one line. Neither the assertion nor a token ever enters it.
package struct OAuthError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    package enum Fault: Sendable, Equatable {
        /// The endpoint is no https URL.
        case notHTTPS
        /// The host could not be found or refused the connection; libcurl's reason.
        case unreachable(reason: String)
        /// A time limit was passed, while connecting or in all; libcurl's reason.
        case timedOut(reason: String)
        /// The host's certificate is not to be trusted, or the CA file cannot be used.
        case untrusted(reason: String)
        /// Another failure of the connection; libcurl's code and reason.
        case connection(code: Int, reason: String)
        /// The host said no, with OAuth's `error` and `error_description` (RFC 6749 section 5.2).
        case refused(status: Int, error: String, detail: String?)
        /// The host cannot answer now (429 or 5xx); seconds to wait when it named them.
        case unavailable(status: Int, retryAfter: Int64?, detail: String?)
        /// The answer is none that the protocol knows; what is wrong with it.
        case badAnswer(status: Int, reason: String)
        /// The exchange was given up because the run ends.
        case cancelled
    }

    package let url: String
    package let fault: Fault

    package init(url: String, fault: Fault) {
        self.url = url
        self.fault = fault
    }

    /// Whether trying again with the same credential is pointless: a configuration fault.
    package var isPermanent: Bool {
        switch fault {
        case .notHTTPS, .untrusted, .refused: true
        case .unreachable, .timedOut, .connection, .unavailable, .badAnswer, .cancelled: false
        }
    }

    package var description: String { "\(displayable(url)): \(fault.text)" }
}

extension OAuthError.Fault {
    fileprivate var text: String {
        switch self {
        case .notHTTPS: "the token endpoint must be an https URL"
        case .unreachable(let reason): "unreachable: \(reason)"
        case .timedOut(let reason): "no answer in time: \(reason)"
        case .untrusted(let reason): "not trusted: \(reason)"
        case .connection(let code, let reason): "connection failed: \(reason) (curl \(code))"
        case .refused(let status, let error, let detail): "refused with \(status) \(error)\(Self.suffix(detail))"
        case .unavailable(let status, let retryAfter, let detail):
            "unavailable, status \(status)\(Self.suffix(detail))\(retryAfter.map { ", retry after \($0) s" } ?? "")"
        case .badAnswer(let status, let reason): "answered \(status) with \(reason)"
        case .cancelled: "given up because the run ends"
        }
    }

    private static func suffix(_ detail: String?) -> String { detail.map { ": \($0)" } ?? "" }
}

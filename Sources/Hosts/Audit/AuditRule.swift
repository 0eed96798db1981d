/// The rules that a sender can be found to break, each with where it stands.
package enum AuditRule: String, Sendable, CaseIterable, Codable {
    case duplicates
    case processedSentAgain = "processed-sent-again"
    case requestsAfterGoAway = "requests-after-goaway"
    case streamsAboveLimit = "streams-above-limit"
    case newTokenTooSoon = "new-token-too-soon"
    case staleToken = "stale-token"
    case connectionPerPush = "connection-per-push"
    case retryAfterIgnored = "retry-after-ignored"
    case refusedSentAgain = "refused-sent-again"
    case overQuota = "over-quota"
    case tokenExchanges = "token-exchanges"
    case indexedSecrets = "indexed-secrets"
    case pings
    case brokenProtocol = "broken-protocol"

    /// The rule itself.
    package var rule: String {
        switch self {
        case .duplicates:
            "A push that was answered 200 is not sent again: the user would see it twice."
        case .processedSentAgain:
            "What lies at or below the last stream of a GOAWAY may have been processed and is not sent again."
        case .requestsAfterGoAway: "No stream is opened on a connection that has received GOAWAY."
        case .streamsAboveLimit: "No more streams are open than SETTINGS_MAX_CONCURRENT_STREAMS allows."
        case .newTokenTooSoon: "A provider token is used again for at least 20 minutes on a connection."
        case .staleToken: "A provider token is at most 60 minutes old."
        case .connectionPerPush: "A connection is kept for many pushes: opening and closing them counts as an attack."
        case .retryAfterIgnored: "A push is not sent again before the time that Retry-After gives."
        case .refusedSentAgain: "A push that was refused for good is not sent again."
        case .overQuota: "No more is sent than the project's quota of a minute."
        case .tokenExchanges: "An access token is used until it is about to expire, and not exchanged for each request."
        case .indexedSecrets: ":path and authorization are sent as literals without indexing."
        case .pings: "A connection that carries pushes needs no PING; an idle one needs one an hour."
        case .brokenProtocol: "A connection follows TLS and HTTP to its end."
        }
    }

    /// Where the rule stands.
    package var source: String {
        switch self {
        case .duplicates: "Apple, Sending notification requests to APNs (apns-id); firebase/firebase-admin-node#1947"
        case .processedSentAgain, .requestsAfterGoAway: "RFC 9113, section 6.8"
        case .streamsAboveLimit: "RFC 9113, section 5.1.2; Apple, Sending notification requests to APNs"
        case .newTokenTooSoon, .staleToken: "Apple, Establishing a token-based connection to APNs"
        case .connectionPerPush: "Apple, Sending notification requests to APNs"
        case .retryAfterIgnored: "RFC 9110, section 10.2.3; Firebase, Scale FCM"
        case .refusedSentAgain: "Apple, Handling notification responses from APNs; Firebase, ErrorCode"
        case .overQuota: "Firebase, Throttling and quotas"
        case .tokenExchanges: "Google, Using OAuth 2.0 for Server to Server Applications"
        case .indexedSecrets: "Apple, Sending notification requests to APNs; RFC 7541, section 7.1.3"
        case .pings: "Apple, Sending notification requests to APNs; codedge-llc/pigeon#92"
        case .brokenProtocol: "RFC 9113, section 5.4"
        }
    }

    /// For the manual: the rules as one table of Markdown.
    package static var markdown: String {
        let rows = allCases.map { "| `\($0.rawValue)` | \($0.rule) | \($0.source) | \($0.least) |" }
        let head = ["| finding | the rule | where it stands | from so many cases on |", "| --- | --- | --- | --- |"]
        return (head + rows).joined(separator: "\n") + "\n"
    }

    /// How many cases make a finding: where a few can't be helped, more than one.
    var least: UInt64 {
        switch self {
        case .connectionPerPush, .tokenExchanges, .pings: 10
        default: 1
        }
    }
}

/// What the audit counts for one host.
package struct AuditCounts: Codable, Sendable, Equatable {
    /// Complete requests, and those of them that were pushes.
    package internal(set) var requests: UInt64 = 0
    package internal(set) var pushes: UInt64 = 0
    package internal(set) var accepted: UInt64 = 0
    /// Accepted pushes that were not accepted before.
    package internal(set) var distinct: UInt64 = 0
    /// Accepted pushes whose first acceptance the sender could know of.
    package internal(set) var duplicates: UInt64 = 0
    /// Accepted pushes whose first acceptance a fault had hidden.
    package internal(set) var duplicatesUnawares: UInt64 = 0

    package internal(set) var connections: UInt64 = 0
    package internal(set) var mostConnectionsPerMinute: UInt64 = 0
    package internal(set) var handshakes: UInt64 = 0
    package internal(set) var mostHandshakesPerMinute: UInt64 = 0
    /// Connections that the sender closed within a minute after one request or none.
    package internal(set) var shortConnections: UInt64 = 0

    /// The most streams open at one time on a connection, and the limit that it had been given then.
    package internal(set) var mostStreams: UInt64 = 0
    package internal(set) var streamLimitThen: UInt64 = 0
    package internal(set) var streamsAboveLimit: UInt64 = 0
    package internal(set) var requestsAfterGoAway: UInt64 = 0
    package internal(set) var processedSentAgain: UInt64 = 0

    /// Tokens that connections began to use; and how many different ones they were, up to ``Audit/keptTokens``.
    package internal(set) var providerTokens: UInt64 = 0
    package internal(set) var differentProviderTokens: UInt64 = 0
    package internal(set) var mostTokensOnAConnection: UInt64 = 0
    package internal(set) var newTokensTooSoon: UInt64 = 0
    package internal(set) var requestsWithStaleTokens: UInt64 = 0
    package internal(set) var oldestTokenSeconds: Int64 = 0
    package internal(set) var tokenExchanges: UInt64 = 0
    /// Exchanges beyond what the life of access tokens calls for.
    package internal(set) var needlessExchanges: UInt64 = 0

    package internal(set) var retryAfterIgnored: UInt64 = 0
    package internal(set) var refusedSentAgain: UInt64 = 0
    package internal(set) var overQuota: UInt64 = 0
    package internal(set) var indexedSecrets: UInt64 = 0
    package internal(set) var pings: UInt64 = 0
    /// PINGs above two between requests.
    package internal(set) var needlessPings: UInt64 = 0
    /// Connections that broke TLS or HTTP.
    package internal(set) var broken: UInt64 = 0
    /// Of all connections, TLS included.
    package internal(set) var bytesIn: UInt64 = 0
    package internal(set) var bytesOut: UInt64 = 0

    /// How often a rule was broken.
    func count(_ rule: AuditRule) -> UInt64 {
        switch rule {
        case .duplicates: duplicates
        case .processedSentAgain: processedSentAgain
        case .requestsAfterGoAway: requestsAfterGoAway
        case .streamsAboveLimit: streamsAboveLimit
        case .newTokenTooSoon: newTokensTooSoon
        case .staleToken: requestsWithStaleTokens
        // A few short connections among many long ones are no habit.
        case .connectionPerPush: shortConnections * 2 > connections ? shortConnections : 0
        case .retryAfterIgnored: retryAfterIgnored
        case .refusedSentAgain: refusedSentAgain
        case .overQuota: overQuota
        case .tokenExchanges: needlessExchanges
        case .indexedSecrets: indexedSecrets
        case .pings: needlessPings
        case .brokenProtocol: broken
        }
    }
}

/// Counts events by minutes of the mock's life.
struct MinuteCount: Sendable {
    private var minute: Int64 = -1
    private var count: UInt64 = 0
    private(set) var most: UInt64 = 0

    mutating func add(at elapsed: Int64) {
        let now = elapsed / 60_000_000_000
        if now != minute { (minute, count) = (now, 0) }
        count &+= 1
        most = max(most, count)
    }
}

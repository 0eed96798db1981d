/// Watches what a sender does and holds it against the rules; told of events, it does nothing but count.
///
/// Memory is bounded, whatever comes: a million fingerprints of accepted pushes, some thousands of refused ones and of
/// connections that were told to go. What is beyond is said in the report or, where it could only acquit the sender,
/// forgotten. Times are nanoseconds since the mock's start unless they say otherwise.
package struct Audit: ~Copyable {
    package struct Rules: Sendable {
        /// A provider token is to last so long on a connection, and may be so old: 20 and 60 minutes in nanoseconds.
        package var tokenInterval: Int64 = 1_200_000_000_000
        package var tokenAge: Int64 = 3_600_000_000_000
        /// The life of an access token, in nanoseconds.
        package var accessTokenLife: Int64 = 3_600_000_000_000
        /// Fingerprints of accepted pushes; a push with an `apns-id` needs two.
        package var fingerprints = 1 << 20

        package init() {}
    }

    private struct GoAway: BitwiseCopyable {
        var connection: UInt32 = 0
        var lastStream: Int32 = 0
    }

    private static let keptGoAways = 4096
    /// Provider tokens of a host that are told apart.
    static let keptTokens = 1024
    /// A connection that lasts as long is not one for each push.
    private static let shortLife: Int64 = 60_000_000_000
    /// PINGs between two requests that nobody minds.
    private static let freePings: UInt64 = 2

    private let rules: Rules
    private var accepted: FingerprintTable
    private var refused = RefusalTable()
    private var goAways = [GoAway](repeating: GoAway(), count: Audit.keptGoAways)
    private var counts: [AuditCounts]
    private var connectionsByMinute: [MinuteCount]
    private var handshakesByMinute: [MinuteCount]
    private var connections: UInt32 = 0
    /// By host.
    private var tokens: [Set<UInt64>]

    /// - Parameter hosts: how many hosts there are; they are named by number from 0.
    package init(hosts: Int, _ rules: Rules = Rules()) {
        self.rules = rules
        accepted = FingerprintTable(capacity: rules.fingerprints)
        counts = Array(repeating: AuditCounts(), count: hosts)
        connectionsByMinute = Array(repeating: MinuteCount(), count: hosts)
        handshakesByMinute = Array(repeating: MinuteCount(), count: hosts)
        tokens = Array(repeating: [], count: hosts)
    }

    /// What is known of a host's connections beside the audit's own counts.
    package struct Remainder: Sendable {
        /// Of the connections that are open now.
        package var bytesIn: UInt64 = 0
        package var bytesOut: UInt64 = 0
        /// Connections that broke TLS or HTTP.
        package var broken: UInt64 = 0

        package init() {}
    }

    /// Everything so far, of the hosts that had a connection.
    ///
    /// - Parameters:
    ///   - names: the hosts' names, in order.
    ///   - remainders: what the counts do not have yet, in the same order.
    package func report(names: [String], _ remainders: [Remainder]) -> AuditReport {
        let rows = names.indices.map { (name: names[$0], counts: counts(of: $0, with: remainders[$0])) }
        return AuditReport(rows.filter { $0.counts.connections > 0 }, notCompared: accepted.unkept)
    }

    private func counts(of host: Int, with remainder: Remainder) -> AuditCounts {
        var counts = counts[host]
        counts.mostConnectionsPerMinute = connectionsByMinute[host].most
        counts.mostHandshakesPerMinute = handshakesByMinute[host].most
        counts.bytesIn &+= remainder.bytesIn
        counts.bytesOut &+= remainder.bytesOut
        counts.broken = remainder.broken
        return counts
    }

    // MARK: Connections

    package mutating func opened(_ host: Int, at elapsed: Int64) -> AuditConnection {
        connections &+= 1
        counts[host].connections &+= 1
        connectionsByMinute[host].add(at: elapsed)
        var connection = AuditConnection()
        connection.number = connections
        connection.openedAt = elapsed
        return connection
    }

    package mutating func secured(_ host: Int, at elapsed: Int64) {
        counts[host].handshakes &+= 1
        handshakesByMinute[host].add(at: elapsed)
    }

    /// - Parameter byClient: whether the sender ended it, not the mock.
    package mutating func closed(
        _ host: Int,
        _ connection: AuditConnection,
        byClient: Bool,
        bytesIn: UInt64,
        bytesOut: UInt64,
        at elapsed: Int64
    ) {
        counts[host].bytesIn &+= bytesIn
        counts[host].bytesOut &+= bytesOut
        if byClient, connection.requests <= 1, elapsed - connection.openedAt < Self.shortLife {
            counts[host].shortConnections &+= 1
        }
    }

    /// A GOAWAY was said.
    package mutating func saidGoAway(_ connection: AuditConnection, lastStream: Int32) {
        goAways[Int(connection.number) % Self.keptGoAways] = GoAway(
            connection: connection.number,
            lastStream: lastStream
        )
    }

    /// So many streams were opened so far on a connection whose sender had read the GOAWAY.
    package mutating func openedAfterGoAway(_ host: Int, _ connection: inout AuditConnection, soFar: UInt64) {
        counts[host].requestsAfterGoAway &+= soFar &- connection.lateStreams
        connection.lateStreams = soFar
    }

    package mutating func pinged(_ host: Int, _ connection: inout AuditConnection) {
        counts[host].pings &+= 1
        connection.pings &+= 1
        if connection.pings > Self.freePings { counts[host].needlessPings &+= 1 }
    }

    /// A header that is to stay out of the compression table was put there.
    package mutating func indexedSecret(_ host: Int) { counts[host].indexedSecrets &+= 1 }

    // MARK: Requests

    /// A request is complete.
    ///
    /// - Parameters:
    ///   - open: streams that are open on the connection, with this one.
    ///   - limit: the limit that the client was told.
    ///   - isAbove: whether this one is above the limit that the client knows.
    package mutating func requested(
        _ host: Int,
        _ connection: inout AuditConnection,
        open: Int,
        limit: Int,
        isAbove: Bool
    ) {
        connection.requests &+= 1
        connection.pings = 0
        counts[host].requests &+= 1
        if UInt64(open) > counts[host].mostStreams {
            counts[host].mostStreams = UInt64(open)
            counts[host].streamLimitThen = UInt64(limit)
        }
        if isAbove { counts[host].streamsAboveLimit &+= 1 }
    }

    /// A request came with a genuine provider token.
    ///
    /// - Parameter now: nanoseconds since 1970.
    package mutating func sawToken(
        _ host: Int,
        _ token: AuditedToken,
        _ connection: inout AuditConnection,
        at now: Int64
    ) {
        let age = now - token.issuedAt
        counts[host].oldestTokenSeconds = max(counts[host].oldestTokenSeconds, age / 1_000_000_000)
        if age > rules.tokenAge { counts[host].requestsWithStaleTokens &+= 1 }
        if connection.tokens > 0, connection.token == token.identity { return }
        // A token signed so much later than the one before is a refresh in time, however young the connection.
        if connection.tokens > 0, now - connection.tokenSince < rules.tokenInterval,
            token.issuedAt - connection.tokenIssuedAt < rules.tokenInterval
        {
            counts[host].newTokensTooSoon &+= 1
        }
        connection.tokens &+= 1
        connection.token = token.identity
        connection.tokenSince = now
        connection.tokenIssuedAt = token.issuedAt
        counts[host].providerTokens &+= 1
        if tokens[host].count < Self.keptTokens, tokens[host].insert(token.identity).inserted {
            counts[host].differentProviderTokens &+= 1
        }
        counts[host].mostTokensOnAConnection = max(counts[host].mostTokensOnAConnection, connection.tokens)
    }

    /// An access token was given out.
    package mutating func exchanged(_ host: Int, at elapsed: Int64) {
        counts[host].tokenExchanges &+= 1
        // Several workers may each want one at the start, and each again when half of its life is over.
        let lives = UInt64(elapsed / max(1, rules.accessTokenLife / 2)) + 1
        if counts[host].tokenExchanges > 16 * lives { counts[host].needlessExchanges &+= 1 }
    }

    /// A push was decided on.
    package mutating func decided(
        _ host: Int,
        _ push: AuditedPush,
        _ connection: AuditConnection,
        at elapsed: Int64
    ) {
        counts[host].pushes &+= 1
        if push.isOverQuota { counts[host].overQuota &+= 1 }
        if let notBefore = refused.notBefore(push.content), elapsed < notBefore {
            if notBefore == .max {
                counts[host].refusedSentAgain &+= 1
            } else {
                counts[host].retryAfterIgnored &+= 1
            }
        }
        guard push.isAccepted else {
            if push.isRefusedForGood {
                refused.keep(push.content, notBefore: .max)
            } else if let wait = push.retryAfter {
                refused.keep(push.content, notBefore: elapsed + wait)
            }
            return
        }
        counts[host].accepted &+= 1
        compare(host, push, connection)
    }

    /// Holds an accepted push against those before it.
    private mutating func compare(_ host: Int, _ push: AuditedPush, _ connection: AuditConnection) {
        let place = FingerprintTable.Place(
            connection: connection.number,
            stream: push.stream,
            isHidden: push.isHidden
        )
        let sameContent = accepted.insert(push.content, at: place)
        let sameID = push.messageID == 0 ? nil : accepted.insert(push.messageID, at: place)
        guard let earlier = sameContent ?? sameID else {
            counts[host].distinct &+= 1
            return
        }
        if earlier.isHidden {
            counts[host].duplicatesUnawares &+= 1
        } else {
            counts[host].duplicates &+= 1
        }
        let goAway = goAways[Int(earlier.connection) % Self.keptGoAways]
        if goAway.connection == earlier.connection, earlier.stream <= goAway.lastStream {
            counts[host].processedSentAgain &+= 1
        }
    }
}

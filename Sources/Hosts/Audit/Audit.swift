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

    /// What is known of one host.
    private struct Ledger: ~Copyable {
        var counts = AuditCounts()
        var connectionsByMinute = MinuteCount()
        var handshakesByMinute = MinuteCount()
        var senders = SenderBook()
        /// The provider tokens of the host, up to ``keptTokens`` of them.
        var tokens: Set<UInt64> = []
    }

    /// A push that has yet to be held against those before it.
    private struct Waiting: BitwiseCopyable {
        var host: Int
        var push: AuditedPush
        var connection: UInt32
        /// When it was decided on.
        var time: Int64
    }

    private struct GoAway: BitwiseCopyable {
        var connection: UInt32 = 0
        var lastStream: Int32 = 0
    }

    private static let keptGoAways = 4096
    /// Provider tokens of a host that are told apart.
    static let keptTokens = 1024
    /// Pushes are compared so many at a time: each means three places in tables larger than a cache, and together they
    /// cost one journey to memory instead of one each.
    private static let together = 32
    /// A connection that lasts as long is not one for each push.
    private static let shortLife: Int64 = 60_000_000_000
    /// PINGs between two requests that nobody minds.
    private static let freePings: UInt64 = 2

    private let rules: Rules
    private var accepted: FingerprintTable
    private var refused = RefusalTable()
    private var goAways = [GoAway](repeating: GoAway(), count: Audit.keptGoAways)
    private var connections: UInt32 = 0
    /// One for each host; at an address of their own, because a push touches a dozen of their numbers.
    private let ledgers: UnsafeMutableBufferPointer<Ledger>
    private let waiting = UnsafeMutablePointer<Waiting>.allocate(capacity: Audit.together)
    private var waitingCount = 0

    /// - Parameter hosts: how many hosts there are; they are named by number from 0.
    package init(hosts: Int, _ rules: Rules = Rules()) {
        self.rules = rules
        accepted = FingerprintTable(capacity: rules.fingerprints)
        ledgers = .allocate(capacity: hosts)
        for host in 0..<hosts { ledgers.initializeElement(at: host, to: Ledger()) }
    }

    deinit {
        ledgers.deinitialize()
        ledgers.deallocate()
        waiting.deallocate()
    }

    /// What is known of a host's connections beside the audit's own counts.
    package struct Remainder: Sendable {
        /// Of the connections that are open now.
        package var bytesIn: UInt64 = 0
        package var bytesOut: UInt64 = 0
        /// Those connections.
        package var open: [AuditConnection] = []
        /// Connections that broke TLS or HTTP.
        package var broken: UInt64 = 0

        package init() {}
    }

    /// Everything so far, of the hosts that had a connection.
    ///
    /// - Parameters:
    ///   - names: the hosts' names, in order.
    ///   - remainders: what the counts do not have yet, in the same order.
    package mutating func report(names: [String], _ remainders: [Remainder]) -> AuditReport {
        settle()
        let rows = names.indices.filter { ledgers[$0].counts.connections > 0 }
            .map { host in
                AuditReport.Row(
                    name: names[host],
                    counts: counts(of: host, with: remainders[host]),
                    senders: ledgers[host].senders.all(with: remainders[host].open)
                )
            }
        return AuditReport(rows, notCompared: accepted.unkept)
    }

    private func counts(of host: Int, with remainder: Remainder) -> AuditCounts {
        var counts = ledgers[host].counts
        counts.mostConnectionsPerMinute = ledgers[host].connectionsByMinute.most
        counts.mostHandshakesPerMinute = ledgers[host].handshakesByMinute.most
        counts.bytesIn &+= remainder.bytesIn
        counts.bytesOut &+= remainder.bytesOut
        counts.broken = remainder.broken
        return counts
    }

    // MARK: Connections

    /// - Parameter address: tells peers' addresses apart.
    package mutating func opened(_ host: Int, from address: UInt64 = 0, at elapsed: Int64) -> AuditConnection {
        connections &+= 1
        ledgers[host].counts.connections &+= 1
        ledgers[host].connectionsByMinute.add(at: elapsed)
        var connection = AuditConnection()
        connection.number = connections
        connection.openedAt = elapsed
        connection.address = address
        return connection
    }

    package mutating func secured(_ host: Int, at elapsed: Int64) {
        ledgers[host].counts.handshakes &+= 1
        ledgers[host].handshakesByMinute.add(at: elapsed)
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
        ledgers[host].counts.bytesIn &+= bytesIn
        ledgers[host].counts.bytesOut &+= bytesOut
        ledgers[host].senders.ended(connection.sender, requests: connection.requests)
        if byClient, connection.requests <= 1, elapsed - connection.openedAt < Self.shortLife {
            ledgers[host].counts.shortConnections &+= 1
        }
    }

    /// A GOAWAY was said.
    package mutating func saidGoAway(_ connection: AuditConnection, lastStream: Int32) {
        settle()
        goAways[Int(connection.number) % Self.keptGoAways] = GoAway(
            connection: connection.number,
            lastStream: lastStream
        )
    }

    /// So many streams were opened so far on a connection whose sender had read the GOAWAY.
    package mutating func openedAfterGoAway(_ host: Int, _ connection: inout AuditConnection, soFar: UInt64) {
        ledgers[host].counts.requestsAfterGoAway &+= soFar &- connection.lateStreams
        connection.lateStreams = soFar
    }

    package mutating func pinged(_ host: Int, _ connection: inout AuditConnection) {
        ledgers[host].counts.pings &+= 1
        connection.pings &+= 1
        if connection.pings > Self.freePings { ledgers[host].counts.needlessPings &+= 1 }
    }

    /// A header that is to stay out of the compression table was put there.
    package mutating func indexedSecret(_ host: Int) { ledgers[host].counts.indexedSecrets &+= 1 }

    /// A connection has shown what its sender may send by; told again and again of the same, it does nothing.
    ///
    /// - Parameter credential: tells certificates or access tokens apart.
    package mutating func showed(_ host: Int, _ credential: UInt64, _ connection: inout AuditConnection) {
        if connection.token == credential, connection.sender != SenderBook.none { return }
        connection.token = credential
        noteSender(host, credential, &connection)
    }

    private func noteSender(_ host: Int, _ credential: UInt64, _ connection: inout AuditConnection) {
        ledgers[host].senders.showed(credential ^ connection.address, by: &connection.sender)
    }

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
        ledgers[host].counts.requests &+= 1
        if UInt64(open) > ledgers[host].counts.mostStreams {
            ledgers[host].counts.mostStreams = UInt64(open)
            ledgers[host].counts.streamLimitThen = UInt64(limit)
        }
        if isAbove { ledgers[host].counts.streamsAboveLimit &+= 1 }
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
        ledgers[host].counts.oldestTokenSeconds = max(ledgers[host].counts.oldestTokenSeconds, age / 1_000_000_000)
        if age > rules.tokenAge { ledgers[host].counts.requestsWithStaleTokens &+= 1 }
        if connection.tokens > 0, connection.token == token.identity { return }
        // A token signed so much later than the one before is a refresh in time, however young the connection.
        if connection.tokens > 0, now - connection.tokenSince < rules.tokenInterval,
            token.issuedAt - connection.tokenIssuedAt < rules.tokenInterval
        {
            ledgers[host].counts.newTokensTooSoon &+= 1
        }
        noteSender(host, token.identity, &connection)
        connection.tokens &+= 1
        connection.token = token.identity
        connection.tokenSince = now
        connection.tokenIssuedAt = token.issuedAt
        let isNew =
            ledgers[host].tokens.count < Self.keptTokens && ledgers[host].tokens.insert(token.identity).inserted
        if isNew { ledgers[host].counts.differentProviderTokens &+= 1 }
        ledgers[host].counts.providerTokens &+= 1
        ledgers[host].counts.mostTokensOnAConnection = max(
            ledgers[host].counts.mostTokensOnAConnection,
            connection.tokens
        )
    }

    /// An access token was given out.
    package mutating func exchanged(_ host: Int, at elapsed: Int64) {
        ledgers[host].counts.tokenExchanges &+= 1
        // Several workers may each want one at the start, and each again when half of its life is over.
        let lives = UInt64(elapsed / max(1, rules.accessTokenLife / 2)) + 1
        if ledgers[host].counts.tokenExchanges > 16 * lives { ledgers[host].counts.needlessExchanges &+= 1 }
    }

    /// A push was decided on.
    package mutating func decided(
        _ host: Int,
        _ push: AuditedPush,
        _ connection: AuditConnection,
        at elapsed: Int64
    ) {
        ledgers[host].counts.pushes &+= 1
        if push.isOverQuota { ledgers[host].counts.overQuota &+= 1 }
        if push.isAccepted { ledgers[host].counts.accepted &+= 1 }
        (waiting + waitingCount)
            .initialize(to: Waiting(host: host, push: push, connection: connection.number, time: elapsed))
        waitingCount += 1
        if waitingCount == Self.together { settle() }
    }

    /// Holds the pushes that wait against those before them, in their order.
    private mutating func settle() {
        for index in 0..<waitingCount {
            let push = waiting[index].push
            if push.isAccepted { accepted.fetch(push.content, push.messageID) }
            refused.fetch(push.content)
        }
        for index in 0..<waitingCount { judge(waiting[index]) }
        waitingCount = 0
    }

    private mutating func judge(_ each: Waiting) {
        let push = each.push
        if let notBefore = refused.notBefore(push.content), each.time < notBefore {
            if notBefore == .max {
                ledgers[each.host].counts.refusedSentAgain &+= 1
            } else {
                ledgers[each.host].counts.retryAfterIgnored &+= 1
            }
        }
        if push.isAccepted { return compare(each) }
        if push.isRefusedForGood {
            refused.keep(push.content, notBefore: .max)
        } else if let wait = push.retryAfter {
            refused.keep(push.content, notBefore: each.time + wait)
        }
    }

    private mutating func compare(_ each: Waiting) {
        let push = each.push
        let place = FingerprintTable.Place(
            connection: each.connection,
            stream: push.stream,
            isHidden: push.isHidden
        )
        let sameContent = accepted.insert(push.content, at: place)
        let sameID = push.messageID == 0 ? nil : accepted.insert(push.messageID, at: place)
        guard let earlier = sameContent ?? sameID else {
            ledgers[each.host].counts.distinct &+= 1
            return
        }
        if earlier.isHidden {
            ledgers[each.host].counts.duplicatesUnawares &+= 1
        } else {
            ledgers[each.host].counts.duplicates &+= 1
        }
        let goAway = goAways[Int(earlier.connection) % Self.keptGoAways]
        if goAway.connection == earlier.connection, earlier.stream <= goAway.lastStream {
            ledgers[each.host].counts.processedSentAgain &+= 1
        }
    }
}

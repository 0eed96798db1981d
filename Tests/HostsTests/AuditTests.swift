import Testing

@testable import Hosts

/// What the audit finds, event by event.
@Suite struct AuditTests {
    private static let second: Int64 = 1_000_000_000
    private static let minute = 60 * second

    private func findings(
        _ change: (inout Audit.Rules) -> Void = { _ in },
        remainder: Audit.Remainder = Audit.Remainder(),
        _ events: (inout Audit, inout AuditConnection) -> Void
    ) -> [String: UInt64] {
        var rules = Audit.Rules()
        change(&rules)
        var audit = Audit(hosts: 1, rules)
        var connection = audit.opened(0, at: 0)
        events(&audit, &connection)
        let report = audit.report(names: ["apns-production"], [remainder])
        return Dictionary(uniqueKeysWithValues: report.findings.map { ($0.finding.rawValue, $0.count) })
    }

    private func push(_ content: UInt64, id: UInt64 = 0, accepted: Bool = true) -> AuditedPush {
        var push = AuditedPush()
        (push.content, push.messageID, push.isAccepted) = (content, id, accepted)
        return push
    }

    @Test func aGoodSenderHasNoFinding() {
        let found = findings { audit, connection in
            audit.secured(0, at: 1)
            for number in 0..<1000 as Range<UInt64> {
                audit.requested(0, &connection, open: 1, limit: 1000, isAbove: false)
                // A new token each 50 minutes.
                let issued = Int64(number / 50) * 50 * Self.minute
                let token = AuditedToken(identity: number / 50, issuedAt: issued)
                audit.sawToken(0, token, &connection, at: Int64(number) * Self.minute)
                audit.decided(0, push(number + 1, id: number + 5000), connection, at: Int64(number) * Self.minute)
            }
            audit.pinged(0, &connection)
            audit.closed(0, connection, byClient: true, bytesIn: 9, bytesOut: 9, at: Self.second)
        }
        #expect(found.isEmpty)
    }

    @Test func duplicates() {
        let found = findings { audit, connection in
            audit.decided(0, push(1, id: 11), connection, at: 0)
            audit.decided(0, push(2, id: 12), connection, at: 0)
            // The same content with another id, and the same id with other content.
            audit.decided(0, push(1, id: 13), connection, at: 1)
            audit.decided(0, push(3, id: 12), connection, at: 1)
            // A refused one may come again.
            audit.decided(0, push(4, accepted: false), connection, at: 1)
            audit.decided(0, push(4), connection, at: 1)
        }
        #expect(found == ["duplicates": 2])
    }

    @Test func aDuplicateOfAHiddenAcceptanceIsNoFault() {
        var audit = Audit(hosts: 1)
        let connection = audit.opened(0, at: 0)
        var hidden = push(1, id: 11)
        hidden.isHidden = true
        audit.decided(0, hidden, connection, at: 0)
        audit.decided(0, push(1, id: 11), connection, at: 1)
        let report = audit.report(names: ["fcm"], [Audit.Remainder()])
        let counts = report.hosts[0].counts
        #expect(counts.accepted == 2 && counts.distinct == 1 && counts.duplicatesUnawares == 1)
        #expect(report.findings.isEmpty)
    }

    @Test func whatMayHaveBeenProcessedIsSentAgain() {
        let found = findings { audit, connection in
            for stream in [1, 3, 5] as [Int32] {
                var first = push(UInt64(stream))
                (first.stream, first.isHidden) = (stream, true)
                audit.decided(0, first, connection, at: 0)
            }
            audit.saidGoAway(connection, lastStream: 3)
            let next = audit.opened(0, at: 1)
            for stream in [1, 3, 5] as [UInt64] { audit.decided(0, push(stream), next, at: 1) }
            for count in [0, 1, 1] as [UInt64] { audit.openedAfterGoAway(0, &connection, soFar: count) }
        }
        #expect(found == ["processed-sent-again": 2, "requests-after-goaway": 1])
    }

    @Test func retriesTooSoonAndForNothing() {
        let found = findings { audit, connection in
            var refused = push(1, accepted: false)
            refused.retryAfter = 10 * Self.second
            audit.decided(0, refused, connection, at: 0)
            audit.decided(0, push(1), connection, at: 9 * Self.second)
            audit.decided(0, refused, connection, at: 20 * Self.second)
            audit.decided(0, push(1, accepted: false), connection, at: 30 * Self.second)
            var dead = push(2, accepted: false)
            dead.isRefusedForGood = true
            audit.decided(0, dead, connection, at: 0)
            audit.decided(0, dead, connection, at: Self.minute)
            var over = push(3, accepted: false)
            over.isOverQuota = true
            audit.decided(0, over, connection, at: 0)
        }
        #expect(found == ["retry-after-ignored": 1, "refused-sent-again": 1, "over-quota": 1])
    }

    @Test func tokens() {
        let found = findings { audit, connection in
            let tokens: [(identity: UInt64, issued: Int64, seen: Int64)] = [
                (1, 0, 0), (1, 0, 61), (2, 62, 62), (3, 63, 63), (4, 83, 83),
            ]
            for token in tokens {
                let seen = AuditedToken(identity: token.identity, issuedAt: token.issued * Self.minute)
                audit.sawToken(0, seen, &connection, at: token.seen * Self.minute)
            }
        }
        #expect(found == ["stale-token": 1, "new-token-too-soon": 1])
    }

    @Test func tokensOfAFleetAreToldApart() throws {
        var audit = Audit(hosts: 2)
        for shard in 0..<8 as Range<UInt64> {
            var connection = audit.opened(0, at: 0)
            // Two of the shards have the same token each, and all the same one an hour later.
            audit.sawToken(0, AuditedToken(identity: shard / 2, issuedAt: 0), &connection, at: Self.minute)
            let next = AuditedToken(identity: 99, issuedAt: 50 * Self.minute)
            audit.sawToken(0, next, &connection, at: 50 * Self.minute)
        }
        let report = audit.report(names: ["a", "b"], [Audit.Remainder(), Audit.Remainder()])
        let counts = try #require(report.hosts.first).counts
        #expect(counts.providerTokens == 16 && counts.differentProviderTokens == 5)
        #expect(counts.mostTokensOnAConnection == 2 && report.findings.isEmpty)
        #expect(report.text.contains("provider tokens: 5 different ones, at most 2 on a connection, 16 over all"))
    }

    /// A connection opened shortly before a refresh sees two tokens within minutes, and nobody is to blame.
    @Test func aRefreshOnAYoungConnectionIsInTime() {
        let found = findings { audit, connection in
            audit.sawToken(0, AuditedToken(identity: 1, issuedAt: 0), &connection, at: 49 * Self.minute)
            let next = AuditedToken(identity: 2, issuedAt: 50 * Self.minute)
            audit.sawToken(0, next, &connection, at: 50 * Self.minute)
        }
        #expect(found.isEmpty)
    }

    @Test func aConnectionForEachPush() {
        func found(_ short: Int, long: Int) -> [String: UInt64] {
            var audit = Audit(hosts: 1)
            for number in 0..<(short + long) {
                var connection = audit.opened(0, at: 0)
                for _ in 0..<(number < short ? 1 : 50) {
                    audit.requested(0, &connection, open: 1, limit: 1, isAbove: false)
                }
                audit.closed(0, connection, byClient: true, bytesIn: 1, bytesOut: 1, at: Self.second)
            }
            let report = audit.report(names: ["apns-production"], [Audit.Remainder()])
            return Dictionary(uniqueKeysWithValues: report.findings.map { ($0.finding.rawValue, $0.count) })
        }
        #expect(found(12, long: 2) == ["connection-per-push": 12])
        #expect(found(9, long: 2).isEmpty)
        #expect(found(12, long: 20).isEmpty)
    }

    @Test func streamsPingsSecretsAndBreaches() {
        var remainder = Audit.Remainder()
        remainder.broken = 2
        let found = findings(remainder: remainder) { audit, connection in
            audit.requested(0, &connection, open: 2, limit: 1, isAbove: true)
            for _ in 0..<12 { audit.pinged(0, &connection) }
            audit.indexedSecret(0)
        }
        #expect(found == ["streams-above-limit": 1, "pings": 10, "indexed-secrets": 1, "broken-protocol": 2])
    }

    @Test func exchanges() {
        let found = findings { audit, _ in
            for _ in 0..<30 { audit.exchanged(0, at: Self.second) }
        }
        #expect(found == ["token-exchanges": 14])
    }

    @Test func whatIsTooMuchToCompareIsTold() {
        var rules = Audit.Rules()
        rules.fingerprints = 16
        var audit = Audit(hosts: 1, rules)
        let connection = audit.opened(0, at: 0)
        for number in 1...20 as ClosedRange<UInt64> { audit.decided(0, push(number << 32), connection, at: 0) }
        let report = audit.report(names: ["fcm"], [Audit.Remainder()])
        #expect(report.notCompared == 6 && report.hosts[0].counts.distinct == 20)
        #expect(report.text.contains("6 accepted pushes were too many"))
    }

    @Test func connectionsAreCountedByTheMinute() {
        var audit = Audit(hosts: 2)
        for second in 0..<130 as Range<Int64> {
            _ = audit.opened(1, at: second * Self.second)
            if second > 119 { _ = audit.opened(1, at: second * Self.second) }
        }
        let report = audit.report(names: ["apns-production", "fcm"], [Audit.Remainder(), Audit.Remainder()])
        #expect(report.hosts.map(\.host) == ["fcm"], "a host without connections has no row")
        #expect(report.hosts[0].counts.mostConnectionsPerMinute == 60)
    }

    @Test func everyRuleSaysWhatAndWhere() {
        for rule in AuditRule.allCases {
            #expect(rule.rule.hasSuffix(".") && !rule.source.isEmpty, "\(rule)")
        }
    }
}

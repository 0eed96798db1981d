/// What a sender did, and which rules it broke.
package struct AuditReport: Codable, Sendable, Equatable {
    package struct Host: Codable, Sendable, Equatable {
        package var host: String
        package var counts: AuditCounts
        /// How many senders were told apart by their addresses and credentials.
        package var senders: Int
        /// The busiest of them.
        package var busiest: [Sender]
        /// TLS included; 0 before the first push.
        package var bytesInPerPush: Double
        package var bytesOutPerPush: Double
    }

    /// One of the senders of a fleet.
    package struct Sender: Codable, Sendable, Equatable {
        package var connections: UInt64
        /// Provider tokens, access tokens and certificates that it showed.
        package var credentials: UInt64
        package var requests: UInt64
    }

    /// What the audit has of one host.
    struct Row {
        var name: String
        var counts: AuditCounts
        var senders: [SenderBook.Sender]
    }

    /// So many senders of a host are shown one by one.
    private static let shownSenders = 32

    package struct Finding: Codable, Sendable, Equatable {
        package var finding: AuditRule
        package var host: String
        package var count: UInt64
        package var rule: String
        package var source: String
    }

    /// Names the report, so that a reader can tell it from any other.
    package var pushbench = "mock-audit"
    package var hosts: [Host]
    package var findings: [Finding]
    /// Accepted pushes that there was no room to compare with later ones.
    package var notCompared: UInt64

    /// - Parameter rows: one for each host that had a connection.
    init(_ rows: [Row], notCompared: UInt64) {
        self.notCompared = notCompared
        hosts = rows.map { row in
            let counts = row.counts
            let pushes = Double(max(1, counts.pushes))
            return Host(
                host: row.name,
                counts: counts,
                senders: row.senders.count,
                busiest: row.senders.prefix(Self.shownSenders)
                    .map {
                        Sender(connections: $0.connections, credentials: $0.credentials, requests: $0.requests)
                    },
                bytesInPerPush: counts.pushes == 0 ? 0 : Double(counts.bytesIn) / pushes,
                bytesOutPerPush: counts.pushes == 0 ? 0 : Double(counts.bytesOut) / pushes
            )
        }
        findings = AuditRule.allCases.flatMap { rule in
            rows.compactMap { row in
                let count = row.counts.count(rule)
                guard count >= rule.least else { return nil }
                return Finding(finding: rule, host: row.name, count: count, rule: rule.rule, source: rule.source)
            }
        }
    }

    /// For people: a paragraph for each host, then the findings.
    package var text: String {
        var lines: [String] = []
        for host in hosts { lines += host.lines }
        if notCompared > 0 { lines.append("\(notCompared) accepted pushes were too many to compare with later ones.") }
        lines.append(findings.isEmpty ? "No finding." : "Findings:")
        for finding in findings {
            lines.append("  \(finding.host): \(finding.finding.rawValue), \(finding.count) times")
            lines.append("    \(finding.rule)")
            lines.append("    \(finding.source)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension AuditReport.Host {
    fileprivate var lines: [String] {
        let all = counts
        var lines = [
            "\(host): \(all.requests) requests, \(all.pushes) pushes, \(all.accepted) accepted, "
                + "\(all.duplicates) duplicates, \(all.duplicatesUnawares) more unawares",
            "  connections: \(all.connections), \(all.shortConnections) of them short; at most "
                + "\(all.mostConnectionsPerMinute) a minute; \(all.handshakes) handshakes",
            "  streams: at most \(all.mostStreams) where \(all.streamLimitThen) were allowed; "
                + "\(all.streamsAboveLimit) above a limit; \(all.requestsAfterGoAway) requests after GOAWAY; "
                + "\(all.pings) PINGs",
        ]
        if senders > 0 { lines.append("  senders: \(senders), " + busiest.text(of: senders)) }
        if all.providerTokens > 0 {
            lines.append(
                "  provider tokens: \(all.differentProviderTokens) different ones, at most "
                    + "\(all.mostTokensOnAConnection) on a connection, \(all.providerTokens) over all connections; "
                    + "\(all.newTokensTooSoon) too soon; the oldest \(all.oldestTokenSeconds) s old"
            )
        }
        if all.tokenExchanges > 0 { lines.append("  access tokens given out: \(all.tokenExchanges)") }
        if all.pushes > 0 {
            lines.append("  bytes of a push: \(Int(bytesInPerPush)) in, \(Int(bytesOutPerPush)) out")
        }
        return lines
    }
}

extension [AuditReport.Sender] {
    /// How many connections the first few have.
    fileprivate func text(of all: Int) -> String {
        let shown = prefix(8).map { "\($0.connections)" }.joined(separator: ", ")
        return "with \(shown)\(all > 8 ? ", ..." : "") connections"
    }
}

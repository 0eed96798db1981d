/// What a sender did, and which rules it broke.
package struct AuditReport: Codable, Sendable, Equatable {
    package struct Host: Codable, Sendable, Equatable {
        package var host: String
        package var counts: AuditCounts
        /// TLS included; 0 before the first push.
        package var bytesInPerPush: Double
        package var bytesOutPerPush: Double
    }

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

    /// - Parameter hosts: the counts of each host that had a connection, with its name.
    package init(_ hosts: [(name: String, counts: AuditCounts)], notCompared: UInt64) {
        self.notCompared = notCompared
        self.hosts = hosts.map { name, counts in
            let pushes = Double(max(1, counts.pushes))
            return Host(
                host: name,
                counts: counts,
                bytesInPerPush: counts.pushes == 0 ? 0 : Double(counts.bytesIn) / pushes,
                bytesOutPerPush: counts.pushes == 0 ? 0 : Double(counts.bytesOut) / pushes
            )
        }
        findings = AuditRule.allCases.flatMap { rule in
            hosts.compactMap { name, counts in
                let count = counts.count(rule)
                guard count >= rule.least else { return nil }
                return Finding(finding: rule, host: name, count: count, rule: rule.rule, source: rule.source)
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

import Foundation
import Hosts
import MockHosts
import TestSupport
import Testing

extension Processes {
    /// Provider tokens over a run's length, as the faithful hosts see them.
    @Suite("Tokens during a run") struct TokenRunTests {
        /// APNs production alone, on two connections; no device twice, or the audit would see duplicates.
        private static let apns = """
            {
              name: "apns", seed: 5,
              fleet: { size: 10000, mix: { "apns-production": 1 } },
              load: { phases: [{ name: "steady", duration: "12500ms", rate: "400/s" }], backlog: "1m", drain: "1m" },
              lanes: { "apns-production": { connections: 2, timeouts: { push: "1m" } } },
              mock: { serviceTime: "2ms", tokenClockScale: 600 },
            }
            """

        /// 20 and 60 minutes become 2 and 6 s, and the 50 after which a token is renewed 5.
        ///
        /// A token's age counts from the whole second that it was signed in, so that the time of each signature follows from
        /// that of the first.
        @Test func aTokenIsSignedAsOftenAsTheRulesImply() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.apns, to: "apns.json")
            let mock = try RunningMock(in: bench, ["apns.json", "--state", "state"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            let begun = ContinuousClock.now
            let result = try bench.result("apns.json", ["--hosts", "hosts.json"])
            let elapsed = (ContinuousClock.now - begun) / .seconds(1)
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8))
            try result.checkAccounting()
            // No ExpiredProviderToken, no TooManyProviderTokenUpdates, and nothing skipped for want of a token.
            #expect(Set(result.outcomes.rows.map { $0["disposition"] }) == ["delivered"])
            #expect(result.record.accounting.attempts == 5000)
            let row = try #require(result.credentials.rows.first)
            let signed = try row.count("signed")
            #expect(try row.count("refreshed") == signed - 1)
            // The load alone lasts two renewals and a half; the whole command bounds them from above.
            #expect(signed >= 3 && signed <= 1 + Int((elapsed + 1) / 5), "\(signed) in \(elapsed) s")
            #expect(try row.count("served_from_cache") == 5000)
            let counts = try #require(summary.audit.hosts.first { $0.host == "apns-production" }?.counts)
            let seen = counts.mostTokensOnAConnection
            #expect(seen >= 3 && seen <= UInt64(signed), "\(seen) on a connection, \(signed) signed")
            #expect(summary.audit.findings == [])
        }

        @Test(arguments: [1, 2]) func aKeyChangesDuringTheRun(workers: Int) throws {
            let bench = try Workbench()
            try bench.folder.write(Self.apns, to: "apns.json")
            let mock = try RunningMock(in: bench, ["apns.json", "--state", "state"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            let result = try bench.result(
                "apns.json",
                [
                    "--hosts", "hosts.json", "--workers", "\(workers)", "--set", "load.phases[0].duration=3s", "--set",
                    "lanes.apns-production.credential={next: {at: '1s'}}", "--set",
                    "lanes.apns-production.connections=4",
                ]
            )
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8))
            try result.checkAccounting()
            #expect(Set(result.outcomes.rows.map { $0["disposition"] }) == ["delivered"])
            #expect(result.record.accounting.attempts == 1200 && result.record.accounting.retries == 0)
            let rows = result.credentials.rows
            #expect(rows.map { $0["credential"] } == ["ABC123DEFG", "NEXTKEY456"])
            let served = try rows.map { try $0.count("served_from_cache") }
            #expect(served.allSatisfy { $0 > 0 } && served.reduce(0, +) == 1200, "\(served)")
            let connections = result.connections.rows.map { $0["credential"] + ", " + $0["closed_by"] }
            #expect(
                connections.sorted() == Array(repeating: "next token, run end", count: 4)
                    + Array(repeating: "token, key change", count: 4)
            )
            // No key of another beginning on a connection, nothing sent twice, no stream after a GOAWAY.
            #expect(summary.audit.findings == [])
        }

        @Test func aSecondKeyIsTriedBeforeTheRun() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.apns, to: "apns.json")
            let change = ["--workers", "1", "--set", "lanes.apns-production.credential={next: {at: '1s'}}"]
            let good = try bench.run(["preflight", "apns.json"] + change)
            #expect(good.code == 0 && good.output.contains("next key apns-production"), "\(good)")
            let missing = "lanes.apns-production.credential={next: {at: '1s', key: 'none.p8', keyId: 'ABCDEFGHIJ'}}"
            let bad = try bench.run(["preflight", "apns.json", "--set", missing])
            #expect(bad.code == 1 && bad.output.contains("none.p8: "), "\(bad)")
            let run = try bench.run(["run", "apns.json", "--quiet", "--set", missing])
            #expect(run.code == 1 && run.errors.contains("none.p8: "), "\(run)")
        }
    }
}

import Credentials
import Fleet
import Foundation
import LoadPlan
import Push
import TestSupport
import Testing

extension Processes {
    /// What a production sender does, seen in whole runs against the faithful mock hosts.
    @Suite("A run behaves as a sender should") struct SenderTests {
        /// Half APNs production and half FCM at 400 pushes a second for a second.
        private static let both = """
            {
              name: "both", seed: 3,
              fleet: { size: 1000, mix: { "apns-production": 0.5, fcm: 0.5 } },
              load: { phases: [{ name: "steady", duration: "1s", rate: "400/s" }], backlog: "1m", drain: "1m" },
              lanes: { "apns-production": { timeouts: { push: "1m" } }, fcm: { timeouts: { push: "1m" } } },
              mock: { serviceTime: "2ms" },
            }
            """

        @Test func aBadKeyHaltsItsLaneAndNoOther() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.both, to: "both.json")
            let mock = try RunningMock(in: bench, ["both.json", "--state", "state"])
            let key = bench.folder.path("other.p8")
            try OpenSSL.makeKey(.p256, in: key)
            try mock.writeAnnouncement(to: "hosts.json", in: bench) { $0.apns.key = key }
            let result = try bench.result("both.json", ["--hosts", "hosts.json"])
            _ = try mock.end()
            try result.checkAccounting()
            let rows = result.outcomes.rows
            #expect(Set(rows.filter { $0["lane"] == "fcm" }.map { $0["disposition"] }) == ["delivered"])
            let apns = rows.filter { $0["lane"] == "apns-production" }
            #expect(Set(apns.map { $0["reason"] }) == ["InvalidProviderToken", "lane halted"])
            #expect(Set(apns.map { $0["disposition"] }) == ["configurationFault", "skipped"])
            // A connection has one stream before a token was taken, so that no more than one push each meets the fault.
            let faults = apns.filter { $0["reason"] == "InvalidProviderToken" }
            #expect(try faults.reduce(0) { $0 + (try $1.count("count")) } <= 2)
        }

        @Test func tokensAreRenewedInTimeAndNoPushMeetsTheirEnd() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.both, to: "both.json")
            // 60 minutes become 1.5 s, and the 50 after which a token is renewed 1.25 s.
            let result = try bench.result(
                "both.json",
                ["--set", "load.phases[0].duration=4s", "--set", "mock.tokenClockScale=2400"]
            )
            try result.checkAccounting()
            #expect(Set(result.outcomes.rows.map { $0["reason"] }) == [""])
            let row = try #require(result.credentials.rows.first { $0["lane"] == "apns-production" })
            let (signed, refreshed) = (try row.count("signed"), try row.count("refreshed"))
            #expect(signed == refreshed + 1)
            // 4 s and the run's own start and end, in steps of 1.25 s; more often than every 0.5 s would be refused.
            #expect(signed >= 4)
            #expect(try #require(Double(row["oldest_used_s"])) <= 1.5)
        }

        @Test func aCertificateSavesTheTokensBytes() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.both, to: "both.json")
            let result = try bench.result(
                "both.json",
                [
                    "--set", "lanes.apns-production.certificate={share: 0.5}", "--set", "load.phases[0].duration=5s",
                    "--set", "load.phases[0].rate=1600/s", "--workers", "1",
                ]
            )
            try result.checkAccounting()
            #expect(Set(result.outcomes.rows.map { $0["disposition"] }) == ["delivered"])
            func bytesPerPush(_ credential: String) throws -> Double {
                let rows = result.connections.rows.filter {
                    $0["lane"] == "apns-production" && $0["credential"] == credential
                }
                let (bytes, streams) = try rows.reduce((0, 0)) {
                    ($0.0 + (try $1.count("bytes_out")), $0.1 + (try $1.count("streams")))
                }
                try #require(streams > 1000)
                return Double(bytes) / Double(streams)
            }
            // RFC 7541, section 6.2.3: a name from the static table beyond 15 and a length beyond 127 take two bytes each.
            let token = try ProviderToken.make(
                key: SigningKey.generate(.es256),
                identity: ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456"),
                issuedAt: 1_800_000_000
            )
            let price = Double(2 + 2 + "bearer ".utf8.count + token.count)
            #expect(abs(try bytesPerPush("token") - bytesPerPush("certificate") - price) <= 5)
        }

        @Test func preflightFindsNothingWrongWithTheMockHosts() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.both, to: "both.json")
            let outcome = try bench.run(["preflight", "both.json", "--workers", "1"])
            #expect(outcome.code == 0, "\(outcome)")
            let lines = outcome.output.split(separator: "\n")
            let names = [
                "profile", "fleet", "payloads", "key apns-production", "apns topics", "service account", "access token",
                "host apns-production", "host fcm", "clock", "descriptors", "ports", "cores",
            ]
            #expect(lines.count == names.count, "\(outcome.output)")
            for (line, name) in zip(lines, names) {
                #expect(line.hasPrefix("ok ") || line.hasPrefix("warning "), "\(line)")
                #expect(line.dropFirst(9).hasPrefix(name), "\(line)")
            }
        }

        @Test func preflightNamesEveryFault() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.both, to: "both.json")
            let mock = try RunningMock(in: bench, ["both.json", "--state", "state"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench) {
                $0.apns.key = "/nowhere.p8"
                $0.hosts["fcm"] = "https://127.0.0.1:1"
            }
            let outcome = try bench.run([
                "preflight", "both.json", "--hosts", "hosts.json", "--json", "--set",
                "lanes.apns-production.certificate={file: 'none.p12', share: 0.5}",
            ])
            _ = try mock.end()
            #expect(outcome.code == 1, "\(outcome)")
            let report = try JSONDecoder().decode(PreflightReport.self, from: Data(outcome.output.utf8))
            #expect(!report.passed)
            let failed = report.checks.filter { $0.outcome == "failed" }.map(\.name)
            #expect(failed == ["key apns-production", "certificate apns-production", "host fcm"])
        }

        @Test func preflightOfABadProfileIsOneFailedLine() throws {
            let bench = try Workbench()
            try bench.folder.write("{messages: [{payloadBytes: 5000}]}", to: "bad.json")
            let outcome = try bench.run(["preflight", "bad.json"])
            #expect(outcome.code == 1)
            #expect(outcome.output.hasPrefix("failed   profile  bad.json:1: messages[0].payloadBytes has 5,000 bytes"))
        }
    }
}

private struct PreflightReport: Decodable {
    struct Check: Decodable {
        let name: String
        let outcome: String
    }

    let passed: Bool
    let checks: [Check]
}

import Foundation
import Hosts
import MockHosts
import Push
import TestSupport
import Testing

extension Processes {
    /// Which host a device's push goes to, as whom, and on what way.
    @Suite("Routing") struct RoutingTests {
        private static func apnsToken(_ number: Int) -> String { String(format: "%064x", number * 7_919 + 1) }

        private static func fcmToken(_ number: Int) -> String {
            String(format: "%022d", number) + ":APA91b" + String(repeating: "k", count: 134)
        }

        /// A second mock of the same authority, for another team and another project.
        private func startOther(in bench: Workbench) throws -> RunningMock {
            let files = FileManager.default
            try files.copyItem(atPath: bench.folder.path("state"), toPath: bench.folder.path("other"))
            for name in try files.contentsOfDirectory(atPath: bench.folder.path("other"))
            where name.hasPrefix("AuthKey") || name.hasPrefix("service-account") {
                try files.removeItem(atPath: bench.folder.path("other/\(name)"))
            }
            try bench.folder.write(
                #"{ fleet: { project: "other-project", apps: [{ topic: "com.example.other" }] }, mock: { serviceTime: "2ms" } }"#,
                to: "other.json"
            )
            return try RunningMock(in: bench, ["other.json", "--state", "other"])
        }

        /// Two apps of two teams and two Firebase projects, in one run: each team's hosts know nothing of the other's keys,
        /// accounts and apps.
        @Test(arguments: [1, 2]) func appsOfSeveralTeamsHaveLanesOfTheirOwn(workers: Int) throws {
            let bench = try Workbench()
            let rows = (0..<60)
                .flatMap { number in
                    let app = number % 3 == 0 ? "com.example.other" : "com.example.app"
                    return [
                        "apns,production,\(Self.apnsToken(number)),\(app)", "fcm,,\(Self.fcmToken(number)),\(app)",
                    ]
                }
            let header = "provider,environment,token,app"
            try bench.folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "devices.csv")
            let mock = try RunningMock(in: bench, ["--state", "state", "--service-time", "2ms"])
            let other = try startOther(in: bench)
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            let there = other.announcement
            let key = #"{ key: "\#(there.apns.key)", keyId: "\#(there.apns.keyId)", teamId: "\#(there.apns.teamId)" }"#
            let account = #"{ serviceAccount: "\#(there.fcm.serviceAccount)", projectId: "other-project" }"#
            try bench.folder.write(
                """
                {
                  name: "teams", fleet: { csv: "devices.csv" },
                  load: { phases: [{ name: "steady", duration: "1s", rate: "600/s" }], backlog: "1m", drain: "1m" },
                  lanes: {
                    "apns-production": {
                      tenants: [{ name: "other", apps: ["com.example.other"], connections: 1, credential: \(key),
                        host: "\(try other.url("apns-production"))" }],
                    },
                    fcm: {
                      batch: { size: 7, inFlight: 20 },
                      tenants: [{ name: "other", apps: ["com.example.other"], connections: 3, credential: \(account),
                        host: "\(try other.url("fcm"))" }],
                    },
                  },
                }
                """,
                to: "teams.json"
            )
            let preflight = try bench.run(["preflight", "teams.json", "--hosts", "hosts.json", "--workers", "1"])
            #expect(preflight.code == 0 && preflight.output.contains("key apns-production/other"), "\(preflight)")
            let result = try bench.result("teams.json", ["--hosts", "hosts.json", "--workers", "\(workers)"])
            let audits = try [mock, other]
                .map { mock in
                    try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8)).audit
                }
            try result.checkAccounting()
            #expect(Set(result.outcomes.rows.map { $0["disposition"] }) == ["delivered"])
            // In the file's order each lane's devices repeat: every third push is the other team's.
            let planned = ["apns-production": 200, "apns-production/other": 100, "fcm": 200, "fcm/other": 100]
            for row in result.summary.rows where row["phase"] == "all" && row["lane"] != "all" {
                #expect(try row.count("planned") == planned[row["lane"]], "\(row)")
            }
            #expect(try result.total("planned") == 600 && result.record.planHash == result.record.sentHash)
            #expect(audits[0].hosts.reduce(0) { $0 + $1.counts.pushes } == 400)
            #expect(audits[1].hosts.reduce(0) { $0 + $1.counts.pushes } == 200)
            let lanes = Dictionary(grouping: result.connections.rows) { $0["lane"] }.mapValues(\.count)
            #expect(lanes["fcm/other"] == 3 && lanes["apns-production/other"] == 1)
            #expect(Set(result.credentials.rows.map { $0["lane"] }) == Set(planned.keys))
        }

        private static let misshapen = """
            {
              name: "misshapen", fleet: { csv: "devices.csv", misshapen: "send" },
              load: { phases: [{ name: "steady", duration: "500ms", rate: "400/s" }], backlog: "1m", drain: "1m" },
              mock: { serviceTime: "2ms" },
            }
            """

        /// Every fourth device of the APNs rows has an FCM token.
        private func misshapen(_ words: [String]) throws -> RunResult {
            let bench = try Workbench()
            let rows = (0..<40)
                .map { number in
                    let token = number % 4 == 3 ? Self.fcmToken(number) : Self.apnsToken(number)
                    return "apns,production,\(token),com.example.app"
                }
            let text = (["provider,environment,token,app"] + rows).joined(separator: "\n") + "\n"
            try bench.folder.write(text, to: "devices.csv")
            try bench.folder.write(Self.misshapen, to: "misshapen.json")
            let result = try bench.result("misshapen.json", words)
            try result.checkAccounting()
            #expect(try result.total("planned") == 200)
            return result
        }

        private func ends(_ result: RunResult) throws -> [String: Int] {
            try result.outcomes.rows.reduce(into: [:]) { ends, row in
                ends["\(row["lane"]) \(row["disposition"]) \(row["reason"])"] = try row.count("count")
            }
        }

        @Test func aTokenOfAnotherShapeIsSentUnlessTheProfileSaysOtherwise() throws {
            #expect(
                try ends(misshapen([])) == [
                    "apns-production delivered ": 150, "apns-production invalidDevice BadDeviceToken": 50,
                ]
            )
        }

        @Test func aTokenOfAnotherShapeGoesToFCM() throws {
            let result = try misshapen(["--set", "fleet.misshapen=fcm"])
            #expect(try ends(result) == ["apns-production delivered ": 150, "fcm delivered ": 50])
            #expect(result.record.planHash == result.record.sentHash)
        }

        @Test(arguments: [1, 2]) func aTokenOfAnotherShapeIsRefused(workers: Int) throws {
            let result = try misshapen(["--set", "fleet.misshapen=refuse", "--workers", "\(workers)"])
            #expect(
                try ends(result) == [
                    "apns-production delivered ": 150, "apns-production skipped token misshapen": 50,
                ]
            )
        }

        @Test func aProxyOpensTheWayToEveryHost() throws {
            let bench = try Workbench()
            let proxy = try ConnectProxy()
            defer { proxy.stop() }
            let mock = try RunningMock(in: bench, ["--state", "state", "--service-time", "2ms"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            try bench.folder.write(
                """
                {
                  name: "proxy", fleet: { size: 100, mix: { "apns-production": 0.5, fcm: 0.5 } },
                  load: { phases: [{ name: "steady", duration: "500ms", rate: "400/s" }], backlog: "1m", drain: "1m" },
                  lanes: { "apns-production": { proxy: "\(proxy.url)" }, fcm: { proxy: "\(proxy.url)", connections: 2 } },
                }
                """,
                to: "proxy.json"
            )
            let preflight = try bench.run(["preflight", "proxy.json", "--hosts", "hosts.json", "--workers", "1"])
            #expect(preflight.code == 0, "\(preflight)")
            let before = proxy.endpoints.count
            let result = try bench.result("proxy.json", ["--hosts", "hosts.json"])
            try result.checkAccounting()
            #expect(Set(result.outcomes.rows.map { $0["disposition"] }) == ["delivered"])
            // All connections, and the exchange of the assertion.
            let asked = Dictionary(grouping: proxy.endpoints.dropFirst(before)) { $0 }.mapValues(\.count)
            for host in ["apns-production", "fcm"] {
                let endpoint = String(try mock.url(host).dropFirst("https://".count))
                #expect(asked[endpoint] == 2, "\(host)")
            }
            #expect(asked.count == 3 && asked.values.reduce(0, +) == 5, "\(asked)")
            let closed = try ConnectProxy(answering: "HTTP/1.1 403 Forbidden\r\n\r\n")
            defer { closed.stop() }
            let refused = try bench.run([
                "run", "proxy.json", "--quiet", "--hosts", "hosts.json", "--set",
                "lanes.apns-production.proxy=\(closed.url)",
            ])
            _ = try mock.end()
            #expect(refused.code == 1 && refused.errors.contains("refused: it answers with 403"), "\(refused)")
        }
    }
}

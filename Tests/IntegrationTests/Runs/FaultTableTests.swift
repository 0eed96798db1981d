import Foundation
import Hosts
import MockHosts
import Push
import TestSupport
import Testing

/// A fault of the mock hosts, and how a run that meets it must end.
struct FaultRow: Sendable, CustomTestStringConvertible {
    var testDescription: String { faults.joined(separator: " ") }
    /// As `pushbench mock --fault` takes them.
    var faults: [String]
    /// Whether every push is answered 200 all the same.
    var deliversAll = true
    /// Whether pushes are sent twice, which the record must show.
    var retries = false
    /// The lanes' time-out of a push: long where nothing but a busy machine keeps an answer back.
    var timeout: String

    init(_ faults: String..., deliversAll: Bool = true, retries: Bool = false, timeout: String = "15s") {
        self.faults = faults
        self.deliversAll = deliversAll
        self.retries = retries
        self.timeout = timeout
    }
}

extension Processes {
    @Suite("Runs that meet each fault of the mock hosts") struct FaultTableTests {
        private static let profile = """
            { name: "faults", seed: 5,
              fleet: { size: 5000, mix: { "apns-production": 0.6, fcm: 0.4 } },
              load: { phases: [{ name: "steady", duration: "1500ms", rate: "400/s" }], drain: "20s" },
              lanes: {
                "apns-production": { connections: 2, timeouts: { connect: "5s", handshake: "5s" } },
                fcm: { connections: 2, timeouts: { connect: "5s", handshake: "5s" } },
              },
              mock: { serviceTime: "5ms" } }
            """

        static let rows = [
            FaultRow("goaway,after=60"),
            FaultRow("goaway,after=60,reason=Shutdown,twice"),
            FaultRow("goaway,after=60,code=INTERNAL_ERROR,text=sorry"),
            FaultRow("goaway,age=400ms"),
            FaultRow("goaway,after=60,open"),
            FaultRow("disconnect,after=60", deliversAll: false),
            FaultRow("reset=REFUSED_STREAM,share=5%", deliversAll: false, retries: true),
            FaultRow("reset=INTERNAL_ERROR,share=5%", deliversAll: false),
            FaultRow("reset=CANCEL,when=after,share=5%", deliversAll: false),
            FaultRow("stall,share=5%", deliversAll: false, timeout: "400ms"),
            FaultRow("accept-then-fail=nothing,share=5%,lane=apns-production", deliversAll: false, timeout: "400ms"),
            FaultRow("first-streams=1,lane=apns-production"),
            FaultRow("no-stream-limit"),
            FaultRow("excess-streams=refuse", "first-streams=1,lane=apns-production"),
            FaultRow("slow-tls=150ms"),
            FaultRow("silence=300ms", deliversAll: false, timeout: "400ms"),
            FaultRow("round-trip=30ms"),
            FaultRow("session-timeout=300ms"),
            FaultRow(
                "answer=ExpiredProviderToken,after=50,share=10%,lane=apns-production",
                "wedge=5",
                deliversAll: false,
                timeout: "400ms"
            ),
        ]

        @Test(arguments: rows) func aRunEndsInOrder(row: FaultRow) throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "faults.json")
            let mock = try RunningMock(
                in: bench,
                ["faults.json", "--quiet"] + row.faults.flatMap { ["--fault", $0] }
            )
            try mock.writeAnnouncement(to: "mock.json", in: bench)
            let result = try bench.resultWhileMockRuns(
                "faults.json",
                ["--hosts", "mock.json"]
                    + ["apns-production", "fcm"].flatMap { ["--set", "lanes.\($0).timeouts.push=\(row.timeout)"] }
            )
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(mock.end().utf8))
            try Self.check(result, [summary], row)
        }

        /// The hosts end in the middle of the run, and others take their place a moment later.
        @Test func hostsThatComeBack() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "faults.json")
            let first = try RunningMock(in: bench, ["faults.json", "--quiet", "--state", "state"])
            try first.writeAnnouncement(to: "mock.json", in: bench)
            let ports = try first.announcement.hosts.filter { ["apns-production", "fcm", "oauth"].contains($0.key) }
                .flatMap { ["--port", "\($0.key)=\(try #require(URL(string: $0.value)?.port))"] }
            let out = "result-restart"
            let program = try bench.start(
                ["run", "faults.json", "--hosts", "mock.json", "--out", out, "--set", "load.phases[0].duration=7s"]
                    + Workbench.patience
            )
            // The first line of progress comes after five seconds.
            try program.waitForErrors { $0.contains("steady 5 s") }
            let before = try JSONDecoder().decode(MockSummary.self, from: Data(first.end().utf8))
            let second = try RunningMock(in: bench, ["faults.json", "--quiet", "--state", "state"] + ports)
            let outcome = try program.wait()
            let after = try JSONDecoder().decode(MockSummary.self, from: Data(second.end().utf8))
            try #require(outcome.code == 0, "\(outcome)")
            let result = try RunResult(folder: bench.folder.path(out), outcome: outcome)
            #expect(after.answered > 0, "the pool came back")
            try Self.check(result, [before, after], FaultRow("restart", deliversAll: false))
        }

        /// What holds whatever the hosts did.
        private static func check(_ result: RunResult, _ mocks: [MockSummary], _ row: FaultRow) throws {
            try result.checkAccounting()
            let record = result.record
            let limit = record.phases.map(\.end).max() ?? 0
            // The drain, a second, and what the machine itself held the loop up by, which the run has measured.
            #expect(record.duration <= limit + 21_000_000_000 + 2 * record.generator.longestStall, "ended late")
            let counts = record.accounting
            let sent = counts.attempts - counts.retries
            #expect(
                counts.planned == counts.delivered + counts.rejected + counts.failed + counts.skipped
                    + counts.unanswered
            )
            let hosts = mocks.flatMap(\.audit.hosts).filter { $0.host != "oauth" }.map(\.counts)
            let distinct = Int(hosts.reduce(0) { $0 + $1.distinct })
            // What the hosts accepted was delivered, or its answer was lost on the way to us.
            let lost = counts.failed + counts.unanswered
            #expect(
                counts.delivered <= distinct && distinct <= counts.delivered + lost && distinct <= sent,
                "accepted \(distinct) of \(counts)"
            )
            #expect(hosts.reduce(0) { $0 + $1.duplicates } == 0, "sent again what had been delivered")
            let again = hosts.reduce(0) { $0 + $1.duplicatesUnawares + $1.processedSentAgain }
            #expect(again == 0, "sent again what may have been delivered")
            #expect(hosts.reduce(0) { $0 + Int($1.pushes) } <= counts.attempts)
            // One that two connections in a row refused is over.
            let refused = try result.outcomes.rows.filter { $0["reason"] == "stream refused" }
                .reduce(0) { $0 + (try $1.count("count")) }
            if row.deliversAll {
                #expect(counts.delivered + refused == counts.planned, "\(result.outcomes.rows)")
            }
            #expect(row.retries ? counts.retries > 0 : true)
        }
    }
}

extension Workbench {
    /// Like ``result(_:_:code:sourceLocation:)``, while a mock's own temporary files are there.
    fileprivate func resultWhileMockRuns(_ profile: String, _ arguments: [String]) throws -> RunResult {
        let out = "result-\(UUID().uuidString.prefix(8))"
        let outcome = try start(["run", profile, "--quiet", "--out", out] + Self.patience + arguments).wait()
        try #require(outcome.code == 0, "\(outcome)")
        return try RunResult(folder: folder.path(out), outcome: outcome)
    }
}

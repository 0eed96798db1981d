import Foundation
import Hosts
import LoadPlan
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
    /// What is different from the profile, as `--set` takes it.
    var changes: [String]
    /// What the one line says with which the run does not begin at all.
    var refusal: String?

    init(
        _ faults: String...,
        deliversAll: Bool = true,
        retries: Bool = false,
        timeout: String = "15s",
        changes: [String] = [],
        refusal: String? = nil
    ) {
        self.faults = faults
        self.deliversAll = deliversAll
        self.retries = retries
        self.timeout = timeout
        self.changes = changes
        self.refusal = refusal
    }

    /// The names of its faults.
    var knobs: [String] { faults.map { String($0.prefix { $0 != "," && $0 != "=" }) } }
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
            FaultRow("goaway,after=60,last=-8,lane=apns-production", retries: true),
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
            FaultRow("cut-streams", "answer=InternalServerError,share=10%,lane=apns-production", deliversAll: false),
            FaultRow(
                "cut-streams=2",
                "excess-streams=goaway",
                "answer=InternalServerError,share=10%,lane=apns-production",
                deliversAll: false
            ),
            FaultRow("excess-streams=ignore", "first-streams=1,lane=apns-production"),
            FaultRow(
                "error-ratio=20%,window=20",
                "answer=InternalServerError,share=40%,lane=apns-production",
                deliversAll: false
            ),
            FaultRow(
                "retry-after=1s",
                "answer=TooManyRequests,share=5%,lane=apns-production",
                "answer=UNAVAILABLE,share=5%,lane=fcm",
                deliversAll: false
            ),
            FaultRow("pings=1,within=10s"),
            FaultRow("service-time=5ms~80ms", "service-time=300ms,lane=oauth"),
            FaultRow("answer=temporarily_unavailable,lane=oauth", refusal: "status 503: temporarily_unavailable"),
            FaultRow(
                "answer=temporarily_unavailable,lane=oauth,after=1",
                "access-token-life=2s",
                deliversAll: false,
                changes: ["load.phases[0].duration=3s"]
            ),
            FaultRow("window=1000,connection=65535,updates=each"),
            FaultRow("window=65535,connection=65535,updates=never", deliversAll: false, timeout: "400ms"),
            FaultRow("quota=100,per=1s", "error-details=first,no-quota-failure", deliversAll: false),
            FaultRow("device-limit=1", deliversAll: false, changes: ["fleet.size=100"]),
            FaultRow("topic-limit=1"),
            FaultRow("no-third-party-credential"),
            FaultRow("idle-timeout=100ms", deliversAll: false),
            FaultRow("expired-tokens=50%", deliversAll: false, changes: ["fleet.defects={\"unregistered\":0.1}"]),
            FaultRow("key-spelling=documented"),
            FaultRow("freeze,from=800ms,until=1600ms"),
            FaultRow("certificate=expired,lane=fcm", refusal: "rejected: certificate has expired"),
            FaultRow("certificate=other-name,lane=apns-production", refusal: "rejected: IP address mismatch"),
            FaultRow("revoke-tokens,from=1s", deliversAll: false),
            FaultRow("clock-skew=60"),
            FaultRow("token-clock=1200", "access-token-life=2s", deliversAll: false),
        ]

        @Test("Every fault that the mock hosts know has a row") func noFaultIsLeftOut() {
            #expect(Set(Self.rows.flatMap(\.knobs)) == Set(FaultKnob.allCases.map(\.rawValue)))
        }

        @Test(arguments: rows) func aRunEndsInOrder(row: FaultRow) throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "faults.json")
            let mock = try RunningMock(
                in: bench,
                ["faults.json", "--quiet"] + row.faults.flatMap { ["--fault", $0] }
            )
            try mock.writeAnnouncement(to: "mock.json", in: bench)
            let (out, outcome) = try bench.runWhileMockRuns(
                "faults.json",
                ["--hosts", "mock.json"]
                    + ["apns-production", "fcm"].flatMap { ["--set", "lanes.\($0).timeouts.push=\(row.timeout)"] }
                    + row.changes.flatMap { ["--set", $0] }
            )
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(mock.end().utf8))
            if let refusal = row.refusal {
                #expect(
                    outcome.code == 1 && outcome.errorLines.count == 1 && outcome.errors.contains(refusal),
                    "\(outcome)"
                )
            } else {
                try #require(outcome.code == 0, "\(outcome)")
                try Self.check(RunResult(folder: bench.folder.path(out), outcome: outcome), [summary], row)
            }
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
    /// Runs a profile into a folder while a mock's own temporary files are there.
    fileprivate func runWhileMockRuns(
        _ profile: String,
        _ arguments: [String]
    ) throws -> (folder: String, outcome: Program.Outcome) {
        let out = "result-\(UUID().uuidString.prefix(8))"
        return (out, try start(["run", profile, "--quiet", "--out", out] + Self.patience + arguments).wait())
    }
}

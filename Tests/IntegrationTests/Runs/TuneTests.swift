import Foundation
import TestSupport
import Testing

/// Tuning with real trials against mock hosts: that all of it works together; how well it finds knees is told by pure tests.
@Suite("Tuning by real trials")
struct TuneTests {
    private static let profile = """
        { name: "tuned", workers: 1, fleet: { mix: { "apns-production": 1 } }, mock: { serviceTime: "100ms" },
          verdict: { lagP99: "1h", stall: "1h", sentShare: 0, workerCPU: 1, clockStep: "1h" } }
        """

    private static let patience = """
        load: { phases: [{ duration: "1s", rate: "1/s" }], backlog: "1h", drain: "1h" },
        lanes: { fcm: { timeouts: { connect: "10m", handshake: "10m", push: "10m" } } },
        """

    @Test("A sweep leaves its trials, a page and settings to paste")
    func sweep() throws {
        let bench = try Workbench()
        try bench.folder.write(Self.profile, to: "tuned.json")
        let words = [
            "tune", "tuned.json", "--sweep", "connections=1,2", "--sweep", "streams=5,10", "--within", "1m", "--trial",
            "300ms",
            "--warm-up", "100ms", "--out", "out",
        ]
        let outcome = try bench.run(words)
        try #require(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("paste into a profile") && outcome.output.contains("setConcurrentConnections("))
        let table = try CSVTable(String(contentsOfFile: bench.folder.path("out/tune.csv"), encoding: .utf8))
        #expect(table.rows.count >= 4 && table.rows.allSatisfy { $0["verdict"] == "VALID" })
        let page = try String(contentsOfFile: bench.folder.path("out/report.html"), encoding: .utf8)
        #expect(page.contains("id=\"pools\"") && page.contains("id=\"load\"") && page.contains("knee"))
        // What was recommended is a profile that runs.
        let recommended = bench.folder.path("out/recommended.json")
        #expect(
            try bench.run(["plan", recommended, "--set", "fleet.mix={'apns-production': 1}", "--devices", "10"]).code
                == 0
        )
    }

    @Test("--max-rate ends with a rate, and a row for each trial")
    func highestRate() throws {
        let bench = try Workbench()
        try bench.folder.write(
            // However long the machine stands still, nothing is skipped, given up or refused for it: what fails, the quota
            // refused.
            Self.profile.replacing("{ \"apns-production\": 1 }", "{ fcm: 1 }")
                .replacing("\"100ms\"", "\"1ms\", faults: ['quota=100,per=24h']")
                .replacing("verdict:", Self.patience + " verdict:"),
            to: "limited.json"
        )
        let words = [
            "tune", "limited.json", "--max-rate", "--start", "100/s", "--most", "400/s", "--trial", "1s", "--warm-up",
            "1ms",
        ]
        let outcome = try bench.run(words + ["--out", "out", "--json", "--quiet"])
        try #require(outcome.code == 0, "\(outcome)")
        // A hundred pushes a trial are all that the quota allows, whatever the machine: 101 are 1% too many.
        let result = try JSONDecoder().decode(Found.self, from: Data(outcome.output.utf8))
        #expect((97...101).contains(result.highestRate.perSecond), "\(outcome.output)")
        let table = try CSVTable(String(contentsOfFile: bench.folder.path("out/tune.csv"), encoding: .utf8))
        // Every trial says so by itself: all was answered, and above the quota that share refused which is above it.
        for row in table.rows {
            let (planned, refused) = (Double(row["planned_per_s"]) ?? 0, Double(row["refused_share"]) ?? 1)
            #expect(row["verdict"] == "VALID" && Double(row["answered_share"]) == 1, "\(row)")
            #expect(abs(refused - max(0, 1 - 100 / planned)) < 0.02, "\(row)")
        }
        #expect(table.rows.count == result.highestRate.trials && table.rows.contains { $0["holds"] == "no" })
    }

    private struct Found: Decodable {
        struct Rate: Decodable {
            let perSecond: Int
            let trials: Int
        }
        let highestRate: Rate
    }
}

extension String {
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        components(separatedBy: part).joined(separator: other)
    }
}

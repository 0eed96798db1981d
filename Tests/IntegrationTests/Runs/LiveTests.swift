import Foundation
import TestSupport
import Testing
import Transport

extension Processes {
    @Suite("Numbers before a run's end") struct LiveTests {
        private static let profile = """
            { name: "live", seed: 7, fleet: { size: 1000, mix: { "apns-production": 0.5, fcm: 0.5 },
                defects: { unregistered: 0.1 } },
              load: { phases: [{ name: "warm-up", duration: "500ms", rate: "100/s", warmUp: true },
                { name: "steady", duration: "30m", rate: "200/s" }] },
              mock: { serviceTime: { constant: "5ms" } } }
            """

        /// The run would last half an hour: that it ends shows that the threshold ended it.
        @Test(arguments: [1, 2]) func aBrokenThresholdEndsTheRun(workers: Int) throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "live.json")
            let threshold = #"thresholds["all.response"]=[{"condition":"max < 1us","abort":true,"grace":"1s"}]"#
            let result = try bench.result(
                "live.json",
                ["--workers", "\(workers)", "--set", threshold, "--live-csv", "rows.csv"],
                code: 2
            )
            try result.checkAccounting()
            #expect(result.record.interrupted)
            #expect(result.outcome.output.contains("by the threshold all.response: max < 1us"))
            // Rows come out as seconds end, the last one with the run's end, and are those of the result.
            let rows = try Data(bench.folder.read("rows.csv").utf8)
            #expect(rows == result.files["timeline.csv"])
        }

        @Test func metricsAreServedWhileItRuns() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "live.json")
            let port = try Listener().address.port
            let words =
                ["run", "live.json", "--quiet", "--out", "r", "--metrics", "127.0.0.1:\(port)"] + Workbench.patience
            let run = try bench.start(words)
            var text = ""
            // Until the second second of load shows; the run has half an hour for it, and the test a minute.
            for _ in 0..<3_000 where !text.contains("phase=\"steady\",le=\"+Inf\"} 1") {
                let url = "http://127.0.0.1:\(port)/metrics"
                let arguments = [
                    "--silent", "--max-time", "5", "--retry", "100", "--retry-connrefused", "--retry-delay", "1",
                ]
                let visit = try Program.run("/usr/bin/curl", arguments + [url])
                #expect(visit.code == 0, "\(visit)")
                text = visit.output
            }
            let missing = try Program.run("/usr/bin/curl", ["--silent", "--fail", "http://127.0.0.1:\(port)/else"])
            run.send(SIGINT)
            #expect(try run.wait().code == 130)
            #expect(
                missing.code == 22
                    && text.contains("pushbench_outcomes_total{lane=\"fcm\",phase=\"steady\",status=\"404\"")
            )
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else { return }
            let check = try Program.run("/usr/bin/promtool", ["check", "metrics"], input: Data(text.utf8))
            #expect(check.code == 0 && check.errors == "", "\(check)")
        }

        @Test func whatCannotBeShownIsSaidBeforeTheRun() throws {
            let bench = try Workbench()
            try bench.folder.write(Self.profile, to: "live.json")
            let taken = try Listener()
            for (words, code, message) in [
                (["--metrics", "here"], 64, "allowed: an address and a port such as 127.0.0.1:9464"),
                (["--metrics", "127.0.0.1:\(taken.address.port)"], 1, "--metrics: "),
                (["--live-csv", "none/rows.csv"], 1, "none/rows.csv: No such file or directory"),
            ] as [([String], Int32, String)] {
                let outcome = try bench.run(["run", "live.json", "--quiet", "--out", "r"] + words)
                #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome)")
            }
        }
    }
}

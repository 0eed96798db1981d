import Fleet
import Foundation
import LoadPlan
import TestSupport
import Testing

extension Processes {
    @Suite("A run, from profile to files") struct RunTests {
        /// The mixed profile, run once with one worker; several tests look at it.
        private static let mixed = Result { try Workbench.mixed(["--workers", "1"]) }

        @Test func theSmokeProfilePasses() throws {
            let bench = try Workbench()
            let result = try bench.result("\(Workbench.profiles)/ci-smoke.json")
            #expect(result.outcome.output.contains("\nVALID   2,400 of 2,400 planned were sent"))
            #expect(result.outcome.errors == "")
            #expect(result.record.verdict.word == "VALID" && result.record.verdict.causes.isEmpty)
            #expect(!result.record.interrupted)
            try result.checkAccounting()
            #expect(try result.total("planned") == 2700 && result.total("attempts") == 2700)
        }

        @Test func withoutAPlaceForResultsTheyGoToOneNamedByTimeAndProfile() throws {
            let bench = try Workbench()
            let outcome = try bench.run(["run", "\(Workbench.profiles)/ci-smoke.json", "--json"] + Workbench.patience)
            #expect(outcome.code == 0, "\(outcome)")
            let folder = try #require(try bench.folder.contents().first { $0.hasPrefix("Results/") })
            #expect(folder.wholeMatch(of: /Results\/\d{4}-\d\d-\d\dT\d{6}Z-ci-smoke/) != nil)
            let files = RunResult.names.map { "\(folder)/\($0)" }
            #expect(try bench.folder.contents() == ["Results", folder] + files)
            // One line for programs, and nothing else: pipes work.
            #expect(outcome.output.hasSuffix("\n") && outcome.output.count { $0 == "\n" } == 1)
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let json = try decoder.decode(JSONLine.self, from: Data(outcome.output.utf8))
            let record = try RunResult(folder: bench.folder.path(folder), outcome: outcome).record
            #expect(json.result == folder && json.verdict.word == "VALID")
            #expect(json.planHash == record.planHash && json.sentHash == record.sentHash)
        }

        @Test func everyFileHasItsColumns() throws {
            let result = try Self.mixed.get()
            #expect(result.files.keys.sorted() == RunResult.names)
            #expect(result.summary.columns == Columns.summary)
            #expect(result.timeline.columns == Columns.timeline)
            #expect(result.latency.columns == Columns.latency)
            #expect(result.outcomes.columns == Columns.outcomes)
            #expect(result.connections.columns == Columns.connections)
            #expect(result.credentials.columns == Columns.credentials)
            let log = String(decoding: try #require(result.files["histograms.hlog"]), as: UTF8.self)
            #expect(log.contains("\n#[Histogram log format version 1.3]\n") && log.contains("\nTag=fcm.response,"))
        }

        @Test func everyPlannedPushHasOneEnd() throws {
            let result = try Self.mixed.get()
            try result.checkAccounting()
            #expect(try result.total("planned") == 100 + 800 + 500)
            #expect(try result.total("delivered") + result.total("rejected") == 1400)
        }

        /// Not only within sampling error: the seed says who is asked, and the token what must be answered.
        @Test func everyDefectIsAnsweredByItsReason() throws {
            let expected = try ExpectedEndings.of(Profile(json: TestProfile.mixed, file: "mixed.json"))
            #expect(try Self.mixed.get().differences(from: expected) == [])
            #expect(Set(expected.keys.filter { $0.phase == "steady" }.map(\.reason)).count == 7)
        }

        @Test func everyClockHasItsCounts() throws {
            let result = try Self.mixed.get()
            for lane in FleetLane.allCases {
                let row = try #require(result.summary.rows.first { $0["phase"] == "all" && $0["lane"] == lane.name })
                for clock in ["response", "service", "lag", "stream_wait"] {
                    let buckets = result.latency.rows.filter { $0["lane"] == lane.name && $0["clock"] == clock }
                    #expect(try buckets.reduce(0) { $0 + (try $1.count("count")) } == row.count("planned"))
                    #expect(buckets.last?["cumulative_share"] == "1.000000000")
                    let quantiles = try ["p50", "p90", "p99", "p999", "max"]
                        .map { try #require(Double(row["\(clock)_\($0)_us"])) }
                    #expect(quantiles == quantiles.sorted() && quantiles[0] > 0)
                }
            }
        }

        @Test func theTimelineAddsUpToTheSummary() throws {
            let result = try Self.mixed.get()
            for lane in FleetLane.allCases {
                let seconds = result.timeline.rows.filter { $0["lane"] == lane.name }
                let phases = result.summary.rows.filter { $0["lane"] == lane.name && $0["phase"] != "all" }
                for column in ["planned", "delivered", "rejected", "failed", "skipped"] {
                    let sums = try [seconds, phases].map { try $0.reduce(0) { $0 + (try $1.count(column)) } }
                    #expect(sums[0] == sums[1], "\(column) of \(lane.name)")
                }
            }
        }

        @Test func noSecretAndNoTokenIsInWhatARunLeaves() throws {
            let result = try Self.mixed.get()
            let files = result.files.values.map { String(decoding: $0, as: UTF8.self) }
            for text in files + [result.outcome.output, result.outcome.errors] {
                #expect(text.firstMatch(of: /eyJ[A-Za-z0-9_-]+\.eyJ/) == nil, "a JWT")
                #expect(!text.contains("Bearer ") && !text.contains("bearer ") && !text.contains("PRIVATE KEY"))
                #expect(!text.contains(":APA91b"), "an FCM token")
                #expect(text.firstMatch(of: /[0-9a-f]{64}/) == nil, "an APNs token")
            }
        }

        @Test func reportMakesEveryFileAgain() throws {
            let bench = try Workbench()
            let result = try Self.mixed.get()
            let record = String(decoding: try #require(result.files["run.json"]), as: UTF8.self)
            try bench.folder.write(record, to: "copy.json")
            let outcome = try bench.run(["report", "copy.json", "--out", "again"])
            #expect(outcome.code == 0 && outcome.errors == "")
            #expect(
                try bench.folder.contents().filter { $0 != "copy.json" } == ["again"]
                    + RunResult.names.map { "again/\($0)" }
            )
            for (name, bytes) in result.files {
                let again = try Data(contentsOf: URL(filePath: bench.folder.path("again/\(name)")))
                #expect(again == bytes, "\(name)")
            }
            #expect(outcome.output.contains("\nagain   report.html"))
            #expect(
                outcome.output.split(separator: "\n").dropLast()
                    == result.outcome.output.split(separator: "\n").dropLast()
            )
        }

        @Test func theSeedAloneDecidesWhatIsSent() throws {
            let one = try Self.mixed.get()
            #expect(one.record.planHash == one.record.sentHash && one.record.generator.workers == 1)
            for workers in ["1", "2", "4"] {
                let other = try Workbench.mixed(["--workers", workers])
                #expect(other.record.planHash == one.record.planHash, "\(workers) workers")
                #expect(other.record.sentHash == one.record.sentHash, "\(workers) workers")
                #expect(other.record.generator.workers == Int(workers))
                #expect(try other.differences(from: one.endings()) == [], "\(workers) workers")
            }
            let stranger = try Workbench.mixed(["--workers", "2", "--set", "seed=8"])
            #expect(stranger.record.planHash != one.record.planHash && stranger.record.seed == 8)
            #expect(stranger.record.planHash == stranger.record.sentHash)
            let profile = try Profile(json: TestProfile.mixed, file: "mixed.json", overrides: ["seed=8"])
            #expect(try stranger.differences(from: ExpectedEndings.of(profile)) == [])
        }

        private struct JSONLine: Decodable {
            let result: String
            let verdict: RunResult.Record.Verdict
            let planHash: String
            let sentHash: String
        }
    }
}

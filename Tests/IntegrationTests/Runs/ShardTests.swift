import Foundation
import Hosts
import MockHosts
import TestSupport
import Testing

extension Processes {
    @Suite("A run in shards") struct ShardTests {
        /// Enough connections and batches in flight for seven shards.
        private static let wide =
            ["apns-production", "apns-sandbox", "fcm"].flatMap { ["--set", "lanes.\($0).connections=7"] }
            + Workbench.patience

        private static let whole = Result { try Workbench.mixed(wide) }

        @Test("One after another, their union is the whole run", arguments: [1, 2, 3, 4, 7])
        func union(count: Int) throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            // One for all of them: the hosts see one fleet of senders.
            let mock = try RunningMock(in: bench, ["mixed.json"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            for number in 1...count {
                let part = ["--hosts", "hosts.json", "--shard", "\(number)/\(count)"]
                let arguments = part + ["--workers", "\(1 + number % 2)"]
                let words = ["run", "mixed.json", "--quiet", "--out", "shards/\(number)"] + Self.wide + arguments
                #expect(try bench.start(words).wait().code == 0)
            }
            _ = try mock.end()
            let shards = (1...count).map { "shards/\($0)" }
            let outcome = try bench.run(["merge", "--out", "merged", "--max-skew", "1h"] + shards)
            #expect(outcome.code == 0, "\(outcome)")
            let merged = try RunResult(folder: bench.folder.path("merged"), outcome: outcome)
            let whole = try Self.whole.get()
            #expect(merged.record.planHash == whole.record.planHash)
            #expect(merged.record.sentHash == whole.record.sentHash)
            // The hosts answer a device as they always do, so the mix of answers is the same too.
            #expect(merged.files["outcomes.csv"] == whole.files["outcomes.csv"])
            try merged.checkAccounting()
            #expect(Set(merged.connections.rows.map { $0["shard"] }) == Set((1...count).map(String.init)))
            #expect(merged.connections.rows.count == 21)
        }

        @Test(
            "Shards of one key that agree on a start use one token, unless told to sign their own",
            arguments: ["shared", "own"]
        )
        func tokens(choice: String) throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let mock = try RunningMock(in: bench, ["mixed.json"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            let lanes = ["apns-production", "apns-sandbox"]
            let tokens = lanes.flatMap { ["--set", "lanes.\($0).credential={tokens: '\(choice)'}"] }
            // A start that is over already: each begins at once, but all know it.
            let start = Date(timeIntervalSinceNow: -1).formatted(.iso8601)
            for number in 1...3 {
                let part = ["--hosts", "hosts.json", "--shard", "\(number)/3", "--start-at", start]
                let words = ["run", "mixed.json", "--quiet", "--out", "shards/\(number)"] + Self.wide + tokens + part
                #expect(try bench.start(words).wait().code == 0)
            }
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8))
            for host in summary.audit.hosts where lanes.contains(host.host) {
                #expect(host.counts.differentProviderTokens == (choice == "shared" ? 1 : 3), "\(host.host)")
                #expect(host.counts.newTokensTooSoon == 0)
            }
            #expect(summary.audit.hosts.count { lanes.contains($0.host) } == 2)
        }

        @Test("At a gate they begin together, once in each folder")
        func gate() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            func start(_ number: Int) throws -> Program {
                try bench.start(
                    ["run", "mixed.json", "--quiet", "--out", "shards/\(number)", "--shard", "\(number)/3"]
                        + ["--start-gate", "gate", "--start-limit", "10m"] + Self.wide
                )
            }
            for program in try (1...3).map(start) { #expect(try program.wait().code == 0) }
            let merged = try bench.run(["merge", "shards/1", "shards/2", "shards/3", "--max-skew", "1h", "--json"])
            #expect(merged.code == 0, "\(merged)")
            #expect(merged.output.contains(#""missing":[],"start_skew_us":"#))
            let again = try start(2).wait()
            #expect(again.code == 1)
            #expect(again.errors == "pushbench: gate/shard-2-of-3: is there already; use a fresh folder for each run\n")
        }

        @Test("Ctrl-C ends the wait at a gate, and the shard is not counted on any more")
        func interruptedAtTheGate() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let run = try bench.start(
                ["run", "mixed.json", "--quiet", "--out", "shard", "--shard", "1/2", "--start-gate", "gate"] + Self.wide
            )
            while !FileManager.default.fileExists(atPath: bench.folder.path("gate/shard-1-of-2")) { sched_yield() }
            run.send(SIGINT)
            #expect(try run.wait().code == 130)
            #expect(try bench.folder.contents().filter { $0.hasPrefix("gate/") } == [])
        }

        @Test("A lane that has not enough for every shard is refused")
        func tooManyShards() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let outcome = try bench.run(["run", "mixed.json", "--shard", "1/3", "--quiet", "--out", "x"])
            #expect(outcome.code == 1)
            #expect(
                outcome.errors
                    == "pushbench: profile: lanes.apns-production.connections: is 2, fewer than the 3 shards, each of "
                    + "which needs one of its own\n"
            )
        }

        @Test("The results of a whole run can't be merged")
        func wholeRun() throws {
            let bench = try Workbench()
            let result = try Self.whole.get()
            try bench.folder.write(String(decoding: #require(result.files["run.json"]), as: UTF8.self), to: "run.json")
            let outcome = try bench.run(["merge", "run.json"])
            #expect(outcome.code == 1)
            #expect(
                outcome.errors
                    == "pushbench: run.json: shards: is missing: only the records of shards can be merged\n"
            )
        }
    }
}

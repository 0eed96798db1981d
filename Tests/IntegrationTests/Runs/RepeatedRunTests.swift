import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// `run --repeat` and `--against`: many runs of one command, each a process of its own.
    @Suite("Repeated runs") struct RepeatedRunTests {
        /// Two short runs a side of this build against itself; what `compare` made of them, as JSON.
        private static func compared(_ more: [String]) throws -> (bench: Workbench, comparison: String) {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            // Long enough for two that start at once to share half of their time, however busy the machine is.
            let words = [
                "run", "mixed.json", "--against", Workbench.pushbench, "--repeat", "2", "--out", "pair", "--set",
                "load.phases[1].duration=4s", "--set", "load.phases[1].rate=400/s",
            ]
            let outcome = try bench.run(words + ["--json", "--quiet"] + Workbench.patience + more)
            // Two runs a side can't tell of times, but of bytes; a few may differ with the size of TLS records.
            try #require([.exited(0), .exited(2)].contains(outcome.ending), "\(outcome)")
            return (bench, outcome.output)
        }

        @Test func atOnceTheyAreComparedInPairs() throws {
            let (bench, comparison) = try Self.compared(["--at-once"])
            #expect(comparison.hasPrefix(#"{"a":"pair/a","b":"pair/b","runs_a":2,"runs_b":2,"pairs":2,"worse":"#))
            let records = try bench.folder.contents().filter { $0.hasSuffix("/run.json") }
            #expect(records == ["a/01", "a/02", "b/01", "b/02"].map { "pair/\($0)/run.json" })
            let again = try bench.run(["compare", "pair/b", "pair/a", "--markdown"])
            #expect(
                again.output.contains("A: pair/b (2 runs) · B: pair/a (2 runs) · made at once, compared within 2 pairs")
            )
        }

        @Test func inTurnTheyAreNot() throws {
            let (_, comparison) = try Self.compared([])
            #expect(comparison.hasPrefix(#"{"a":"pair/a","b":"pair/b","runs_a":2,"runs_b":2,"worse":"#))
        }

        @Test func aBuildThatFailsEndsTheOther() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.endless, to: "endless.json")
            let words = ["run", "endless.json", "--against", "/bin/false", "--at-once", "--out", "pair"]
            let outcome = try bench.run(words)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors.contains("pushbench: /bin/false: the run for pair/a/01 could not be done\n"))
        }

        @Test func interruptedAllOfThemEnd() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.endless, to: "endless.json")
            let words = ["run", "endless.json", "--against", Workbench.pushbench, "--at-once", "--out", "pair"]
            let run = try bench.start(words)
            try run.waitForErrors { $0.contains("1 of 11: pair/a/01, pair/b/01\n") }
            run.send(SIGINT)
            #expect(try run.wait().ending == .exited(130))
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func atOnceNeedsAnother() throws {
            let outcome = try Workbench().run(["run", "--at-once", "--repeat", "2", "--out", "pair"])
            #expect(outcome.ending == .exited(64) && outcome.errors.contains("--at-once goes with --against"))
        }
    }
}

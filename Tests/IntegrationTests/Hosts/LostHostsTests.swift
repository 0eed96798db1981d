import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// Hosts that go away in the middle of a run.
    @Suite("Lost hosts") struct LostHostsTests {
        /// A row of the live view: what a lane has planned, sent and had answered a second.
        private static var answers: Regex<(Substring, Substring)> {
            /(apns-[a-z]+|fcm) +[1-9][0-9,]* +[1-9][0-9,]* +[1-9]/
        }

        /// The hosts are the run's own child.
        @Test func theRunGoesOnToItsEndAndNamesWhatFailed() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.endless.replacing("30m", with: "3s"), to: "short.json")
            let run = try bench.start(
                ["run", "short.json", "--out", "result", "--set", "load.drain=500ms"] + Workbench.patience,
                onTerminal: true
            )
            try run.waitForErrors { $0.contains(Self.answers) }
            let mock = try #require(run.children.first)
            #expect(FileManager.default.fileExists(atPath: "/proc/\(mock)/fd/3"), "the mock does not hold the leash")
            kill(mock, SIGKILL)
            let outcome = try run.wait()
            #expect(outcome.errors.contains("the mock hosts ended before the run did"))
            // Whether the hosts left room for what was planned is for the verdict to say.
            #expect(outcome.code == 0 || outcome.code == 3)
            let result = try RunResult(folder: bench.folder.path("result"), outcome: outcome)
            #expect(!result.record.interrupted)
            try result.checkAccounting()
            #expect(try result.total("planned") == 600)
            try Self.checkLoss(in: result)
        }

        /// Hosts that stand still answer nothing, not even the wish that they end.
        @Test func hostsThatHangAreEndedByForce() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.endless.replacing("30m", with: "3s"), to: "short.json")
            let run = try bench.start(
                ["run", "short.json", "--out", "result", "--set", "load.drain=100ms"] + Workbench.patience,
                onTerminal: true
            )
            try run.waitForErrors { $0.contains(Self.answers) }
            kill(try #require(run.children.first), SIGSTOP)
            // Waits for the hosts, too: a process that is stopped can still be killed.
            let outcome = try run.wait()
            #expect(outcome.code == 0 || outcome.code == 3)
            let result = try RunResult(folder: bench.folder.path("result"), outcome: outcome)
            try result.checkAccounting()
            #expect(try result.total("planned") == 600)
            #expect(try result.total("unanswered") > 0)
            let unanswered = result.outcomes.rows.filter { $0["disposition"] == "unanswered" }
            #expect(Set(unanswered.map { $0["lane"] }) == ["apns-production", "fcm"])
        }

        /// Connections are made again, and only what was in flight or waited too long is lost.
        @Test func aHostThatComesBackIsUsedAgain() throws {
            let bench = try Workbench()
            let first = try RunningMock(in: bench, ["--state", "state", "--service-time", "50ms"])
            try first.writeAnnouncement(to: "hosts.json", in: bench)
            try bench.folder.write(TestProfile.endless, to: "endless.json")
            let run = try bench.start(
                ["run", "endless.json", "--hosts", "hosts.json", "--out", "result"] + Workbench.patience,
                onTerminal: false
            )
            try run.waitForErrors { Self.answered($0) > 0 }
            _ = try first.end()
            try run.waitForErrors { $0.contains(/failed [1-9]/) }
            let before = Self.answered(run.errorsSoFar)
            let ports = try first.announcement.hosts.map { host, url in
                let port = try #require(url.split(separator: ":").last?.prefix { $0.isNumber })
                return "--port=\(host)=\(port)"
            }
            let second = try RunningMock(in: bench, ["--state", "state", "--service-time", "50ms"] + ports)
            // What was in flight at the end of the first is counted by now, so more answers are the second's.
            try run.waitForErrors { Self.answered($0) > before + 100 }
            run.send(SIGINT)
            let outcome = try run.wait()
            #expect(outcome.ending == .exited(130))
            let result = try RunResult(folder: bench.folder.path("result"), outcome: outcome)
            try result.checkAccounting()
            try Self.checkLoss(in: result)
            let lives = result.connections.rows.filter { $0["closed_by"] == "run end" && $0["streams"] != "0" }
            #expect(Set(lives.map { $0["lane"] }) == ["apns-production", "fcm"])
            _ = try second.end()
        }

        private static func checkLoss(in result: RunResult) throws {
            #expect(try result.total("delivered") > 0 && result.total("failed") > 0)
            let failures = result.outcomes.rows.filter { $0["disposition"] == "failed" }
            #expect(failures.contains { $0["reason"] == "connection lost" })
            #expect(result.outcomes.rows.allSatisfy { $0["status"] == "200" || !$0["reason"].isEmpty })
            let lost = result.connections.rows.filter { $0["closed_by"] != "run end" }
            #expect(Set(lost.map { $0["lane"] }) == ["apns-production", "fcm"])
        }

        /// The last number of answers on the live line.
        private static func answered(_ terminal: String) -> Int {
            let match = terminal.matches(of: /answered ([0-9,]+)/).last
            return match.flatMap { Int($0.1.replacing(",", with: "")) } ?? 0
        }
    }
}

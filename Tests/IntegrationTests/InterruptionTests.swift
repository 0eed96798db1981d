import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// Runs that end before their time, by the user or by force.
    @Suite("Interruptions") struct InterruptionTests {
        /// Starts an endless run and waits until pushes are on their way.
        private static func start(in bench: Workbench, _ more: [String] = []) throws -> Program {
            try bench.folder.write(TestProfile.endless, to: "endless.json")
            let run = try bench.start(
                ["run", "endless.json", "--out", "result"] + Workbench.patience + more,
                onTerminal: true
            )
            // The live view: a lane that plans and sends.
            try run.waitForErrors { $0.contains(/(apns-[a-z]+|fcm) +[1-9][0-9,]* +[1-9]/) }
            return run
        }

        @Test(arguments: [SIGINT, SIGTERM]) func onceWritesTheResults(signal: Int32) throws {
            let bench = try Workbench()
            let run = try Self.start(in: bench)
            if signal == SIGINT { try run.pressControlC() } else { run.send(signal) }
            let outcome = try run.wait()
            #expect(outcome.ending == .exited(130))
            let result = try RunResult(folder: bench.folder.path("result"), outcome: outcome)
            #expect(result.record.interrupted)
            #expect(outcome.output.contains("interrupted after"))
            #expect(result.files.keys.sorted() == RunResult.names)
            try result.checkAccounting()
            // Fast hosts: what was sent was answered within the drain.
            #expect(try result.total("delivered") > 0 && result.total("planned") < 200 * 60 * 30)
            #expect(try bench.folder.contents().filter { !$0.hasPrefix("result/") } == ["endless.json", "result"])
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func twiceEndsAtOnce() throws {
            let bench = try Workbench()
            // Nothing is answered, so the first one leads to a wait.
            let run = try Self.start(in: bench, ["--set", "mock.serviceTime=30m"])
            try run.pressControlC()
            try run.waitForErrors { $0.contains("Ctrl-C again") }
            try run.pressControlC()
            let outcome = try run.wait()
            #expect(outcome.ending == .exited(130))
            try Self.expectAllOrNothing(in: bench)
            #expect(try bench.temporaries.contents() == [])
        }

        /// Both signals are there before the run can look at the first.
        @Test func twoSignalsTogetherLeaveNothing() throws {
            let bench = try Workbench()
            let run = try Self.start(in: bench)
            for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { run.send(signal) }
            let outcome = try run.wait()
            #expect(outcome.ending == .exited(130) && outcome.output == "")
            #expect(try bench.folder.contents() == ["endless.json"])
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func killedItTakesItsHostsAlong() throws {
            let bench = try Workbench()
            let run = try Self.start(in: bench)
            #expect(run.children.count == 1)
            run.send(SIGKILL)
            // Waits for all processes that it started.
            #expect(try run.wait().ending == .killed(signal: SIGKILL))
            #expect(try bench.folder.contents() == ["endless.json"])
            #expect(try bench.temporaries.contents() == [])
        }

        /// A lane's host, or the token endpoint, that says nothing.
        @Test(arguments: ["fcm", "oauth"]) func beforeTheLoadThereAreResultsWithoutPushes(silent: String) throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.endless, to: "endless.json")
            let host = try StubbornHost(.staysSilent)
            let mock = try RunningMock(in: bench)
            let account = try String(contentsOfFile: mock.announcement.fcm.serviceAccount, encoding: .utf8)
            let url = try mock.url(silent)
            try #require(account.contains(url) == (silent == "oauth"))
            try bench.folder.write(account.replacing(url, with: host.url), to: "account.json")
            try mock.writeAnnouncement(to: "hosts.json", in: bench) {
                $0.hosts[silent] = host.url
                $0.fcm.serviceAccount = "account.json"
            }
            let patience = ["lanes.fcm.timeouts.handshake=1h", "load.drain=1h"].flatMap { ["--set", $0] }
            let run = try bench.start(
                ["run", "endless.json", "--hosts", "hosts.json", "--out", "result"] + patience,
                onTerminal: true
            )
            try run.waitForErrors { $0.contains("connecting") }
            try run.pressControlC()
            let outcome = try run.wait()
            #expect(outcome.ending == .exited(130))
            let result = try RunResult(folder: bench.folder.path("result"), outcome: outcome)
            #expect(try result.record.interrupted && result.total("planned") == 0)
            _ = try mock.end()
            #expect(try bench.temporaries.contents() == [])
        }

        /// A result is there whole or not at all.
        private static func expectAllOrNothing(in bench: Workbench) throws {
            let whole = ["endless.json", "result"] + RunResult.names.map { "result/\($0)" }
            let contents = try bench.folder.contents()
            #expect(contents == ["endless.json"] || contents == whole)
        }
    }
}

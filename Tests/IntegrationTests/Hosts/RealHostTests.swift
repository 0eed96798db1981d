import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// The path to real hosts, guards and all, led to the mock hosts by the lanes' `host`.
    @Suite("A run against real hosts") struct RealHostTests {
        private static let tokens = (1...20).map { String(format: "%064x", $0 * 7_919) }

        /// A mock, a fleet from a file and a profile that may go out to it.
        private func prepare(
            _ bench: Workbench,
            _ mock: RunningMock
        ) throws -> [String] {
            let rows = Self.tokens.enumerated()
                .map { "\($0),apns,production,\($1),com.example.app,none" }
            let header = "index,provider,environment,token,app,defect"
            try bench.folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "devices.csv")
            let credential = mock.announcement.apns
            try bench.folder.write(
                """
                {
                  name: "real", fleet: { csv: "devices.csv" },
                  load: { phases: [{ name: "ramp", duration: "60s", ramp: { from: "20/s", to: "200/s" } }] },
                  lanes: {
                    "apns-production": {
                      host: "\(try mock.url("apns-production"))",
                      credential: { key: "\(credential.key)", keyId: "\(credential.keyId)", teamId: "\(credential.teamId)" },
                    },
                  },
                }
                """,
                to: "real.json"
            )
            return ["run", "real.json", "--quiet", "--out", "out", "--hosts", "real"] + Workbench.patience
        }

        @Test func sendsToTheHostsThatTheProfileNames() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--state", "state"])
            let words = try prepare(bench, mock) + ["--send-to-real-devices"]
            let program = try bench.start(
                words.filter { $0 != "--quiet" },
                onTerminal: true,
                trusting: mock.announcement.ca
            )
            // The ramp takes a minute; the test has seen enough when the first pushes are on their way.
            try program.waitForErrors { $0.contains(/apns-production +[1-9][0-9,]* +[1-9]/) }
            try program.pressControlC()
            let outcome = try program.wait()
            _ = try mock.end()
            #expect(outcome.code == 130, "\(outcome)")
            let result = try RunResult(folder: bench.folder.path("out"), outcome: outcome)
            try result.checkAccounting()
            #expect(try result.total("delivered") > 0)
        }

        @Test func endsAtTheFirstFaultWithItsResults() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--state", "state"])
            let words = try prepare(bench, mock) + ["--send-to-real-devices"]
            let keyID = "lanes.apns-production.credential.keyId=NOBODYS123"
            let outcome = try bench.start(words + ["--set", keyID], trusting: mock.announcement.ca).wait()
            _ = try mock.end()
            #expect(outcome.code == 1, "\(outcome)")
            let fault = "a fault of apns-production (403 InvalidProviderToken)"
            #expect(outcome.errors == "pushbench: the run was ended by \(fault)\n")
            #expect(outcome.output.contains("by \(fault): these are the results until then"))
            let result = try RunResult(folder: bench.folder.path("out"), outcome: outcome)
            try result.checkAccounting()
            #expect(result.record.interrupted && result.record.faultyLane == "apns-production")
            // The ramp would have gone on for a minute.
            #expect(try result.total("rejected") > 0 && result.total("planned") < 6_000)
        }

        @Test func goesNowhereUnlessSaidTwice() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--state", "state"])
            let words = try prepare(bench, mock)
            let once = try bench.run(words)
            #expect(once.code == 64)
            #expect(
                once.errors.contains(
                    "--hosts real sends to real devices; if that is wanted, add --send-to-real-devices"
                )
            )
            let other = try bench.run(["run", "real.json", "--send-to-real-devices"])
            #expect(other.code == 64 && other.errors.contains("--send-to-real-devices goes with --hosts real only"))
            let broken = try bench.run(words + ["--send-to-real-devices", "--set", "load.phases[0].duration=30s"])
            #expect(broken.code == 1 && broken.errors.contains("load.phases[0] is no ramp of at least 60s"))
            _ = try mock.end()
        }

        @Test func refusesTokensThatAreMadeUp() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--state", "state"])
            let words = try prepare(bench, mock) + ["--send-to-real-devices"]
            let made = try bench.run([
                "fleet", "\(Workbench.profiles)/ci-smoke.json", "--count", "5", "--out", "made.csv", "--set",
                "fleet.mix={apns-production: 1}",
            ])
            try #require(made.code == 0, "\(made)")
            let outcome = try bench.run(words + ["--set", "fleet.csv=made.csv"])
            _ = try mock.end()
            #expect(outcome.code == 1, "\(outcome)")
            #expect(outcome.errors.contains("its token is made up by pushbench; real hosts need real ones"))
        }
    }
}

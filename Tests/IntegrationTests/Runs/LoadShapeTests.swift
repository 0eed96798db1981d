import Fleet
import Foundation
import LoadPlan
import TestSupport
import Testing

extension Processes {
    @Suite("Runs of other shapes") struct LoadShapeTests {
        /// A file that `pushbench fleet` wrote is the same fleet, so it is answered alike, in phases of whole rounds
        /// through the lanes; within a round a seeded fleet's devices are not asked in the order of their numbers.
        @Test func aFleetFromAFileIsTheSameFleet() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let export = try bench.run(["fleet", "mixed.json", "--out", "devices.csv"])
            #expect(export.code == 0 && export.errors == "", "\(export)")
            #expect(try CSVTable(bench.folder.read("devices.csv")).rows.count == 3000)
            let generated = try bench.result("mixed.json")
            let listed = try bench.result("mixed.json", ["--set", "fleet.csv=devices.csv"])
            #expect(try listed.differences(from: generated.endings()) == [])
            #expect(listed.record.planHash == listed.record.sentHash)
            try listed.checkAccounting()
        }

        /// A closed loop has no due times; it sends as many as it was told, never more at once than it was told.
        @Test(arguments: [1, 3]) func aClosedLoopKeepsSoManyInFlight(workers: Int) throws {
            let bench = try Workbench()
            let text = """
                { name: "closed", seed: 3,
                  fleet: { size: 500, mix: { "apns-production": 0.8, "apns-sandbox": 0.2 },
                    defects: { unregistered: 0.1, wrongTopic: 0.1, malformed: 0.1 } },
                  load: { phases: [{ name: "loop", duration: "30m", pushes: 700,
                    inFlight: { "apns-production": 20, "apns-sandbox": 3 } }] },
                  lanes: { "apns-production": { connections: 1 }, "apns-sandbox": { connections: 1 } },
                  mock: { serviceTime: { uniform: { from: "0ms", to: "5ms" } } } }
                """
            try bench.folder.write(text, to: "closed.json")
            let result = try bench.result("closed.json", ["--workers", "\(workers)"])
            try result.checkAccounting()
            let profile = try Profile(json: text, file: "closed.json")
            for (lane, inFlight) in [(FleetLane.apnsProduction, 20), (.apnsSandbox, 3)] {
                let row = try #require(result.summary.rows.first { $0["lane"] == lane.name })
                let expected = try ExpectedEndings.of(
                    profile,
                    lane: lane,
                    pushes: row.count("planned"),
                    phase: "loop"
                )
                #expect(try result.differences(from: expected, lanes: [lane.name]) == [])
                // One for each worker, so that what they had at most at a time adds up to no more than was allowed.
                let connections = result.connections.rows.filter { $0["lane"] == lane.name }
                #expect(try connections.reduce(0) { $0 + (try $1.count("peak_streams")) } <= inFlight)
                #expect(try connections.reduce(0) { $0 + (try $1.count("streams")) } == row.count("planned"))
            }
            #expect(result.record.planHash == result.record.sentHash)
        }

        /// The ceiling is measured first, by a run that leaves nothing else behind.
        @Test func theCeilingStandsInTheRecord() throws {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let result = try bench.result("mixed.json", ["--ceiling"])
            try result.checkAccounting()
            let ceiling = try #require(result.record.generator.ceiling)
            #expect(ceiling.pushes > 0 && ceiling.duration == 3_000_000_000)
            #expect(result.outcome.output.contains("of the ceiling, "))
            #expect(result.record.planHash == result.record.sentHash)
        }

        @Test(arguments: [1, 2]) func batchesAreCountedOnceEach(workers: Int) throws {
            let bench = try Workbench()
            let text = """
                { name: "batches", seed: 5,
                  fleet: { size: 2000, mix: { fcm: 1 }, defects: { unregistered: 0.1, otherSender: 0.1, malformed: 0.05 } },
                  load: { phases: [{ name: "a", duration: "300ms", rate: "1000/s", warmUp: true },
                                   { name: "b", duration: "700ms", rate: "1000/s" }], backlog: "1m", drain: "2m" },
                  lanes: { fcm: { connections: 2, batch: { size: 90, inFlight: 4 }, timeouts: { push: "2m" } } },
                  mock: { serviceTime: { uniform: { from: "0ms", to: "5ms" } } } }
                """
            try bench.folder.write(text, to: "batches.json")
            let result = try bench.result("batches.json", ["--workers", "\(workers)"])
            try result.checkAccounting()
            let expected = try ExpectedEndings.of(Profile(json: text, file: "batches.json"))
            #expect(try result.differences(from: expected) == [])
            // The 700 pushes after the warm-up make eight batches, the last of them smaller.
            let batches = result.latency.rows.filter { $0["clock"] == "batch" }
            #expect(try batches.reduce(0) { $0 + (try $1.count("count")) } == 8)
            #expect(result.outcome.output.contains("8 batches"))
            #expect(result.record.planHash == result.record.sentHash)
        }

        /// On hosts whose clock for tokens runs 400 times as fast, an hour's token is too old after nine seconds.
        @Test func tokensAreRenewedInTime() throws {
            let bench = try Workbench()
            let text = """
                { name: "renewal", fleet: { mix: { "apns-production": 0.5, fcm: 0.5 } },
                  load: { phases: [{ name: "a", duration: "8500ms", rate: "50/s" }], drain: "2m" },
                  mock: { tokenClockScale: 400, serviceTime: "1ms" } }
                """
            try bench.folder.write(text, to: "renewal.json")
            let result = try bench.result("renewal.json", ["--workers", "2"])
            try result.checkAccounting()
            #expect(try result.total("delivered") == 425 && result.total("planned") == 425)
            #expect(result.credentials.rows.map { $0["lane"] } == ["apns-production", "fcm"])
            for row in result.credentials.rows {
                let refreshed = try row.count("refreshed")
                #expect(try refreshed >= 1 && row.count("signed") == refreshed + 1, "\(row)")
                #expect(try #require(Double(row["oldest_used_s"])) < 9)
            }
        }

        /// What the host has not answered when the drain time is over is neither lost nor counted as anything else.
        @Test func whatIsNotAnsweredInTimeIsNamed() throws {
            let bench = try Workbench()
            let text = """
                { name: "slow", fleet: { mix: { "apns-production": 0.5, fcm: 0.5 } },
                  load: { phases: [{ name: "a", duration: "500ms", rate: "200/s" }], drain: "100ms" },
                  mock: { serviceTime: "30m" } }
                """
            try bench.folder.write(text, to: "slow.json")
            // Lateness of the generator is out of the question, so the verdict is about the answers: there is none on them.
            let result = try bench.result("slow.json")
            try result.checkAccounting()
            #expect(try result.total("planned") == 100 && result.total("delivered") == 0)
            #expect(try result.total("unanswered") + result.total("skipped") == 100)
            #expect(try result.total("unanswered") > 0)
        }
    }
}

import Foundation
import TestSupport
import Testing

/// What a plan says of a campaign, and what a run of the same file does.
///
/// Only counts are compared, and only those that no slow
/// machine can change: `scripts/plan-vs-run` compares times.
@Suite("A plan against a run")
struct PlanAgainstRunTests {
    private struct Planned: Decodable {
        struct Spread: Decodable {
            let p50: Int
            let least: Int
            let most: Int
        }
        struct Lane: Decodable {
            let name: String
            let delivered: Spread
            let rejected: Spread
            let refused: Spread
            let retried: Spread
            let attempts: Spread
        }
        struct Plan: Decodable {
            let pushes: Int
            let lanes: [Lane]
        }
        let plan: Plan
    }

    private func both(_ profile: String) throws -> (plan: Planned.Plan, run: RunResult) {
        let bench = try Workbench()
        try bench.folder.write(profile, to: "campaign.json")
        let outcome = try bench.run(["plan", "campaign.json", "--json"])
        try #require(outcome.code == 0, "\(outcome)")
        let plan = try JSONDecoder().decode(Planned.self, from: Data(outcome.output.utf8)).plan
        return (plan, try bench.result("campaign.json"))
    }

    private func refused(_ run: RunResult) throws -> Int {
        try run.outcomes.rows.filter { $0["status"] == "429" }.reduce(0) { $0 + (try $1.count("count")) }
    }

    private static func fcm(load: String, lane: String = "", faults: String, fleet: String = "") -> String {
        """
        { name: "campaign", seed: 5, workers: 1, fleet: { mix: { fcm: 1 }, \(fleet) },
          load: { backlog: "5m", drain: "2m", phases: [{ \(load) }] },
          lanes: { fcm: { connections: 2, timeouts: { push: "2m" }, \(lane) } },
          mock: { serviceTime: "2ms", faults: [\(faults)] } }
        """
    }

    @Test("Of a project's quota as much is delivered, and the rest refused, to the push")
    func quota() throws {
        let (plan, run) = try both(Self.fcm(load: "duration: '1s', rate: '600/s'", faults: "'quota=250,per=24h'"))
        let lane = try #require(plan.lanes.first)
        #expect(plan.pushes == 600 && lane.delivered.p50 == 250 && lane.refused.p50 == 350)
        #expect(try run.total("delivered") == 250 && refused(run) == 350)
    }

    @Test("Devices get what their limit allows, to the push")
    func perDevice() throws {
        let (plan, run) = try both(
            Self.fcm(
                load: "duration: '1s', rate: '500/s'",
                faults: "'device-limit=3,per=24h,lane=fcm'",
                fleet: "size: 50"
            )
        )
        let lane = try #require(plan.lanes.first)
        #expect(lane.delivered.p50 == 150 && lane.refused.p50 == 350)
        #expect(try run.total("delivered") == 150 && refused(run) == 350)
    }

    @Test("Tries again are as many as the plan's, within what it gives as their range")
    func retries() throws {
        let (plan, run) = try both(
            Self.fcm(
                load: "duration: '1s', rate: '1000/s'",
                lane: "retry: { attempts: 4, clockScale: 1000, backoff: { first: '1ms', longest: '2ms' } }",
                faults: "'answer=UNAVAILABLE,share=20%,lane=fcm'"
            )
        )
        let lane = try #require(plan.lanes.first)
        let attempts = try run.total("attempts")
        // The share strikes by chance: of 1,250 attempts one standard deviation is 18.
        let slack = 90
        #expect(
            (lane.attempts.least - slack...lane.attempts.most + slack).contains(attempts),
            "\(attempts) of \(lane.attempts)"
        )
        #expect(abs(lane.attempts.p50 - 1248) < 60)
        try run.checkAccounting()
    }
}

import LoadPlan
import Testing

@testable import Planner

@Suite("A plan's question turned round")
struct SolverTests {
    private func solve(_ goal: Solver.Goal, _ campaign: String, connections: Int = 10) throws -> UInt64 {
        let profile = try Campaigns.profile(campaign, connections: connections)
        return try #require(try Solver(goal, of: profile).solve()).value
    }

    @Test("10,000/s at 100 ms need ten connections")
    func connections() throws {
        #expect(try solve(.connections, "devices: 50000, rate: '10000/s', quotaPhase: '0s'", connections: 1) == 10)
    }

    @Test("The most devices in a time are what the pool carries in it")
    func devices() throws {
        // Ten connections of 100 streams, each answer 100 ms: 10,000 a second for 4.9 s.
        let devices = try solve(.devices, "deadline: '5s', quotaPhase: '0s'")
        #expect(devices > 48_000 && devices <= 50_000)
    }

    @Test("The highest rate without a refusal is that of the quota, once its windows have to be kept")
    func rate() throws {
        let rate = try solve(.rate, "devices: 20000, quota: { limit: 500, per: '1s' }, quotaPhase: '500ms'")
        #expect(abs(Double(rate) - 500) <= 10)
    }

    @Test("The least quota for a rate is the rate")
    func quota() throws {
        let limit = try solve(
            .quota,
            "devices: 20000, rate: '1000/s', quota: { limit: 1, per: '1s' }, quotaPhase: '500ms'"
        )
        #expect(abs(Double(limit) - 1000) <= 10)
    }

    @Test("The deadline that is kept is the worst of all finishes")
    func deadline() throws {
        let deadline = try solve(.deadline, "devices: 10000, rate: '1000/s'")
        #expect(abs(Int64(deadline) - (10 * second + second / 10)) < second / 100)
    }

    @Test(
        "A question without an answer is refused",
        arguments: [
            (.deadline, "devices: 10, deadline: '1s'"), (.devices, "devices: 10"), (.rate, "rate: '1/s'"),
            (.connections, "devices: 10"), (.quota, "devices: 10"),
        ] as [(Solver.Goal, String)]
    )
    func contradictions(goal: Solver.Goal, campaign: String) throws {
        let profile = try Campaigns.profile(campaign)
        #expect(throws: BrokenRule.self) { try Solver(goal, of: profile) }
    }

    @Test("A search finds the edge from any guess", arguments: [1, 7, 100, 5000, 1_000_000] as [UInt64])
    func search(guess: UInt64) {
        for edge in [1, 2, 99, 1234, 999_999] as [UInt64] {
            var greatest = MonotoneSearch(.greatest, from: guess, in: 1...1_000_000, tolerance: 0)
            var least = MonotoneSearch(.least, from: guess, in: 1...1_000_000, tolerance: 0)
            var asked = 0
            while let next = greatest.next, asked < 100 { (asked, _) = (asked + 1, greatest.answered(next <= edge)) }
            #expect(greatest.found == edge && asked < 60)
            asked = 0
            while let next = least.next, asked < 100 { (asked, _) = (asked + 1, least.answered(next >= edge)) }
            #expect(least.found == edge && asked < 60)
        }
    }

    @Test("A search that finds nothing ends")
    func nothing() {
        var search = MonotoneSearch(.greatest, from: 50, in: 10...100, tolerance: 0)
        while search.next != nil { search.answered(false) }
        #expect(search.found == nil)
    }
}

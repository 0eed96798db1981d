import LoadPlan
import Testing

@testable import Planner

@Suite("What a plan answers")
struct AnswerTests {
    @Test("8 million devices in 15 minutes: within the quota, ten connections at 100 ms")
    func eightMillion() throws {
        // A thousandth of it, whose quota is a thousandth too.
        let campaign = try Campaigns.fcm("devices: 8000, deadline: '15m', quota: { limit: 600 }", connections: 1)
        let answer = Planner.answer(campaign)
        #expect(answer.inTime == 1 && answer.finish.p99 <= 15 * minute && answer.pushes == 8000)
        let lane = answer.lanes[0]
        #expect(lane.refused.most == 0 && lane.connectionsNeeded == 1)
        #expect(lane.quota?.advice.increases == 0)
        #expect(abs((lane.quota?.peakShare ?? 0) - 8000.0 / 15 / 600) < 0.03)
    }

    @Test("A deadline is not kept by giving pushes up")
    func givenUp() throws {
        let answer = Planner.answer(
            try Campaigns.fcm("devices: 2000, deadline: '1m', quota: { limit: 1500 }, quotaPhase: '0s'")
        )
        #expect(answer.finish.p99 <= minute && answer.lanes[0].lost.p50 == 500 && answer.inTime == 0)
    }

    @Test("What to ask FCM for: steps of a quarter, with notice above 18 million")
    func advice() {
        func advice(_ perMinute: Double, limit: Int = 600_000, others: Double = 0, bad: Double = 0) -> QuotaAdvice {
            QuotaAdvice(perSecond: perMinute / 60, usedByOthers: others, limit: limit, window: minute, badShare: bad)
        }
        #expect(advice(600_000).increases == 0 && advice(600_000).neededPerMinute == 600_000)
        let more = advice(660_000)
        #expect(more.neededPerMinute == 726_000 && more.increases == 1 && !more.needsNotice)
        #expect(advice(600_000, others: 0.2).increases == 2)
        #expect(advice(20_000_000).needsNotice && advice(20_000_000).increases == 17)
        #expect(advice(700_000, bad: 0.06).sentences.contains { $0.contains("Clean the tokens") })
        #expect(advice(100).sentences.count == 1)
    }

    @Test("An unlucky phase costs up to a minute")
    func phase() throws {
        let campaign = try Campaigns.fcm(
            "devices: 900, quota: { limit: 600 }, seeds: 12",
            lane: "retry: { attempts: 5, backoff: { first: '1ms', longest: '1ms' } }"
        )
        let answer = Planner.answer(campaign)
        let phase = try #require(answer.phase)
        #expect(phase.worstFinish >= phase.bestFinish && phase.mostRefused >= phase.leastRefused)
        #expect(answer.seeds == 12 && answer.finish.most == phase.worstFinish)
    }

    @Test("Cores, bytes and tokens follow from what a push costs")
    func costs() throws {
        let campaign = try Campaigns.fcm(
            "devices: 36000, rate: '10/s', cpuPerPush: '10ms', bytesPerPush: { out: 300, in: 90 }, seeds: 1"
        )
        let answer = Planner.answer(campaign)
        #expect(abs((answer.cores ?? 0) - 0.1) < 1e-6 && answer.coresAdvised == 1)
        #expect(answer.bytesOut == 300 * 36_000 && answer.bytesIn == 90 * 36_000)
        // An hour, with a new access token every 55 minutes.
        #expect(answer.tokens.map(\.signed) == [2])
        let free = Planner.answer(try Campaigns.fcm("devices: 100, seeds: 1"))
        #expect(free.cores == nil && free.bytesOut > 0)
    }

    @Test("A spread is by nearest rank")
    func spread() {
        let spread = Spread((1...200).map { Int64($0) })
        #expect((spread.p50, spread.p99, spread.least, spread.most) == (100, 198, 1, 200))
        #expect(Spread([5 as Int64]).p99 == 5)
    }

    @Test(
        "What contradicts itself is refused, with its field",
        arguments: [
            ("devices: 8000000, deadline: '1m', withinQuota: true", "campaign.deadline"),
            ("devices: 8000000, rate: '20000/s', withinQuota: true", "campaign.rate"),
            ("devices: 1000000, rate: '1/s'", "campaign.rate"),
            ("devices: 1000000, rate: '9000/s', quotaUsed: 0.2, withinQuota: true", "campaign.rate"),
        ]
    )
    func contradictions(campaign: String, path: String) throws {
        let profile = try Campaigns.profile(campaign)
        #expect { try Campaign(profile) } throws: { ($0 as? BrokenRule)?.path == path }
    }
}

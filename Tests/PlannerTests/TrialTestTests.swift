import Hosts
import Testing

@testable import Planner

@Suite("Whether a pool is worse than the best")
struct TrialTestTests {
    private static let ms: Int64 = 1_000_000

    private static func facts(_ p99: Int64, p50: Int64? = nil, low: Int64? = nil) -> TrialFacts {
        TrialFacts(
            rate: 1000,
            p50: (p50 ?? 50) * ms,
            p99: p99 * ms,
            p99Low: (low ?? p99) * ms,
            serviceP50: 50 * ms,
            answeredShare: 1,
            refusedShare: 0,
            workerCPU: 0.1,
            streamShare: 1,
            capacity: 50
        )
    }

    /// Trials of two pools in the order in which they were made: `b` for the best, `p` for the other.
    private static func verdict(_ trials: [(Character, TrialFacts)], confirming: Bool = false) -> TrialTest.Verdict {
        var log = TrialLog()
        for (pool, facts) in trials { log.record(.valid(facts), at: SweepPoint([pool == "b" ? 1 : 0])) }
        let goal = TuneGoal.lowestLatency(at: 1000)
        let test = TrialTest(
            goal,
            best: log[SweepPoint([1])].entries,
            canTryBest: true,
            scatter: log.scatter(goal)
        )
        return test.verdict(on: log[SweepPoint([0])], confirming: confirming)
    }

    @Test(
        "One trial is enough to be as good; three that speak against a pool make it worse",
        arguments: [
            ([("b", 100), ("p", 101)], .asGood),
            ([("b", 100), ("p", 110)], .needsBest),
            ([("b", 100), ("p", 110), ("b", 100)], .open),
            ([("b", 100), ("p", 110), ("b", 100), ("p", 110), ("b", 100), ("p", 110)], .worse),
            // The best was not tried since.
            ([("b", 100), ("b", 100), ("b", 100), ("p", 110), ("p", 110), ("p", 110)], .needsBest),
            // One for it, two against it, and the other way round.
            ([("b", 100), ("p", 110), ("b", 100), ("p", 110), ("b", 100), ("p", 100)], .open),
            ([("b", 100), ("p", 110), ("b", 100), ("p", 100), ("b", 100), ("p", 100)], .asGood),
            // All went slower at that time, the best too.
            (
                [("b", 100), ("b", 100), ("b", 100), ("p", 130), ("b", 130), ("p", 130), ("b", 130), ("p", 130)],
                .asGood
            ),
        ] as [([(Character, Int64)], TrialTest.Verdict)]
    )
    func verdicts(trials: [(Character, Int64)], expected: TrialTest.Verdict) {
        #expect(Self.verdict(trials.map { ($0.0, Self.facts($0.1)) }) == expected)
    }

    @Test("Half of the pushes beyond what 99% take elsewhere is no chance: one trial is enough")
    func farBelow() {
        #expect(Self.verdict([("b", Self.facts(52)), ("p", Self.facts(700, p50: 400))]) == .worse)
        // A few pushes that were held up are.
        #expect(Self.verdict([("b", Self.facts(52)), ("p", Self.facts(700, p50: 51))]) == .needsBest)
    }

    @Test("What may be chance within a trial does not speak against a pool")
    func ownChance() {
        #expect(Self.verdict([("b", Self.facts(100)), ("p", Self.facts(110, low: 101))]) == .asGood)
    }

    @Test("An answer takes two trials more for it than against it; seven that say neither leave it undecided")
    func confirming() {
        let good: (Character, TrialFacts) = ("p", Self.facts(100))
        let bad: (Character, TrialFacts) = ("p", Self.facts(110))
        let best: [(Character, TrialFacts)] = Array(repeating: ("b", Self.facts(100)), count: 3)
        #expect(Self.verdict(best + [good], confirming: true) == .open)
        #expect(Self.verdict(best + [good, good], confirming: true) == .asGood)
        #expect(Self.verdict(best + [bad, good, good, bad, bad, good], confirming: true) == .open)
        #expect(Self.verdict(best + [bad, good, good, bad, bad, good, bad], confirming: true) == .undecided)
    }

    @Test(
        "The interval of a quantile is that of the binomial distribution's normal form",
        arguments: [(0.99, 2000, 0.98564, 0.99436), (0.5, 100, 0.402, 0.598), (0.99, 10, 0.92833, 1)]
            as [(Double, UInt64, Double, Double)]
    )
    func interval(share: Double, count: UInt64, low: Double, high: Double) {
        let shares = QuantileInterval.shares(of: share, count: count)
        #expect(abs(shares.lowerBound - low) < 1e-5 && abs(shares.upperBound - high) < 1e-5, "\(shares)")
    }

    @Test("An interval holds the quantile in about 95 of 100 samples")
    func coverage() {
        var numbers = SplitMix(seed: 5)
        var held = 0
        for _ in 0..<1000 {
            let sample = (0..<1000).map { _ in Double.random(in: 0..<1, using: &numbers) }.sorted()
            let shares = QuantileInterval.shares(of: 0.9, count: 1000)
            let low = sample[Int(shares.lowerBound * 1000) - 1]
            let high = sample[Int((shares.upperBound * 1000).rounded(.up)) - 1]
            if (low...high).contains(0.9) { held += 1 }
        }
        #expect((930...975).contains(held), "\(held)")
    }

    @Test("What a pool carries shows in how the response times grow")
    func carried() {
        // 800 of 1,000/s: after a time t the wait is t / 4; the middle and the 99th of a hundred are 0.49 of the trial apart.
        let slope = 0.25 * 2e9 * 0.49
        let carried = TrialFacts.carried(planned: 1000, p50: 400, p99: 400 + Int64(slope), length: 2_000_000_000)
        #expect(abs(carried - 800) < 0.01)
        #expect(TrialFacts.carried(planned: 1000, p50: 5, p99: 5, length: 1) == 1000)
    }

    @Test("How far trials of one pool differ is told by the median of pairs; nothing where none was repeated")
    func scatter() {
        var log = TrialLog()
        let goal = TuneGoal.lowestLatency(at: 1000)
        log.record(.valid(Self.facts(100)), at: SweepPoint([1]))
        log.record(.valid(Self.facts(300)), at: SweepPoint([2]))
        #expect(log.scatter(goal) == nil)
        for p99 in [110, 100, 400] as [Int64] { log.record(.valid(Self.facts(p99)), at: SweepPoint([1])) }
        #expect(abs((log.scatter(goal) ?? 0) - 1.0 / 11) < 1e-6)
    }
}

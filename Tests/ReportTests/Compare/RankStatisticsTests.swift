import Testing

@testable import Report

@Suite("Rank statistics")
struct RankStatisticsTests {
    /// Probabilities of SciPy's `mannwhitneyu(a, b, method="exact")`; shifts and intervals from the sorted differences, cut
    /// by the number of orders counted one by one: the 3rd from each end for 5 and 5, the 7th for 6 and 7.
    @Test("As SciPy has them")
    func reference() throws {
        let first = [1.1, 2.2, 3.3, 4.4, 5.5]
        let apart = RankStatistics(first, [6.1, 7.3, 8.2, 9.9, 12.5])
        #expect(abs(apart.probability - 0.007936507936507936) < 1e-12 && abs(apart.shift - 5.1) < 1e-9)
        let interval = try #require(apart.interval)
        #expect(abs(interval.lowerBound - 1.8) < 1e-9 && abs(interval.upperBound - 9.2) < 1e-9)
        let mixed = RankStatistics([3.1, 1.4, 4.4, 2.7, 5.9, 1.2], [2.9, 6.6, 5.3, 3.8, 7.1, 4.9, 6.0])
        #expect(abs(mixed.probability - 0.05128205128205128) < 1e-12 && abs(mixed.shift - 2.2) < 1e-9)
        let around = try #require(mixed.interval)
        #expect(abs(around.lowerBound + 0.2) < 1e-9 && abs(around.upperBound - 4.4) < 1e-9)
        let same = RankStatistics(first, first)
        #expect(same.shift == 0 && same.probability == 1 && same.interval?.contains(0) == true)
    }

    @Test("The distribution of all orders, counted by hand for small samples")
    func small() {
        // Of the 6 orders of 2 and 2, one has the second sample wholly above.
        #expect(abs(RankStatistics([1, 2], [3, 4]).probability - 2.0 / 6) < 1e-12)
        #expect(abs(RankStatistics([1, 3], [2, 4]).probability - 4.0 / 6) < 1e-12)
        #expect(RankStatistics([1, 2], [3, 4]).interval == nil)
        #expect(RankStatistics([1, 2, 3], [4, 5, 6]).interval == nil)
        #expect(RankStatistics([1, 2, 3, 4], [5, 6, 7, 8]).interval == 1.0...7.0)
        #expect(RankStatistics([5], [7]).shift == 2)
    }

    /// The probability of SciPy's `wilcoxon(d, method="exact")`; the interval from the 45 sorted means of two, cut at the 6th
    /// from each end, since of 512 choices of signs ten have ranks that add up to 5 or less, and fourteen to 6 or less.
    @Test("Pairs as SciPy has them")
    func pairs() throws {
        let pairs = RankStatistics(differences: [1.2, -0.4, 2.5, 3.1, 0.7, -1.6, 4.4, 2.2, 0.9])
        #expect(abs(pairs.probability - 0.0546875) < 1e-12 && abs(pairs.shift - 1.45) < 1e-9)
        let interval = try #require(pairs.interval)
        #expect(abs(interval.lowerBound + 0.2) < 1e-9 && abs(interval.upperBound - 2.8) < 1e-9)
        let above = RankStatistics(differences: [1, 2, 3, 4, 5, 6.5])
        #expect(above.probability == 0.03125 && above.interval == 1.0...6.5)
        // Of five, one in sixteen has all signs alike: too many for 95%.
        #expect(RankStatistics(differences: [1, 2, 3, 4, 5]).interval == nil)
        let none = RankStatistics(differences: [0, 0, 0, 0, 0, 0])
        #expect(none.probability == 1 && none.shift == 0 && none.interval == 0.0...0.0)
        #expect(RankStatistics(differences: [7]).shift == 7 && RankStatistics(differences: [7]).probability == 1)
    }

    @Test("Medians")
    func medians() {
        #expect(RankStatistics.median([3, 1, 2]) == 2)
        #expect(RankStatistics.median([4, 1, 3, 2]) == 2.5)
    }

    @Test("Of alike samples one in twenty or fewer is called different")
    func falseAlarms() {
        var generator = Generator(state: 1)
        var alarms = 0
        for _ in 0..<1_000 {
            let samples = (0..<2).map { _ in (0..<6).map { _ in generator.next() } }
            if let interval = RankStatistics(samples[0], samples[1]).interval, !interval.contains(0) { alarms += 1 }
        }
        // Expected are 41: of 6 and 6 the exact level is 4.1%.
        #expect((20...62).contains(alarms))
    }

    @Test("Of alike pairs likewise, whatever both of a pair have in common")
    func falseAlarmsOfPairs() {
        var generator = Generator(state: 1)
        var alarms = 0
        for _ in 0..<1_000 {
            let differences = (0..<8)
                .map { _ in
                    let common = 100 * generator.next()
                    return (common + generator.next()) - (common + generator.next())
                }
            if let interval = RankStatistics(differences: differences).interval, !interval.contains(0) { alarms += 1 }
        }
        // Expected are 39: of 8 pairs the exact level is 3.9%.
        #expect((19...60).contains(alarms))
    }
}

@Suite("Many numbers at once")
struct ManyNumbersTests {
    /// As SciPy's `false_discovery_control(p, method="bh")` has them.
    @Test("Probabilities are raised as Benjamini and Hochberg do")
    func adjusted() {
        let adjusted = RankStatistics.adjusted([0.01, 0.04, 0.03, 0.005, 0.8])
        for (value, expected) in zip(adjusted, [0.025, 0.05, 0.05, 0.025, 0.8]) {
            #expect(abs(value - expected) < 1e-12)
        }
        #expect(RankStatistics.adjusted([]).isEmpty && RankStatistics.adjusted([0.2]) == [0.2])
    }

    @Test("The least size at which samples wholly apart tell anything")
    func fewest() {
        // Two of C(8, 4) = 70 orders have them apart; of C(6, 3) = 20 as well.
        #expect(RankStatistics.fewest(for: 0.05) == 4 && RankStatistics.fewest(for: 0.1) == 3)
        #expect(RankStatistics.fewest(for: 2.0 / 70) == 4 && RankStatistics.fewest(for: 0.0017) == 7)
        // Two of 2 to the power of n signs are all alike.
        #expect(RankStatistics.fewestPairs(for: 0.05) == 6 && RankStatistics.fewestPairs(for: 2.0 / 1024) == 10)
        #expect(RankStatistics.fewestPairs(for: 0.0017) == 11)
    }
}

/// Numbers from 0 to 1, the same every time (SplitMix64).
struct Generator {
    var state: UInt64

    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
    }
}

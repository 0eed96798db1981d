import Foundation
import Histogram
import LoadPlan
import Sending
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

@Suite("Comparison")
struct CompareTests {
    /// Runs of one build: `slower` times as slow, `cost` times the CPU, with noise of up to `noise` either way.
    private static func runs(
        _ count: Int,
        seed: UInt64,
        slower: Double = 1,
        cost: Double = 1,
        noise: Double = 0.01,
        _ change: (inout RunMeasurement) -> Void = { _ in }
    ) -> [RunRecord] {
        var generator = Generator(state: seed)
        return (0..<count)
            .map { _ in
                var run = SampleRun.healthy
                func factor() -> Double { 1 + noise * (2 * generator.next() - 1) }
                for lane in run.lanes.indices {
                    let planned = run.lanes[lane].phases[1].counts.planned
                    let time = 20_000_000 * slower * factor()
                    var clocks = ClockHistograms()
                    for step in 0..<100 {
                        let spread = Int64(time * (0.8 + 0.4 * Double(step) / 100))
                        clocks.service.record(spread, times: planned / 100)
                        clocks.response.record(spread + 200_000, times: planned / 100)
                    }
                    clocks.streamWait.record(4_000, times: planned)
                    run.lanes[lane].phases[1].clocks = clocks
                }
                run.generator.cpu = Int64(4_320_000_000 * cost * factor())
                change(&run)
                return SampleRun.record(run)
            }
    }

    private static func word(_ comparison: Comparison, _ lane: String, _ name: String) -> Comparison.Word? {
        comparison.rows.first { $0.lane == lane && $0.name == name }?.word
    }

    @Test("A against A is not worse, over 20 pairs")
    func alike() {
        let verdicts = (0..<20)
            .map { pair in
                let first = Self.runs(6, seed: UInt64(pair))
                return Comparison(first, Self.runs(6, seed: UInt64(pair) + 1_000), effect: 0.02).isWorse
            }
        #expect(verdicts.count { $0 } <= 1)
    }

    @Test("5% more CPU and 10% more service time are found in each of 20 pairs")
    func found() {
        for pair in 0..<20 as Range<UInt64> {
            let first = Self.runs(6, seed: pair)
            let slow = Comparison(first, Self.runs(6, seed: pair + 1_000, slower: 1.1, cost: 1.05), effect: 0.02)
            #expect(Self.word(slow, "all", "CPU per push") == .worse && Self.word(slow, "fcm", "service p50") == .worse)
            #expect(Self.word(slow, "fcm", "delivered") == .same && slow.isWorse)
        }
    }

    @Test("The same difference the other way round is better")
    func better() {
        let comparison = Comparison(Self.runs(5, seed: 1, slower: 1.1), Self.runs(5, seed: 2), effect: 0.02)
        #expect(Self.word(comparison, "fcm", "response p50") == .better && !comparison.isWorse)
    }

    @Test("One run a side: quantiles have intervals, and what has none can't be told")
    func single() throws {
        let (first, second) = (Self.runs(1, seed: 1), Self.runs(1, seed: 2, slower: 1.1, cost: 1.3))
        let comparison = Comparison(first, second, effect: 0.05)
        #expect(Self.word(comparison, "fcm", "service p50") == .worse)
        let cpu = try #require(comparison.rows.first { $0.name == "CPU per push" })
        #expect(cpu.word == .unknown && cpu.note == "4 runs a side would tell" && cpu.interval == nil)
        #expect(Self.word(Comparison(first, first, effect: 0.05), "fcm", "service p50") == .same)
    }

    @Test("What hardly moves between runs is compared in one")
    func exact() {
        let first = Self.runs(1, seed: 1)
        func word(_ name: String, _ lane: String = "all", _ change: (inout RunMeasurement) -> Void) -> Comparison.Word?
        {
            Self.word(Comparison(first, Self.runs(1, seed: 1, change), effect: 0.05), lane, name)
        }
        let lane = SampleRun.healthy.lanes[0].name
        #expect(word("allocations per push") { $0.generator.allocations += $0.generator.allocationsPushes } == .worse)
        #expect(
            word("allocations per push") { $0.generator.allocations += $0.generator.allocationsPushes / 50 } == .same
        )
        #expect(word("bytes out per push", lane) { $0.lanes[0].bytesOut += 4 * 9_000 } == .worse)
        #expect(word("bytes in per push", lane) { $0.lanes[0].bytesIn -= 4 * 9_000 } == .better)
        #expect(word("signatures") { $0.credentials[0].signed += 1 } == .worse)
        #expect(word("signatures") { _ in } == .same)
    }

    @Test("Wide intervals say how many runs would tell")
    func unknown() throws {
        let comparison = Comparison(
            Self.runs(5, seed: 1, noise: 0.2),
            Self.runs(5, seed: 2, noise: 0.2),
            effect: 0.02
        )
        let row = try #require(comparison.rows.first { $0.word == .unknown })
        #expect(row.note.hasSuffix("runs a side would tell"))
    }

    @Test("Fewer than ten answers beyond a quantile are too few for it")
    func tails() {
        let comparison = Comparison(Self.runs(1, seed: 1), Self.runs(1, seed: 2), effect: 0.05)
        let names = comparison.rows.filter { $0.lane == "fcm" }.map(\.name)
        #expect(
            names == [
                "response p50", "response p99", "service p50", "service p99", "answered/s", "delivered",
                "bytes out per push", "bytes in per push",
            ]
        )
    }

    @Test("Machine, libraries and profile are held against each other, words and bounds are not")
    func environment() throws {
        var other = SampleRun.record(SampleRun.healthy)
        other.environment.machine.usableCores = 1
        other.environment.libraries[0].version = "1.64.0"
        other.environment.revision = "fedcba9"
        var profile = SampleRun.profile
        profile.name = "other"
        profile.summary = "Something else."
        profile.verdict.sentShare = 0.5
        profile.load.drain = 1
        other.profile = ProfileText(profile)
        let comparison = Comparison([SampleRun.record(SampleRun.healthy)], [other], effect: 0.05)
        #expect(
            comparison.differences == [
                "machine: Some CPU, 3 GHz, 2 of 4 cores, 4096 MiB / Some CPU, 3 GHz, 1 of 4 cores, 4096 MiB",
                "libraries: nghttp2 1.52.0, zlib 1.2.13 / nghttp2 1.64.0, zlib 1.2.13", "profile: load",
            ]
        )
    }

    @Test("Text, Markdown and JSON say the same")
    func texts() throws {
        var second = Self.runs(1, seed: 2, slower: 1.1)
        second[0].environment.toolchain = "Swift 7"
        let comparison = Comparison(Self.runs(1, seed: 1, noise: 0), second, effect: 0.05)
        let text = ComparisonText(comparison, names: ("a", "b|c"))
        let terminal = text.terminal(colours: false)
        #expect(
            terminal.hasPrefix(
                """
                A: a (1 run) · B: b|c (1 run)

                not alike, so a difference may have another cause: toolchain: Swift 6.3.1, release / Swift 7

                lane             metric
                """
            )
        )
        let last = "One run a side: the intervals know nothing of the noise between runs."
        #expect(terminal.hasSuffix(last + "\n") && !terminal.contains("\u{1B}"))
        #expect(text.terminal(colours: true).contains("\u{1B}[1;31mfcm              service p50"))
        #expect(text.markdown.hasPrefix("## Worse\n\nA: a (1 run) · B: b\\|c (1 run)\n\n- ⚠️ not alike"))
        #expect(text.markdown.contains("| fcm | service p50 |") && text.markdown.contains("| **worse** |"))
        #expect(text.json.hasPrefix(#"{"a":"a","b":"b|c","runs_a":1,"runs_b":1,"worse":true,"not_alike":["#))
        #expect(
            text.json.contains(
                #"{"lane":"all","metric":"signatures","a":1.000000,"b":1.000000,"unit":"number","difference":0.000000,"word":"same"}"#
            )
        )
    }
}

@Suite("Runs made at once")
struct RunsAtOnceTests {
    private static let second: Int64 = 1_000_000_000

    /// Runs of one build, each of ten seconds and twenty after the last.
    ///
    /// - Parameters:
    ///   - offset: when the first begins, in nanoseconds.
    ///   - cost: of a push, in turns; on a machine that itself is up to twice as slow from one run to the next.
    private static func runs(_ count: Int, offset: Int64 = 0, cost: [Double] = [1]) -> [RunRecord] {
        (0..<count)
            .map { number in
                var run = SampleRun.healthy
                run.generator.cpu = Int64(
                    4_320_000_000 * cost[number % cost.count] * (1 + Double(number * 7 % 10) / 10)
                )
                var record = SampleRun.record(run)
                record.startedAt = UTCTime(
                    nanoseconds: record.startedAt.nanoseconds + offset + Int64(number) * 20 * second
                )
                record.duration = 10 * second
                return record
            }
    }

    private static func cpu(_ comparison: Comparison) throws -> Comparison.Row {
        try #require(comparison.rows.first { $0.name == "CPU per push" })
    }

    @Test(
        "Within pairs 5% is found under noise of the machine ten times as large, in whatever order the runs are named"
    )
    func found() throws {
        let first = Self.runs(12)
        let slower = Self.runs(12, offset: Self.second / 10, cost: [1.05, 1.06, 1.04])
        let atOnce = Comparison(first, slower.reversed(), effect: 0.02)
        #expect(atOnce.pairs == 12)
        let row = try Self.cpu(atOnce)
        #expect(row.word == .worse && abs(row.shift / row.first - 0.05) < 0.01)
        let inTurn = Comparison(first, Self.runs(12, offset: 10 * Self.second, cost: [1.05, 1.06, 1.04]), effect: 0.02)
        #expect(inTurn.pairs == nil)
        #expect(try Self.cpu(inTurn).word == .unknown)
    }

    @Test("Equal builds are the same, and too few pairs say how many would tell")
    func alike() throws {
        let alike = Comparison(Self.runs(12), Self.runs(12, cost: [1.001, 0.999]), effect: 0.02)
        #expect(alike.pairs == 12 && !alike.isWorse)
        #expect(try Self.cpu(alike).word == .same)
        let few = Comparison(Self.runs(3), Self.runs(3, cost: [1.5]), effect: 0.02)
        // Of six pairs two in 64 choices of signs are all alike.
        #expect(try Self.cpu(few).note == "6 runs a side would tell")
    }

    @Test("Pairs are runs that each shared half of their time and more with one other, on one machine")
    func pairs() {
        func pairs(_ first: [RunRecord], _ second: [RunRecord]) -> Int? {
            Comparison(first, second, effect: 0.05).pairs
        }
        let first = Self.runs(3)
        #expect(pairs(first, Self.runs(3)) == 3)
        #expect(pairs(first, Self.runs(3, offset: 5 * Self.second)) == 3)
        #expect(pairs(first, Self.runs(3, offset: -5 * Self.second)) == 3)
        #expect(pairs(first, Self.runs(3, offset: 5 * Self.second + 1)) == nil)
        #expect(pairs(first, Self.runs(2)) == nil)
        #expect(pairs(Self.runs(1), Self.runs(1)) == nil)
        // All of one side at the same time.
        #expect(pairs([first[0], first[0]], [first[0], first[0]]) == nil)
        var elsewhere = Self.runs(3)
        elsewhere[1].environment.machine.memoryBytes += 1
        #expect(pairs(first, elsewhere) == nil)
        var longer = Self.runs(3)
        longer[2].duration = 20 * Self.second + 2
        #expect(pairs(first, longer) == nil)
    }

    @Test("The heading and the JSON say so")
    func texts() {
        let comparison = Comparison(Self.runs(2), Self.runs(2), effect: 0.05)
        let text = ComparisonText(comparison, names: ("a", "b"))
        #expect(
            text.terminal(colours: false)
                .hasPrefix("A: a (2 runs) · B: b (2 runs) · made at once, compared within 2 pairs\n")
        )
        #expect(text.json.hasPrefix(#"{"a":"a","b":"b","runs_a":2,"runs_b":2,"pairs":2,"worse":false,"#))
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

@Suite("Baselines")
struct BaselineTests {
    private static func record(_ change: (inout RunMeasurement) -> Void = { _ in }) -> RunRecord {
        var run = SampleRun.healthy
        change(&run)
        return SampleRun.record(run)
    }

    private static func words(_ change: (inout RunMeasurement) -> Void) -> [String: Comparison.Word] {
        let comparison = Comparison(.baseline(Baseline(record())), .runs([record(change)]), effect: 0.02)
        return Dictionary(uniqueKeysWithValues: comparison.rows.map { ("\($0.lane) \($0.name)", $0.word) })
    }

    @Test("It holds what hardly moves, and says same of the run that it was made from")
    func same() {
        let words = Self.words { _ in }
        #expect(
            Set(words.keys) == [
                "apns-production bytes out per push", "apns-production bytes in per push", "fcm bytes out per push",
                "fcm bytes in per push", "all system calls per push", "all allocations per push", "all signatures",
            ]
        )
        #expect(words.values.allSatisfy { $0 == .same })
    }

    @Test("One allocation, one signature, four bytes or one system call a push more are worse; less is better")
    func changes() {
        #expect(
            Self.words { $0.generator.allocations += $0.generator.allocationsPushes }["all allocations per push"]
                == .worse
        )
        #expect(Self.words { $0.credentials[0].signed += 1 }["all signatures"] == .worse)
        #expect(Self.words { $0.credentials[0].signed -= 1 }["all signatures"] == .better)
        let bytes = Self.words { $0.lanes[1].bytesOut += 4 * 9_000 }
        #expect(bytes["fcm bytes out per push"] == .worse && bytes["apns-production bytes out per push"] == .same)
        #expect(Self.words { $0.lanes[1].bytesIn -= 4 * 9_000 }["fcm bytes in per push"] == .better)
        #expect(Self.words { $0.generator.writes += 18_000 }["all system calls per push"] == .worse)
    }

    @Test("From its file it comes back, and knows neither machine nor workers")
    func file() throws {
        let text = ResultText.collect { Baseline(Self.record()).write(to: $0) }
        let read = try JSONDecoder().decode(Baseline.self, from: Data(text.utf8))
        #expect(ResultText.collect { read.write(to: $0) } == text)
        var other = Self.record()
        other.environment.machine.cores += 1
        #expect(Comparison(.baseline(read), .runs([other]), effect: 0.02).differences.isEmpty)
        other.environment.toolchain = "Swift 7"
        other.seed = 1
        #expect(
            Comparison(.runs([other]), .baseline(read), effect: 0.02).differences
                == ["toolchain: Swift 7 / Swift 6.3.1, release"]
        )
    }
}

import Foundation
import Histogram
import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Comparison")
struct ComparisonTests {
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

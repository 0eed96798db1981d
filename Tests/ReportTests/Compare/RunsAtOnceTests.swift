import LoadPlan
import Sending
import Testing

@testable import Report

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

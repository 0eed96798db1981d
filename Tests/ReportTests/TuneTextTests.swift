import Planner
import Testing

@testable import Report

@Suite("What a tuning says")
struct TuneTextTests {
    private static let facts = TrialFacts(
        rate: 1000,
        p50: 50_200_000,
        p99: 51_000_000,
        p99Low: 50_900_000,
        p99High: 52_500_000,
        serviceP50: 50_100_000,
        answeredShare: 1,
        refusedShare: 0,
        workerCPU: 0.1,
        streamShare: 0.8,
        capacity: 60
    )

    private static func result(isSettled: Bool, least: Int) -> TuneResult {
        let row = TuneRow(
            number: 1,
            goal: "the lowest p99 at 1,000/s",
            connections: 6,
            streams: 10,
            batches: nil,
            planned: 1000,
            outcome: .valid(facts)
        )
        let finding = TuneFinding(
            goal: "the lowest p99 at 1,000/s",
            pool: TunedPool(connections: 6, streams: 10),
            best: facts,
            found: facts,
            least: TunedPool(connections: least, streams: 10),
            isSettled: isSettled,
            cause: .load,
            trials: 16,
            gridSize: 64,
            dropped: 2,
            scatter: 0.031,
            isCutShort: false
        )
        return TuneResult(name: "pools", lane: "fcm", seed: 1, rows: [row], findings: [finding])
    }

    private static func json(_ result: TuneResult) -> String { TuneFiles.json(result, folder: nil) }

    @Test("A settled answer names the pool, the best, the trials and how far repeats were apart")
    func settled() {
        let text = TuneText(Self.result(isSettled: true, least: 6)).text(folder: nil)
        #expect(text.contains("    6 connections of 10 streams: 1,000/s, p99 51 ms\n"), "\(text)")
        #expect(
            text.contains(
                "    the smallest that is not shown to be more than 2% worse than the best (1,000/s, p99 51 ms)\n"
            )
        )
        #expect(
            text.contains(
                "16 trials of a grid of 64, 2 of them INVALID and dropped; two of the same pool in a row differ by 3.1%"
            )
        )
        #expect(!text.contains("not settled"))
        #expect(Self.json(Self.result(isSettled: true, least: 6)).contains("\"settled\":true"))
    }

    @Test("One that is not says so, and what else is possible")
    func unsettled() {
        let text = TuneText(Self.result(isSettled: false, least: 4)).text(folder: nil)
        #expect(
            text.contains("    not settled: these trials leave anything down to 4 connections of 10 streams possible;")
        )
        let same = TuneText(Self.result(isSettled: false, least: 6)).text(folder: nil)
        #expect(same.contains("    not settled: these trials do not tell it from the best;"))
        let json = Self.json(Self.result(isSettled: false, least: 4))
        #expect(json.contains("\"settled\":false") && json.contains("\"least\":{\"connections\":4"), "\(json)")
    }

    @Test("The interval of p99 stands at the end of each trial's row")
    func csv() {
        let text = ResultText.collect { TuneFiles.writeCSV(Self.result(isSettled: true, least: 6), to: $0) }
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines[0].hasSuffix("causes,response_p99_low_us,response_p99_high_us"), "\(lines)")
        #expect(lines[1].hasSuffix(",50900.0,52500.0"), "\(lines)")
    }
}

import Histogram
package import Planner

/// What a tuning found, for programs.
package enum TuneFiles {
    package static let csv = "tune.csv"
    package static let page = "report.html"
    package static let fragment = "recommended.json"

    /// A row for each trial, in order.
    package static func writeCSV(_ result: TuneResult, to text: ResultText) {
        let columns = [
            "trial", "goal", "lane", "connections", "streams", "batches", "planned_per_s", "verdict", "holds",
            "rate_per_s",
            "response_p50_us", "response_p99_us", "service_p50_us", "answered_share", "refused_share", "worker_cpu",
            "stream_share", "causes", "response_p99_low_us", "response_p99_high_us",
        ]
        let csv = CSVWriter(to: text, columns: columns)
        for row in result.rows {
            let facts = row.facts
            csv.row([
                row.number, row.goal, result.lane, row.connections, row.streams, row.batches,
                row.planned.map { decimal($0, 1) }, facts == nil ? "INVALID" : "VALID",
                row.holds.map { $0 ? "yes" : "no" }, facts.map { decimal($0.rate, 1) },
                facts.map { microseconds($0.p50) }, facts.map { microseconds($0.p99) },
                facts.map { microseconds($0.serviceP50) }, facts.map { decimal($0.answeredShare, 4) },
                facts.map { decimal($0.refusedShare, 4) }, facts.map { decimal($0.workerCPU, 3) },
                facts.map { decimal($0.streamShare, 3) }, row.causes.isEmpty ? nil : row.causes.joined(separator: "; "),
                facts.map { microseconds($0.p99Low) }, facts.map { microseconds($0.p99High) },
            ])
        }
    }

    /// The recommended settings as a profile of their own; `run` takes them with `--set` or pasted.
    package static func writeFragment(_ result: TuneResult, to text: ResultText) {
        let fields = result.pool.map { $0.fragment(lane: result.lane) } ?? ""
        text.append("{ \(fields) }\n")
    }

    private struct Whole: Encodable {
        struct Pool: Encodable {
            let connections: Int
            let streams: Int
            let batches: Int?

            init(_ pool: TunedPool) {
                connections = pool.connections
                streams = pool.streams
                batches = pool.batches
            }
        }
        struct Finding: Encodable {
            let goal: String
            let pool: Pool?
            let facts: TrialFacts?
            let best: TrialFacts?
            let settled: Bool
            let least: Pool?
            let scatter: Double?
            let cause: TuneCause?
            let trials: Int
            let grid: Int
            let dropped: Int
            let cutShort: Bool

            init(_ finding: TuneFinding) {
                goal = finding.goal
                pool = finding.pool.map(Pool.init)
                facts = finding.found
                best = finding.best
                settled = finding.isSettled
                least = finding.least.map(Pool.init)
                scatter = finding.scatter
                cause = finding.cause
                trials = finding.trials
                grid = finding.gridSize
                dropped = finding.dropped
                cutShort = finding.isCutShort
            }
        }
        struct Highest: Encodable {
            let perSecond: UInt64?
            let generatorBound: Bool
            let trials: Int
            let dropped: Int
        }
        let pushbench = "tune"
        let name: String
        let lane: String
        let seed: UInt64
        let findings: [Finding]
        let highestRate: Highest?
        let folder: String?
    }

    /// One line of JSON.
    package static func json(_ result: TuneResult, folder: String?) -> String {
        let highest = result.highestRate.map {
            Whole.Highest(
                perSecond: $0.perSecond,
                generatorBound: $0.isGeneratorBound,
                trials: $0.trials,
                dropped: $0.dropped
            )
        }
        let whole = Whole(
            name: result.name,
            lane: result.lane,
            seed: result.seed,
            findings: result.findings.map(Whole.Finding.init),
            highestRate: highest,
            folder: folder
        )
        return ResultText.collect { OrderedJSON.write(whole, to: $0, brokenDepth: 0) }
    }

    private static func decimal(_ number: Double, _ digits: Int) -> String {
        FixedDecimal(Int128((number * 10_000).rounded()), over: 10_000, digits: digits)?.description ?? "0"
    }

    private static func microseconds(_ nanoseconds: Int64) -> String {
        FixedDecimal(Int128(nanoseconds), over: 1000, digits: 1)?.description ?? "0"
    }
}

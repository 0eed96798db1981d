import LoadPlan
import Planner
import Report
import Transport

/// One `pushbench tune`: the searches, each fed with trials.
struct TuneJob {
    let loaded: ProfileFile
    let lane: String
    let axes: [SweepAxis]
    let goals: [TuneGoal]
    /// Where to look for the highest rate that holds; nil to not look for it.
    let rates: ClosedRange<UInt64>?
    let trial: TrialTimes
    let time: Int64
    let seed: UInt64
    let hosts: String?
    let isQuiet: Bool

    /// What a search for the highest rate asks where the profile has no thresholds.
    private static let standardThreshold = "share >= 99.5%"

    func perform(_ interruption: Interruption) throws(CommandFailure) -> TuneResult {
        var result = TuneResult(name: loaded.profile.name, lane: lane, seed: seed, rows: [], findings: [])
        let end = MonotonicClock.now() + time
        for goal in goals { try sweep(goal, until: end, interruption, into: &result) }
        if let rates { try findHighestRate(rates, until: end, interruption, into: &result) }
        return result
    }

    private func runner(thresholds: String?) -> TrialRunner {
        TrialRunner(loaded: loaded, lane: lane, times: trial, hosts: hosts, thresholds: thresholds)
    }

    // MARK: Sweeps

    private func sweep(
        _ goal: TuneGoal,
        until end: Int64,
        _ interruption: Interruption,
        into result: inout TuneResult
    ) throws(CommandFailure) {
        // What the profile holds its results to is no matter of the search.
        let runner = runner(thresholds: "{}")
        var search = SweepSearch(axes, goal: goal, seed: seed)
        let rate: Double? = if case .lowestLatency(let rate) = goal { rate } else { nil }
        var isCutShort = false
        while let point = search.next {
            guard MonotonicClock.now() < end, interruption.count == 0 else {
                isCutShort = true
                break
            }
            let pool = pool(at: point, of: search)
            guard let done = try runner.run(.init(pool: pool, rate: rate), interruption) else {
                isCutShort = true
                break
            }
            search.record(done.outcome, at: point)
            note(done.outcome, pool, rate, goal.sentence, nil, into: &result)
        }
        result.findings.append(finding(of: search, isCutShort: isCutShort))
    }

    private func finding(of search: SweepSearch, isCutShort: Bool) -> TuneFinding {
        let answer = search.answer
        return TuneFinding(
            goal: search.goal.sentence,
            pool: answer.map { pool(at: $0.point, of: search) },
            best: answer.flatMap { search.typical(at: $0.best) },
            found: answer.flatMap { search.typical(at: $0.point) },
            least: answer.map { pool(at: $0.least, of: search) },
            isSettled: answer?.isSettled ?? !isCutShort,
            cause: answer.map { search.cause(of: $0) },
            trials: search.trials,
            gridSize: search.gridSize,
            dropped: search.dropped,
            scatter: search.scatter,
            isCutShort: isCutShort
        )
    }

    /// The pool at a point: what the sweep leaves alone is the profile's.
    private func pool(at point: SweepPoint, of search: SweepSearch) -> TunedPool {
        var pool = standardPool
        if let connections = search.value(of: .connections, at: point) { pool.connections = connections }
        if let streams = search.value(of: .streams, at: point) { pool.streams = streams }
        if let batches = search.value(of: .batches, at: point) {
            (pool.batches, pool.batchSize) = (batches, pool.batchSize ?? BatchSection().size)
        }
        return pool
    }

    private var standardPool: TunedPool {
        let section = loaded.profile.lane(lane)
        let limit = loaded.profile.mock.streamLimit(of: lane)
        let streams = if case .fixed(let own) = section.streams { min(own, limit) } else { limit }
        return TunedPool(
            connections: section.connections,
            streams: streams,
            batches: section.batch?.inFlight,
            batchSize: section.batch?.size
        )
    }

    // MARK: The highest rate

    private func findHighestRate(
        _ rates: ClosedRange<UInt64>,
        until end: Int64,
        _ interruption: Interruption,
        into result: inout TuneResult
    ) throws(CommandFailure) {
        let own = loaded.profile.thresholds.isEmpty
        let runner = runner(
            thresholds: own ? "{'\(lane).outcomes{disposition=delivered}': ['\(Self.standardThreshold)']}" : nil
        )
        let pool = result.pool ?? standardPool
        var search = RateSearch(from: rates.lowerBound, most: rates.upperBound, tolerance: 0.01)
        while let rate = search.next, MonotonicClock.now() < end, interruption.count == 0 {
            guard let done = try runner.run(.init(pool: pool, rate: Double(rate)), interruption) else { break }
            let verdict: RateSearch.Verdict
            if case .invalid = done.outcome { verdict = .invalid } else { verdict = done.holds ? .holds : .fails }
            search.answered(verdict)
            let holds: Bool? = verdict == .invalid ? nil : done.holds
            note(done.outcome, pool, Double(rate), "the highest rate", holds, into: &result)
        }
        result.highestRate = .init(
            perSecond: search.found,
            isGeneratorBound: search.isGeneratorBound,
            trials: search.trials,
            dropped: search.dropped,
            thresholds: own
                ? ["\(lane).outcomes{disposition=delivered} \(Self.standardThreshold)"]
                : loaded.profile.thresholds.map { "\($0.subject.text) \($0.condition.text)" }
        )
    }

    private func note(
        _ outcome: TrialOutcome,
        _ pool: TunedPool,
        _ rate: Double?,
        _ goal: String,
        _ holds: Bool?,
        into result: inout TuneResult
    ) {
        let row = TuneRow(
            number: result.rows.count + 1,
            goal: goal,
            connections: pool.connections,
            streams: pool.streams,
            batches: pool.batches,
            planned: rate,
            outcome: outcome,
            holds: holds
        )
        result.rows.append(row)
        if !isQuiet { Console.writeError(TuneProgress.line(row) + "\n") }
    }
}

extension TuneGoal {
    /// What is looked for, in words.
    var sentence: String {
        switch self {
        case .highestRate(let bound): "the highest rate with p99 within \(HumanUnits.time(bound))"
        case .lowestLatency(let rate): "the lowest p99 at \(HumanUnits.count(UInt64(rate.rounded())))/s"
        }
    }
}

/// A line for each trial.
enum TuneProgress {
    static func line(_ row: TuneRow) -> String {
        let batches = row.batches.map { ", \($0) batches" } ?? ""
        let pool = "\(row.connections) x \(row.streams)\(batches)"
        let planned = row.planned.map { " at \(HumanUnits.count(UInt64($0.rounded())))/s" } ?? ""
        guard let facts = row.facts else {
            return "\(row.number): \(pool)\(planned): INVALID, dropped: \(row.causes.joined(separator: "; "))"
        }
        let holds = row.holds.map { $0 ? ", holds" : ", fails" } ?? ""
        return "\(row.number): \(pool)\(planned): \(HumanUnits.count(UInt64(Swift.max(0, facts.rate).rounded())))/s, "
            + "p99 \(HumanUnits.time(facts.p99))\(holds)"
    }
}

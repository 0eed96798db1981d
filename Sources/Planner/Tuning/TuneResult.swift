/// One trial of a tuning, as `tune.csv` has it.
package struct TuneRow: Sendable, Equatable {
    package var number: Int
    package var goal: String
    package var connections: Int
    package var streams: Int
    /// nil on a lane without batches.
    package var batches: Int?
    /// The rate that was planned, in pushes a second; nil in a closed loop.
    package var planned: Double?
    package var outcome: TrialOutcome
    /// Of a search for the highest rate: whether the thresholds held.
    package var holds: Bool?

    package init(
        number: Int,
        goal: String,
        connections: Int,
        streams: Int,
        batches: Int?,
        planned: Double?,
        outcome: TrialOutcome,
        holds: Bool? = nil
    ) {
        self.number = number
        self.goal = goal
        self.connections = connections
        self.streams = streams
        self.batches = batches
        self.planned = planned
        self.outcome = outcome
        self.holds = holds
    }

    package var facts: TrialFacts? {
        if case .valid(let facts) = outcome { facts } else { nil }
    }

    package var causes: [String] {
        if case .invalid(let causes) = outcome { causes } else { [] }
    }
}

/// A pool that a tuning recommends.
package struct TunedPool: Sendable, Equatable {
    package var connections: Int
    package var streams: Int
    package var batches: Int?
    package var batchSize: Int?

    package init(connections: Int, streams: Int, batches: Int? = nil, batchSize: Int? = nil) {
        self.connections = connections
        self.streams = streams
        self.batches = batches
        self.batchSize = batchSize
    }

    /// Pushes in flight at most.
    package var inFlight: Int {
        let most = connections * streams
        guard let batches, let batchSize else { return most }
        return min(most, batches * batchSize)
    }

    /// A fragment of a profile, ready to paste.
    package func fragment(lane: String) -> String {
        var fields = ["\"connections\": \(connections)", "\"streams\": \(streams)"]
        if let batches { fields.append("\"batch\": { \"size\": \(batchSize ?? 500), \"inFlight\": \(batches) }") }
        return "\"lanes\": { \"\(lane)\": { \(fields.joined(separator: ", ")) } }"
    }
}

/// What came of one goal.
package struct TuneFinding: Sendable, Equatable {
    /// In words: what was looked for.
    package var goal: String
    /// nil where no trial met the goal.
    package var pool: TunedPool?
    /// The best that was measured; its rate and times.
    package var best: TrialFacts?
    package var found: TrialFacts?
    /// The smallest pool that the trials leave possible; ``pool`` itself where they settle it.
    package var least: TunedPool?
    /// Whether the trials that there were are enough to tell the pool from the next smaller ones, and from the best.
    package var isSettled: Bool
    package var cause: TuneCause?
    package var trials: Int
    package var gridSize: Int
    package var dropped: Int
    /// How far two trials of one pool in a row were apart, as a share: the median; nil where nothing was repeated.
    package var scatter: Double?
    /// Whether the time was up before the answer was stable.
    package var isCutShort: Bool

    package init(
        goal: String,
        pool: TunedPool?,
        best: TrialFacts?,
        found: TrialFacts?,
        least: TunedPool?,
        isSettled: Bool,
        cause: TuneCause?,
        trials: Int,
        gridSize: Int,
        dropped: Int,
        scatter: Double?,
        isCutShort: Bool
    ) {
        self.goal = goal
        self.pool = pool
        self.best = best
        self.found = found
        self.least = least
        self.isSettled = isSettled
        self.cause = cause
        self.trials = trials
        self.gridSize = gridSize
        self.dropped = dropped
        self.scatter = scatter
        self.isCutShort = isCutShort
    }
}

/// All that a tuning has to say.
package struct TuneResult: Sendable, Equatable {
    package var name: String
    package var lane: String
    package var seed: UInt64
    package var rows: [TuneRow]
    package var findings: [TuneFinding]
    /// The highest rate that held the thresholds, with whether the generator was the limit; nil where it was not looked for.
    package var highestRate: HighestRate?

    package struct HighestRate: Sendable, Equatable {
        /// Pushes a second; nil where none held.
        package var perSecond: UInt64?
        package var isGeneratorBound: Bool
        package var trials: Int
        package var dropped: Int
        /// The thresholds, as they stand in the profile.
        package var thresholds: [String]

        package init(perSecond: UInt64?, isGeneratorBound: Bool, trials: Int, dropped: Int, thresholds: [String]) {
            self.perSecond = perSecond
            self.isGeneratorBound = isGeneratorBound
            self.trials = trials
            self.dropped = dropped
            self.thresholds = thresholds
        }
    }

    package init(
        name: String,
        lane: String,
        seed: UInt64,
        rows: [TuneRow],
        findings: [TuneFinding],
        highestRate: HighestRate? = nil
    ) {
        self.name = name
        self.lane = lane
        self.seed = seed
        self.rows = rows
        self.findings = findings
        self.highestRate = highestRate
    }

    /// The pool to use: that of the first goal which has one.
    package var pool: TunedPool? { findings.lazy.compactMap(\.pool).first }
}

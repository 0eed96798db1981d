/// What is known of each pool of a sweep: its trials, and when each of them was.
struct TrialLog {
    /// A valid trial.
    struct Entry {
        var facts: TrialFacts
        /// How many trials of all pools came before it.
        var number: Int
    }

    /// What is known of one point.
    struct Known {
        var entries: [Entry] = []
        var invalid = 0

        var facts: [TrialFacts] { entries.map(\.facts) }

        /// The trial with the median score, of two the worse; one that misses the goal is worse than all that meet it.
        func typical(_ goal: TuneGoal) -> TrialFacts? {
            entries.isEmpty
                ? nil : facts.sorted { (goal.score($0) ?? -1) < (goal.score($1) ?? -1) }[(entries.count - 1) / 2]
        }

        /// The median of the scores; nil where it misses the goal.
        func score(_ goal: TuneGoal) -> Double? { typical(goal).flatMap { goal.score($0) } }

        /// Whether no more trials of it are to be had, because too many could not be believed.
        var isGivenUp: Bool { invalid >= SweepSearch.mostInvalid + entries.count }
    }

    private(set) var points: [SweepPoint: Known] = [:]
    /// Trials so far, INVALID ones included.
    private(set) var count = 0

    subscript(_ point: SweepPoint) -> Known { points[point] ?? Known() }

    mutating func record(_ outcome: TrialOutcome, at point: SweepPoint) {
        switch outcome {
        case .valid(let facts): points[point, default: Known()].entries.append(Entry(facts: facts, number: count))
        case .invalid: points[point, default: Known()].invalid += 1
        }
        count += 1
    }

    /// How many were INVALID.
    var dropped: Int { points.values.reduce(0) { $0 + $1.invalid } }

    /// How far two trials of one pool in a row are apart, as a share of the larger: the median over all pairs.
    ///
    /// Nil where nothing was repeated. The median, because what is rare and far off is no measure of what is usual.
    func scatter(_ goal: TuneGoal) -> Double? {
        var differences: [Double] = []
        for known in points.values {
            let scores = known.entries.compactMap { goal.score($0.facts) }
            for (before, after) in zip(scores, scores.dropFirst()) {
                differences.append(abs(before - after) / max(before, after))
            }
        }
        differences.sort()
        return differences.isEmpty ? nil : differences[differences.count / 2]
    }
}

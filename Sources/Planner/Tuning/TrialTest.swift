/// Whether a pool is worse than the best by more than chance explains: Wald's sequential test.
///
/// A trial speaks against a pool when it falls short of the best by more than ``SweepSearch/tolerance`` though all that is chance
/// within it is counted in its favour. A pool that is as good has such a trial by bad luck, say, one time in four, and a
/// pool that is worse three times in four. So each trial changes the odds by a factor of three, and the pool counts as worse once three
/// more speak against it than for it: 27 to 1. Until then it is as good as the best.
///
/// The best has chance of its own. What it stands for is the median of its trials, of which it gets as many as the pool that
/// it is held against; and since a machine has better and worse times, it is tried again between the other's trials, and a trial that is no
/// worse than the one of the best nearest to it in time does not speak against its pool.
struct TrialTest {
    enum Verdict: Equatable {
        case asGood
        case worse
        /// The pool has to be tried again before anything can be said.
        case open
        /// The same of the best.
        case needsBest
        /// All the trials that a pool may have say neither.
        case undecided
    }

    /// So many more trials against a pool than for it make it worse.
    static let lead = 3
    /// So many more for it than against it make an answer of it.
    static let confirmingLead = 2
    /// Trials that the best has before anything is called worse for small differences.
    static let reference = 3
    /// So many times what two trials of one pool usually differ by is never chance, with bounds for what is usual.
    private static let chance = 10.0
    private static let leastChance = 0.1
    private static let mostChance = 0.25
    /// Trials of a pool before it is left undecided.
    static let most = 7

    private let goal: TuneGoal
    private let best: [TrialLog.Entry]
    private let canTryBest: Bool
    private let reference: Double
    /// By how much a trial may fall short by chance.
    private let chance: Double

    /// - Parameters:
    ///   - best: the trials of the best and its equals, in order; at least one, and most of them meet the goal.
    ///   - scatter: how far two trials of one pool are apart; nil where that is not known yet.
    init(_ goal: TuneGoal, best: [TrialLog.Entry], canTryBest: Bool, scatter: Double?) {
        self.goal = goal
        self.best = best
        self.canTryBest = canTryBest
        let scores = best.map { goal.score($0.facts) ?? 0 }.sorted()
        reference = scores[(scores.count - 1) / 2]
        chance = min(Self.mostChance, max(Self.leastChance, Self.chance * (scatter ?? 1)))
    }

    /// What the trials of a pool say.
    ///
    /// - Parameter confirming: whether it takes more than one trial to call it as good.
    func verdict(on pool: TrialLog.Known, confirming: Bool = false) -> Verdict {
        let count = pool.entries.count
        guard count > 0 else { return pool.isGivenUp ? .worse : .open }
        let lead = lead(against: pool)
        if lead == count, pool.entries.contains(where: { goal.isFarBelow(reference, $0.facts, chance: chance) }) {
            return .worse
        }
        if lead >= Self.lead { return isComparable(with: pool) ? .worse : .needsBest }
        if lead <= (confirming ? -Self.confirmingLead : -1) { return .asGood }
        if pool.isGivenUp { return lead > 0 ? .worse : .undecided }
        if count >= Self.most { return .undecided }
        // The best first, for what it is held against is no surer than a trial of its own.
        return lead > 0 && !misses(pool) && best.count < min(count + 1, Self.reference) && canTryBest
            ? .needsBest : .open
    }

    /// Whether more trials speak against a pool than for it.
    func leansAgainst(_ pool: TrialLog.Known) -> Bool { lead(against: pool) > 0 }

    /// How many more trials speak against a pool than for it.
    private func lead(against pool: TrialLog.Known) -> Int {
        2 * pool.entries.count { speaksAgainst($0) } - pool.entries.count
    }

    /// Whether no trial of a pool meets the goal's own condition, for which it need not be compared with anything.
    private func misses(_ pool: TrialLog.Known) -> Bool {
        pool.entries.allSatisfy { goal.hopefulScore($0.facts) == nil }
    }

    /// Whether the best has trials enough, one of them since the pool's first.
    private func isComparable(with pool: TrialLog.Known) -> Bool {
        guard canTryBest, !misses(pool), let first = pool.entries.first, let last = best.last else { return true }
        return best.count >= Self.reference && last.number > first.number
    }

    private func speaksAgainst(_ entry: TrialLog.Entry) -> Bool {
        guard let hopeful = goal.hopefulScore(entry.facts) else { return nearest(to: entry) != nil }
        return hopeful < (1 - SweepSearch.tolerance) * min(reference, nearest(to: entry) ?? 0)
    }

    /// What the best reached at about the time of a trial; nil where it missed the goal.
    private func nearest(to entry: TrialLog.Entry) -> Double? {
        best.min { abs($0.number - entry.number) < abs($1.number - entry.number) }
            .flatMap { goal.score($0.facts) }
    }
}

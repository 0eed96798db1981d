/// One walk through a sweep as far as its trials allow: to the answer, or to the point that has to be tried next.
struct SweepWalk {
    /// A point that must be tried before the search can go on.
    struct Need: Error {
        var point: SweepPoint
    }

    private let axes: [SweepAxis]
    private let goal: TuneGoal
    private let order: [SweepPoint]
    private let log: TrialLog
    /// Whether no more trials are to be had, so that what is open is decided by what there is.
    private let isLast: Bool
    private let best: (point: SweepPoint, score: Double)?
    private let test: TrialTest?
    /// Whether a pool was met of which the trials say neither that it is worse nor that it is as good.
    private var hasDoubts = false

    init(axes: [SweepAxis], goal: TuneGoal, order: [SweepPoint], log: TrialLog, isLast: Bool) {
        self.axes = axes
        self.goal = goal
        self.order = order
        self.log = log
        self.isLast = isLast
        best = Self.best(of: log.points, goal)
        test = best.map { best in
            TrialTest(
                goal,
                best: Self.equals(of: best.score, in: log, goal),
                canTryBest: !log[best.point].isGivenUp,
                scatter: log.scatter(goal)
            )
        }
    }

    /// The trials of all pools whose median is within the tolerance of the best, in order.
    private static func equals(of score: Double, in log: TrialLog, _ goal: TuneGoal) -> [TrialLog.Entry] {
        log.points.values
            .filter { known in known.score(goal).map { $0 >= score * (1 - SweepSearch.tolerance) } ?? false }
            .flatMap(\.entries).sorted { $0.number < $1.number }
    }

    /// The best of all points that are known so far.
    ///
    /// Of many that are equal the luckiest looks best: so one of few trials has to be better by more than the tolerance.
    private static func best(
        of points: [SweepPoint: TrialLog.Known],
        _ goal: TuneGoal
    ) -> (point: SweepPoint, score: Double)? {
        var (found, most): ((SweepPoint, Double)?, Double) = (nil, 0)
        for (point, known) in points.sorted(by: { $0.key < $1.key }) {
            guard let score = known.score(goal) else { continue }
            let sure = known.entries.count >= TrialTest.reference ? score : score * (1 - SweepSearch.tolerance)
            if sure > most { (found, most) = ((point, score), sure) }
        }
        return found
    }

    /// What was found; nil where no trial met the goal.
    mutating func answer() throws(Need) -> SweepSearch.Answer? {
        for point in order where log[point].entries.isEmpty && !log[point].isGivenUp && !isLast {
            throw Need(point: point)
        }
        guard let best else { return try findAny() }
        // From a coarse point, so that the way does not change with every trial that is a little better.
        let coarse = log.points.filter { order.contains($0.key) }
        var current = Self.best(of: coarse, goal)?.point ?? best.point
        try climb(&current)
        // What was met on other ways may be better after all.
        if verdict(current) == .worse { current = best.point }
        for _ in 0..<8 {
            let before = current
            for axis in axes.indices { try shrink(&current, along: axis) }
            if current == before { break }
        }
        try confirm(current)
        let least = least(from: current)
        return .init(
            point: current,
            best: best.point,
            least: least,
            isSettled: !isLast && !hasDoubts && least == current
        )
    }

    /// Nothing meets the goal, which may be bad luck where it is missed by little.
    private func findAny() throws(Need) -> SweepSearch.Answer? {
        for point in order where !isLast {
            let known = log[point]
            guard !known.isGivenUp, known.entries.count < TrialTest.lead else { continue }
            if known.facts.contains(where: { !goal.isFarBelow(0, $0, chance: 0) }) { throw Need(point: point) }
        }
        return nil
    }

    // MARK: What is as good as the best

    private mutating func isAsGood(_ point: SweepPoint, confirming: Bool = false) throws(Need) -> Bool {
        guard let best, let test else { return false }
        guard point != best.point else { return true }
        let known = log[point]
        let need: SweepPoint
        switch test.verdict(on: known, confirming: confirming) {
        case .asGood: return true
        case .worse: return false
        case .undecided:
            hasDoubts = true
            return !test.leansAgainst(known)
        case .open: need = point
        case .needsBest: need = best.point
        }
        guard isLast else { throw Need(point: need) }
        return !known.entries.isEmpty && !test.leansAgainst(known)
    }

    /// What the trials that there are say of a point, without asking for more.
    private func verdict(_ point: SweepPoint) -> TrialTest.Verdict {
        point == best?.point ? .asGood : test?.verdict(on: log[point]) ?? .open
    }

    // MARK: The steps of the search

    /// Goes on from the best coarse point to where it gets no better.
    private mutating func climb(_ current: inout SweepPoint) throws(Need) {
        for axis in axes.indices {
            let lattice = Set(order.map { $0.places[axis] }).sorted()
            var low = current.places[axis]
            guard var high = lattice.first(where: { $0 > low }) else { continue }
            // Nothing better lies between where the pool is no limit any more, or the next coarse point is about as good.
            guard let facts = log[current].typical(goal), facts.streamShare >= Self.full,
                try isMuchWorse(current.replacing(axis, by: high))
            else { continue }
            var reached = log[current].score(goal) ?? 0
            while high - low > 1 {
                let middle = low + (high - low) / 2
                let point = current.replacing(axis, by: middle)
                if let score = log[point].score(goal), score > reached * (1 + Self.step) {
                    (low, reached) = (middle, score)
                } else if try isAsGood(point) {
                    // As good, but no better: that is the plateau.
                    low = middle
                    break
                } else {
                    high = middle
                }
            }
            current = current.replacing(axis, by: low)
        }
    }

    /// Of the streams of a pool that never were all in use, less than this share was.
    private static let full = 0.99

    /// Whether a pool is too large for the goal, or so far from the best that a peak may lie before it.
    private mutating func isMuchWorse(_ point: SweepPoint) throws(Need) -> Bool {
        guard log[point].score(goal) == nil || verdict(point) == .worse else { return false }
        return try !isAsGood(point)
    }

    /// By how much more a larger pool has to be better so that the search goes on from there.
    private static let step = SweepSearch.tolerance / 2

    /// The smallest place along an axis that is still as good as the best.
    private mutating func shrink(_ current: inout SweepPoint, along axis: Int) throws(Need) {
        let start = current
        func point(_ place: Int) -> SweepPoint { start.replacing(axis, by: place) }
        var high = start.places[axis]
        // What is known need not be tried again.
        var low = (0..<high).last { verdict(point($0)) == .worse } ?? -1
        high = (low + 1..<high).first { verdict(point($0)) == .asGood } ?? high
        func look(at place: Int) throws(Need) {
            guard low < place, place < high else { return }
            if try isAsGood(point(place)) { high = place } else { low = place }
        }
        // Little's law says where the answer should be: if it is right, that place and the one below are all it takes.
        if let expected = expectedPlace(from: start, along: axis, above: low) {
            try look(at: expected)
            if expected == high { try look(at: high - 1) } else if expected == low { try look(at: low + 1) }
        }
        while high - low > 1 {
            try look(at: low + (high - low) / 2)
        }
        current = point(high)
    }

    /// The place where the pool just does what the best does, as far as trials so far tell: what it has to hold by Little's law,
    /// and what it carries if a pool that is too small tells what each of its parts does.
    private func expectedPlace(from current: SweepPoint, along axis: Int, above low: Int) -> Int? {
        let quickest = log.points.values.flatMap(\.entries).map(\.facts.serviceP50).min()
        guard let best, let quickest, let facts = log[best.point].typical(goal), let own = log[current].typical(goal),
            own.capacity > 0
        else { return nil }
        let rate = goal.neededRate(facts.rate, tolerance: SweepSearch.tolerance)
        let values = axes[axis].values
        let inFlight = rate * Double(quickest) / 1e9
        var value = Double(values[current.places[axis]]) * inFlight / Double(own.capacity)
        if low >= 0, let small = log[current.replacing(axis, by: low)].typical(goal), small.carried > 0 {
            value = max(value, Double(values[low]) * rate / small.carried)
        }
        return values.firstIndex { Double($0) >= value }
    }

    /// The answer and the best are tried again, until chance has no part in it.
    private mutating func confirm(_ current: SweepPoint) throws(Need) {
        _ = try isAsGood(current, confirming: true)
        guard let best, !isLast, !log[best.point].isGivenUp else { return }
        if log[best.point].entries.count < TrialTest.reference { throw Need(point: best.point) }
    }

    /// The places down to which no trial says that a pool is too small.
    private func least(from answer: SweepPoint) -> SweepPoint {
        var least = answer
        for axis in axes.indices {
            let place = answer.places[axis]
            let worse = (0..<place).last { verdict(answer.replacing(axis, by: $0)) == .worse }
            least.places[axis] = (worse ?? -1) + 1
        }
        return least
    }
}

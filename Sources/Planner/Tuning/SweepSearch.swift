import LoadPlan

/// A place of a sweep: for each axis the number of its value.
package struct SweepPoint: Sendable, Hashable, Comparable, Codable {
    package var places: [Int]

    package init(_ places: [Int]) { self.places = places }

    /// By the first axis, which is the dearest, then the next.
    package static func < (left: SweepPoint, right: SweepPoint) -> Bool {
        left.places.lexicographicallyPrecedes(right.places)
    }

    func replacing(_ axis: Int, by place: Int) -> SweepPoint {
        var places = places
        places[axis] = place
        return SweepPoint(places)
    }
}

/// Finds the smallest pool that is as good as the best, in few trials: from coarse to fine, in random order, again until the
/// answer is stable.
///
/// A pure state machine: ``next`` names the point to try, ``record(_:at:)`` takes what came of it. All that is known are the
/// trials; from them ``next`` goes through the search anew each time until it meets a point that it has to know more about.
/// So nothing depends on anything but axes, goal, seed and outcomes.
package struct SweepSearch: Sendable {
    /// What was found.
    package struct Answer: Sendable, Equatable {
        /// The smallest pool within ``SweepSearch/tolerance`` of the best.
        package var point: SweepPoint
        /// The best that was seen.
        package var best: SweepPoint
    }

    /// What is known of a point.
    private struct Known {
        var facts: [TrialFacts] = []
        var invalid = 0
    }

    /// A point that must be tried before the search can go on.
    private struct Need: Error {
        var point: SweepPoint
    }

    /// A pool that is worse by no more than this share is as good as the best.
    package static let tolerance = 0.02
    /// Trials of a point that were all INVALID before it is given up.
    package static let mostInvalid = 3
    /// Valid trials that the answer and its neighbours have in the end.
    package static let confirming = 3

    package let axes: [SweepAxis]
    package let goal: TuneGoal
    private let order: [SweepPoint]
    private var known: [SweepPoint: Known] = [:]
    /// Trials so far, INVALID ones included.
    package private(set) var trials = 0

    package init(_ axes: [SweepAxis], goal: TuneGoal, seed: UInt64) {
        precondition(!axes.isEmpty, "a sweep of nothing")
        self.axes = axes.sorted { Self.price($0.knob) < Self.price($1.knob) }
        self.goal = goal
        order = Self.coarse(self.axes)
            .sorted { Self.key($0, seed) < Self.key($1, seed) }
    }

    private static func price(_ knob: SweepKnob) -> Int { SweepKnob.allCases.firstIndex(of: knob) ?? 0 }

    private static func key(_ point: SweepPoint, _ seed: UInt64) -> UInt64 {
        point.places.reduce(scramble(seed)) { scramble($0 ^ UInt64($1)) }
    }

    /// All points of a full grid.
    package var gridSize: Int { axes.reduce(1) { $0 * $1.values.count } }

    /// A few values of each axis, in all combinations; fewer of each, the more axes there are.
    private static func coarse(_ axes: [SweepAxis]) -> [SweepPoint] {
        var points = [SweepPoint([])]
        for axis in axes {
            let most = axes.count == 1 ? 4 : 3
            let places = axis.coarse(min(most, axis.values.count))
            points = points.flatMap { point in places.map { SweepPoint(point.places + [$0]) } }
        }
        return points
    }

    /// The point to try next; nil when the answer is stable.
    package var next: SweepPoint? {
        do throws(Need) {
            _ = try search()
            return nil
        } catch {
            return error.point
        }
    }

    /// What was found; nil while the search goes on, or where no trial met the goal.
    package var answer: Answer? {
        do throws(Need) { return try search() } catch { return provisional }
    }

    /// Takes what came of a trial.
    package mutating func record(_ outcome: TrialOutcome, at point: SweepPoint) {
        trials += 1
        switch outcome {
        case .valid(let facts): known[point, default: Known()].facts.append(facts)
        case .invalid: known[point, default: Known()].invalid += 1
        }
    }

    /// The trials of a point that count.
    package func facts(at point: SweepPoint) -> [TrialFacts] { known[point]?.facts ?? [] }

    /// How many trials were dropped because they were INVALID.
    package var dropped: Int { known.values.reduce(0) { $0 + $1.invalid } }

    /// Points of which no trial could be believed.
    package var unbelievable: [SweepPoint] {
        known.filter { $0.value.facts.isEmpty && $0.value.invalid >= Self.mostInvalid }.keys.sorted()
    }

    // MARK: The search

    /// The median of a point's scores; nil where it misses the goal or can't be measured.
    private func score(_ point: SweepPoint, trials: Int = 1) throws(Need) -> Double? {
        let known = known[point] ?? Known()
        guard
            known.facts.count >= trials || (known.facts.isEmpty && known.invalid >= Self.mostInvalid)
                || known.invalid >= Self.mostInvalid + known.facts.count
        else { throw Need(point: point) }
        return median(known.facts)
    }

    private func median(_ facts: [TrialFacts]) -> Double? {
        // One that misses the goal is worse than all that meet it.
        let scores = facts.map { goal.score($0) ?? -1 }.sorted()
        guard !scores.isEmpty else { return nil }
        let middle = scores[(scores.count - 1) / 2]
        return middle < 0 ? nil : middle
    }

    /// The best of all points that are known so far.
    private var bestKnown: (point: SweepPoint, score: Double)? {
        known.keys.sorted()
            .reduce(nil) { best, point in
                guard let score = median(known[point]?.facts ?? []), score > best?.score ?? 0 else { return best }
                return (point, score)
            }
    }

    private func isGood(_ score: Double?) -> Bool {
        guard let score, let best = bestKnown else { return false }
        return score >= best.score * (1 - Self.tolerance)
    }

    private func search() throws(Need) -> Answer? {
        for point in order { _ = try score(point) }
        guard var current = bestKnown?.point else { return nil }
        try climb(&current)
        var rounds = 0
        repeat {
            let before = current
            for axis in axes.indices { try shrink(&current, along: axis) }
            rounds += 1
            if current == before { break }
        } while rounds < 8
        try confirm(current)
        guard let best = bestKnown else { return nil }
        return Answer(point: current, best: best.point)
    }

    /// Goes on from the best coarse point to where it gets no better.
    private func climb(_ current: inout SweepPoint) throws(Need) {
        for axis in axes.indices {
            let lattice = Set(order.map { $0.places[axis] }).sorted()
            var low = current.places[axis]
            guard var high = lattice.first(where: { $0 > low }) else { continue }
            let start = try score(current) ?? 0
            // Where the next coarse point is as good, nothing better lies between.
            if isGood(try score(current.replacing(axis, by: high))) { continue }
            var best = start
            while high - low > 1 {
                let middle = low + (high - low) / 2
                let found = try score(current.replacing(axis, by: middle)) ?? 0
                guard found > best * (1 + Self.tolerance / 2) else {
                    high = middle
                    continue
                }
                (low, best) = (middle, found)
            }
            current = current.replacing(axis, by: low)
        }
    }

    /// The smallest place along an axis that is still as good as the best.
    private func shrink(_ current: inout SweepPoint, along axis: Int) throws(Need) {
        var high = current.places[axis]
        guard high > 0 else { return }
        var low = -1
        // What is known to be too small need not be tried again.
        for place in stride(from: high - 1, through: 0, by: -1) {
            guard let known = known[current.replacing(axis, by: place)], !known.facts.isEmpty else { continue }
            if isGood(median(known.facts)) {
                high = place
            } else {
                low = place
                break
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isGood(try score(current.replacing(axis, by: middle))) { high = middle } else { low = middle }
        }
        current = current.replacing(axis, by: high)
    }

    /// The answer, the best and the next smaller pools are tried again, until chance has no part in it.
    private func confirm(_ current: SweepPoint) throws(Need) {
        _ = try score(current, trials: Self.confirming)
        if let best = bestKnown?.point { _ = try score(best, trials: Self.confirming) }
        for axis in axes.indices where current.places[axis] > 0 {
            let smaller = current.replacing(axis, by: current.places[axis] - 1)
            _ = try score(smaller, trials: 2)
        }
    }

    /// The smallest of the known points that are as good as the best, for a search that was cut short.
    private var provisional: Answer? {
        guard let best = bestKnown else { return nil }
        let good = known.keys.filter { isGood(median(known[$0]?.facts ?? [])) }.min() ?? best.point
        return Answer(point: good, best: best.point)
    }
}

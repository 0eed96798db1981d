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
/// So nothing depends on anything but axes, goal, seed and outcomes. Whether one pool is worse than another is ``TrialTest``'s.
package struct SweepSearch: Sendable {
    /// What was found.
    package struct Answer: Sendable, Equatable {
        /// The smallest pool that is not shown to be worse than the best by more than ``SweepSearch/tolerance``.
        package var point: SweepPoint
        /// The best that was seen.
        package var best: SweepPoint
        /// The smallest pools that the trials leave possible, one for each axis; the answer itself where they are settled.
        package var least: SweepPoint
        /// Whether the trials that there were are enough for it.
        package var isSettled: Bool
    }

    /// A pool that is worse by no more than this share is as good as the best.
    package static let tolerance = 0.02
    /// Trials of a point that were all INVALID before it is given up.
    package static let mostInvalid = 4
    /// So many valid trials are always allowed, though the grid be small.
    private static let fewestTrials = 16

    package let axes: [SweepAxis]
    package let goal: TuneGoal
    private let order: [SweepPoint]
    private var log = TrialLog()

    /// - Parameter seed: of the order in which the first points are tried.
    package init(_ axes: [SweepAxis], goal: TuneGoal, seed: UInt64) {
        precondition(!axes.isEmpty, "a sweep of nothing")
        // The first axis is the dearest, whatever order they were given in.
        self.axes = axes.sorted { Self.price($0.knob) < Self.price($1.knob) }
        self.goal = goal
        order = Self.coarse(self.axes).sorted { Self.key($0, seed) < Self.key($1, seed) }
    }

    private static func price(_ knob: SweepKnob) -> Int { SweepKnob.allCases.firstIndex(of: knob) ?? 0 }

    private static func key(_ point: SweepPoint, _ seed: UInt64) -> UInt64 {
        point.places.reduce(scramble(seed)) { scramble($0 ^ UInt64($1)) }
    }

    /// All points of a full grid.
    package var gridSize: Int { axes.reduce(1) { $0 * $1.values.count } }

    /// Valid trials at most: a quarter of what the full grid would take.
    package var mostTrials: Int { max(Self.fewestTrials, gridSize / 4) }

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

    /// The point to try next; nil when the answer is stable, or as many trials were made as may be.
    package var next: SweepPoint? {
        guard trials - dropped < mostTrials else { return nil }
        var walk = walk(isLast: false)
        do throws(SweepWalk.Need) {
            _ = try walk.answer()
            return nil
        } catch {
            return error.point
        }
    }

    /// What the trials so far say; nil where none of them met the goal.
    package var answer: Answer? {
        for isLast in [false, true] {
            var walk = walk(isLast: isLast)
            do throws(SweepWalk.Need) { return try walk.answer() } catch { continue }
        }
        return nil
    }

    private func walk(isLast: Bool) -> SweepWalk {
        SweepWalk(axes: axes, goal: goal, order: order, log: log, isLast: isLast)
    }

    /// Takes what came of a trial.
    package mutating func record(_ outcome: TrialOutcome, at point: SweepPoint) { log.record(outcome, at: point) }

    /// Trials so far, INVALID ones included.
    package var trials: Int { log.count }

    /// The trials of a point that count.
    package func facts(at point: SweepPoint) -> [TrialFacts] { log[point].facts }

    /// The one of a point's trials that is neither among its better nor among its worse.
    package func typical(at point: SweepPoint) -> TrialFacts? { log[point].typical(goal) }

    /// How many trials were dropped because they were INVALID.
    package var dropped: Int { log.dropped }

    /// How far two trials of one pool in a row are apart, as a share; nil where nothing was repeated.
    package var scatter: Double? { log.scatter(goal) }

    /// Points of which no trial could be believed.
    package var unbelievable: [SweepPoint] {
        log.points.filter { $0.value.entries.isEmpty && $0.value.isGivenUp }.keys.sorted()
    }
}

/// When the pushes of one lane in one round of a phase fall due: pure arithmetic from a push's number to its time and back.
///
/// Pushes are numbered from 0, times count from the round's start. Push n is due when the area under the lane's rate reaches
/// n plus a fixed offset below 1 (see ``split(_:weights:)``), rounded down to a nanosecond. No time is made from another
/// time, so there is no drift, and any worker can compute its own pushes.
package struct Pacer: Sendable {
    /// How many pushes fall due.
    package let count: UInt64
    /// Those with a rate above zero, in order.
    let segments: [Segment]
    /// Poisson arrivals instead of even ones.
    let poisson: PoissonTimes?
    /// Times that were given one by one instead of rates.
    let replay: ReplayTimes?

    /// The whole area under the rate, in the unit of the segments.
    private let area: UInt128

    private init(segments: [Segment], poisson: PoissonTimes?) {
        self.segments = segments
        self.poisson = poisson
        replay = nil
        count = segments.last.map { $0.first + $0.count } ?? 0
        area = segments.last.map { $0.areaBefore + $0.area } ?? 0
    }

    /// The times of a replay.
    init(_ replay: ReplayTimes) {
        (segments, poisson, area) = ([], nil, 0)
        self.replay = replay
        count = replay.count
    }

    /// When a push is due: from 0 to the phase's duration, less a nanosecond.
    ///
    /// Precondition: `n` is below `count`.
    package func due(of n: UInt64) -> Int64 {
        precondition(n < count, "Pacer: push \(n) of \(count)")
        if let replay { return replay.due(of: n) }
        guard let poisson else {
            let segment = segments[segmentIndex(of: n)]
            return segment.due(of: n - segment.first)
        }
        return time(atPosition: poisson.position(of: n))
    }

    /// How many pushes are due at a time or before.
    package func count(atElapsed elapsed: Int64) -> UInt64 {
        if let replay { return replay.count(atElapsed: elapsed) }
        if let poisson { return poisson.count { time(atPosition: $0) <= elapsed } }
        // `due` never falls, so the answer is the first push that is due later.
        var (low, high) = (UInt64(0), count)
        while low < high {
            let middle = low + (high - low) / 2
            if due(of: middle) <= elapsed { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The segment that a push falls into.
    func segmentIndex(of n: UInt64) -> Int { lastIndex { $0.first <= n } }

    /// The time at which a part of the whole area is reached; `position` counts in 1 / 2^62.
    func time(atPosition position: UInt64) -> Int64 {
        let (high, low) = product(position, area)
        let reached = UInt128(high) << (128 - PoissonTimes.positionBits) | low >> PoissonTimes.positionBits
        let segment = segments[lastIndex { $0.areaBefore <= reached }]
        return segment.start + segment.time(atArea: reached - segment.areaBefore)
    }

    /// The last segment for which `holds` is true; it is true for the first and never again true after it was false.
    private func lastIndex(where holds: (Segment) -> Bool) -> Int {
        var (low, high) = (0, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(segments[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}

extension Pacer {
    /// Splits rates among lanes in the proportion of `weights`: one pacer for each lane.
    ///
    /// A lane's rate is exactly its fraction of the whole. Its pushes are offset so that the lanes' counts sum to the count
    /// of an unsplit plan: each lane's first push carries what the lanes before it left of a push.
    static func split(_ rates: RateLines, weights: [UInt64]) throws(RateLines.TooFine) -> [Pacer] {
        let divisor = weights.reduce(0, greatestCommonDivisor)
        guard divisor > 0 else { return weights.map { _ in Pacer(segments: [], poisson: nil) } }
        let weights = weights.map { $0 / divisor }
        let denominator = UInt128(rates.unit) * UInt128(weights.reduce(0, +))
        guard denominator < RateLines.largestUnit else { throw RateLines.TooFine() }
        var offset: UInt128 = 0
        return weights.map { weight in
            let pacer = Pacer(rates, weight: weight, push: 2 * denominator, offset: offset)
            offset = pacer.segments.last?.carried ?? offset
            return pacer
        }
    }

    private init(_ rates: RateLines, weight: UInt64, push: UInt128, offset: UInt128) {
        var segments: [Segment] = []
        var (first, offset, areaBefore) = (UInt64(0), offset, UInt128(0))
        for line in rates.lines where weight > 0 && (line.from > 0 || line.to > 0) {
            let segment = Segment(
                line,
                weight: weight,
                push: push,
                first: first,
                offset: offset,
                areaBefore: areaBefore
            )
            segments.append(segment)
            first += segment.count
            offset = segment.carried
            areaBefore += segment.area
        }
        self.init(segments: segments, poisson: nil)
    }

    /// The same number of pushes at the same rates, at the times of a seeded Poisson process.
    func withPoissonArrivals(seed: UInt64) -> Pacer {
        Pacer(segments: segments, poisson: PoissonTimes(seed: seed, count: count))
    }
}

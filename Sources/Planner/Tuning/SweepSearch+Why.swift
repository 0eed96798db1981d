/// Why the answer is what it is.
extension SweepSearch {
    /// A worker this busy is at its end.
    private static let busy = 0.9
    /// So much longer at the host than in the smallest pool means that pushes queue there.
    private static let queueing = 1.25
    private static let someRefused = 0.005
    private static let almostAll = 0.95

    /// What keeps the pool of an answer, and any larger one, from doing better.
    package func cause(of answer: Answer) -> TuneCause {
        guard let found = facts(at: answer.best).last else { return .generator }
        let all = points.flatMap { facts(at: $0) }
        if found.refusedShare > Self.someRefused || all.contains(where: { $0.refusedShare > Self.someRefused }) {
            return .quota
        }
        if found.workerCPU > Self.busy || !unbelievable.isEmpty { return .generator }
        if case .lowestLatency = goal, found.streamShare < Self.almostAll { return .load }
        let atEdge = axes.indices.allSatisfy { answer.best.places[$0] == axes[$0].values.count - 1 }
        let quickest = all.map(\.serviceP50).min() ?? found.serviceP50
        let slowest = all.map(\.serviceP50).max() ?? found.serviceP50
        if Double(slowest) > Double(quickest) * Self.queueing { return .host }
        return atEdge || found.streamShare >= Self.almostAll ? .streams : .load
    }

    /// All that were tried, in order.
    package var points: [SweepPoint] {
        var points: [SweepPoint] = []
        var place = SweepPoint(Array(repeating: 0, count: axes.count))
        // Points are few: walking the grid in order is cheap beside a trial.
        while true {
            if !facts(at: place).isEmpty { points.append(place) }
            guard advance(&place) else { return points }
        }
    }

    private func advance(_ point: inout SweepPoint) -> Bool {
        for axis in axes.indices.reversed() {
            if point.places[axis] + 1 < axes[axis].values.count {
                point.places[axis] += 1
                return true
            }
            point.places[axis] = 0
        }
        return false
    }

    /// The value of a knob at a point; nil where the sweep leaves it alone.
    package func value(of knob: SweepKnob, at point: SweepPoint) -> Int? {
        axes.firstIndex { $0.knob == knob }.map { axes[$0].values[point.places[$0]] }
    }
}

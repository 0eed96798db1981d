/// One side of a comparison: runs, or what was once recorded of them.
package enum ComparedSide: Sendable {
    /// Not empty.
    case runs([RunRecord])
    case baseline(Baseline)

    var baseline: Baseline? {
        guard case .baseline(let baseline) = self else { return nil }
        return baseline
    }

    /// The number of runs; nil for a baseline.
    var count: Int? {
        guard case .runs(let records) = self else { return nil }
        return records.count
    }

    /// The run, where there is only one.
    var only: RunRecord? {
        guard case .runs(let records) = self, records.count == 1 else { return nil }
        return records[0]
    }

    var lanes: [String] {
        switch self {
        case .runs(let records): records[0].lanes.map(\.name)
        case .baseline(let baseline): baseline.limits.map(\.lane)
        }
    }

    /// One for each run that has the number.
    func values(of metric: ComparedMetric) -> [Double] {
        switch self {
        case .runs(let records): records.compactMap(metric.value)
        case .baseline(let baseline): baseline.value(lane: metric.lane, name: metric.name).map { [$0] } ?? []
        }
    }

    /// What the numbers were made with and on, by the run.
    var facts: [EnvironmentDifferences.Facts] {
        switch self {
        case .runs(let records): records.map(EnvironmentDifferences.facts)
        case .baseline(let baseline): [EnvironmentDifferences.facts(baseline)]
        }
    }
}

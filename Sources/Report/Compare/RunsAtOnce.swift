/// Runs of two sides that went on side by side, one of each at a time, so that whatever happened on the machine met both.
///
/// Source: L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, "Duet Benchmarking: Improving Measurement Accuracy in the
/// Cloud" (2020).
enum RunsAtOnce {
    /// Each run of one side with the one of the other that it shared its time with; nil where not all of them have one, and
    /// of one run a side, which is compared by its own samples.
    ///
    /// - Returns: in the order of time. Runs shared their time if it was half of the longer's duration and more, on one machine.
    static func pairs(_ first: ComparedSide, _ second: ComparedSide) -> [(first: RunRecord, second: RunRecord)]? {
        guard case .runs(let first) = first, case .runs(let second) = second, first.count == second.count,
            first.count > 1,
            let first = inTurn(first), let second = inTurn(second)
        else {
            return nil
        }
        let pairs = Array(zip(first, second))
        return pairs.allSatisfy(haveSharedTheirTime) ? pairs.map { ($0, $1) } : nil
    }

    /// The runs in the order of time; nil if two of them overlap.
    private static func inTurn(_ runs: [RunRecord]) -> [RunRecord]? {
        let runs = runs.sorted { $0.startedAt.nanoseconds < $1.startedAt.nanoseconds }
        return zip(runs, runs.dropFirst()).allSatisfy { $0.end <= $1.startedAt.nanoseconds } ? runs : nil
    }

    private static func haveSharedTheirTime(_ first: RunRecord, _ second: RunRecord) -> Bool {
        let start = max(first.startedAt.nanoseconds, second.startedAt.nanoseconds)
        let shared = min(first.end, second.end) - start
        return shared >= max(first.duration, second.duration) / 2
            && first.environment.machine == second.environment.machine
    }
}

extension RunRecord {
    /// In nanoseconds since 1970.
    fileprivate var end: Int64 { startedAt.nanoseconds + duration }
}

import Sending

/// Whether results B are worse than results A, number by number.
package struct Comparison: Sendable {
    /// The word for one number.
    package enum Word: String, Sendable {
        case better
        case worse
        case same
        case unknown = "can't tell"
    }

    /// One number on both sides.
    package struct Row: Sendable {
        package var lane: String
        package var name: String
        var unit: ComparedMetric.Unit
        /// Medians over the runs of a side.
        package var first: Double
        package var second: Double
        /// `second - first` by ranks, and its 95% confidence interval; nil where there are too few runs for one.
        package var shift: Double
        package var interval: ClosedRange<Double>?
        package var word: Word
        /// What else there is to say: how many runs a side would tell.
        package var note: String
    }

    package let rows: [Row]
    /// In which ways the sides are not alike, so that a difference may have another cause than the build.
    package let differences: [String]
    package let runs: (first: Int, second: Int)

    /// Compares the runs of two sides; neither is empty.
    ///
    /// - Parameter effect: the least relative difference that counts; tails get twice and four times as much.
    package init(_ first: [RunRecord], _ second: [RunRecord], effect: Double) {
        precondition(!first.isEmpty && !second.isEmpty, "a comparison of nothing")
        runs = (first.count, second.count)
        differences = EnvironmentDifferences.between(first + second)
        let lanes = first[0].lanes.map(\.name).filter { name in second[0].lanes.contains { $0.name == name } }
        rows = ComparedMetric.all(lanes: lanes).compactMap { Judge(metric: $0, effect: effect).row(first, second) }
    }

    package var isWorse: Bool { rows.contains { $0.word == .worse } }
}

/// Comes to a word on one metric.
private struct Judge {
    let metric: ComparedMetric
    let effect: Double
    /// Fewer a side can't show any difference with 95% confidence, however large.
    private static let fewest = 4

    func row(_ first: [RunRecord], _ second: [RunRecord]) -> Comparison.Row? {
        let (left, right) = (first.compactMap(metric.value), second.compactMap(metric.value))
        guard !left.isEmpty, !right.isEmpty else { return nil }
        let ranks = RankStatistics(left, right)
        var row = Comparison.Row(
            lane: metric.lane,
            name: metric.name,
            unit: metric.unit,
            first: RankStatistics.median(left),
            second: RankStatistics.median(right),
            shift: ranks.shift,
            interval: ranks.interval,
            word: .unknown,
            note: ""
        )
        if left.count == 1, right.count == 1, let a = metric.interval(first[0]), let b = metric.interval(second[0]) {
            row.interval = b.lowerBound - a.upperBound...b.upperBound - a.lowerBound
        }
        judge(&row, runs: min(left.count, right.count))
        return row
    }

    private func judge(_ row: inout Comparison.Row, runs: Int) {
        let least = least(of: row.first)
        guard let interval = row.interval else {
            if case .exact = metric.difference {
                row.word = abs(row.shift) < least ? .same : word(row.shift)
            } else {
                row.note = "\(Self.fewest) runs a side would tell"
            }
            return
        }
        let isClear = !interval.contains(0)
        if isClear, abs(row.shift) >= least {
            row.word = word(row.shift)
        } else if isClear || (interval.lowerBound > -least && interval.upperBound < least) {
            row.word = .same
        } else {
            row.note = note(on: row, half: (interval.upperBound - interval.lowerBound) / 2, least: least, runs: runs)
        }
    }

    /// The interval narrows with the square root of the number of runs, until it excludes 0 or all that would count.
    private func note(on row: Comparison.Row, half: Double, least: Double, runs: Int) -> String {
        let room = abs(row.shift) >= least ? abs(row.shift) : least - abs(row.shift)
        guard room > 0 else { return "" }
        let needed = max(Double(max(Self.fewest, runs + 1)), (Double(runs) * half * half / (room * room)).rounded(.up))
        return needed > 99 ? "more than 99 runs a side would tell" : "about \(Int(needed)) runs a side would tell"
    }

    private func least(of first: Double) -> Double {
        switch metric.difference {
        case .relative(let factor): abs(first) * effect * factor
        case .absolute(let least), .exact(let least): least
        }
    }

    private func word(_ shift: Double) -> Comparison.Word {
        (shift < 0) == (metric.direction == .lowerIsBetter) ? .better : .worse
    }
}

/// Comes to a word on one metric.
struct ComparisonJudge {
    /// The most improbable that a false alarm in any row may be.
    static let level = 0.05

    private let metric: ComparedMetric
    private let effect: Double
    private let first: [Double]
    private let second: [Double]
    private let ranks: RankStatistics
    /// From the samples of the only run a side: as shown, and as wide as many rows at once ask for.
    private var single: (shown: ClosedRange<Double>, wide: ClosedRange<Double>)?

    /// Nil where a side lacks the number.
    ///
    /// - Parameter pairs: of runs made at once, if the sides consist of such.
    init?(
        _ metric: ComparedMetric,
        _ first: ComparedSide,
        _ second: ComparedSide,
        pairs: [(first: RunRecord, second: RunRecord)]?,
        effect: Double
    ) {
        self.metric = metric
        self.effect = effect
        self.first = first.values(of: metric)
        self.second = second.values(of: metric)
        guard !self.first.isEmpty, !self.second.isEmpty else { return nil }
        let differences = pairs?
            .compactMap { pair in
                metric.value(pair.first).flatMap { a in metric.value(pair.second).map { $0 - a } }
            }
        if let differences, !differences.isEmpty {
            ranks = RankStatistics(differences: differences)
        } else {
            ranks = RankStatistics(self.first, self.second)
        }
        guard let one = first.only, let other = second.only else { return }
        func between(_ deviations: Double) -> ClosedRange<Double>? {
            guard let a = metric.interval(one, deviations), let b = metric.interval(other, deviations) else {
                return nil
            }
            return b.lowerBound - a.upperBound...b.upperBound - a.lowerBound
        }
        if let shown = between(ComparedMetric.deviationsOf95Percent),
            let wide = between(ComparedMetric.deviationsOf999Permille)
        {
            single = (shown, wide)
        }
    }

    /// Of ranks so far apart when both sides are alike; nil where no test is made: for what is compared exactly, and where
    /// there are too few runs to show anything.
    var probability: Double? { metric.isExact || ranks.interval == nil ? nil : ranks.probability }

    /// - Parameters:
    ///   - probability: the one above, raised for the number of rows.
    ///   - fewest: runs a side without which no row can differ.
    func row(probability: Double?, fewest: Int) -> Comparison.Row {
        var row = Comparison.Row(
            lane: metric.lane,
            name: metric.name,
            unit: metric.unit,
            first: RankStatistics.median(first),
            second: RankStatistics.median(second),
            shift: ranks.shift,
            interval: single?.shown ?? ranks.interval,
            probability: probability,
            word: .unknown,
            note: ""
        )
        let least = least(of: row.first)
        if metric.isExact {
            judgeExactly(&row, least: least)
        } else if let interval = row.interval {
            let isClear = single.map { !$0.wide.contains(0) } ?? ((probability ?? 1) <= Self.level)
            judge(&row, interval, isClear: isClear, least: least, fewest: fewest)
        } else {
            row.note = "\(fewest) runs a side would tell"
        }
        return row
    }

    /// What moves between runs all the same, such as bytes with the size of TLS records, must be apart in all of them.
    private func judgeExactly(_ row: inout Comparison.Row, least: Double) {
        if abs(row.shift) < least {
            row.word = .same
        } else if ranks.interval?.contains(0) == true {
            row.note = "moves from run to run"
        } else {
            row.word = word(row.shift)
        }
    }

    private func judge(
        _ row: inout Comparison.Row,
        _ interval: ClosedRange<Double>,
        isClear: Bool,
        least: Double,
        fewest: Int
    ) {
        if isClear, abs(row.shift) >= least {
            row.word = word(row.shift)
        } else if isClear || (interval.lowerBound > -least && interval.upperBound < least) {
            row.word = .same
        } else {
            let half = (interval.upperBound - interval.lowerBound) / 2
            row.note = note(on: row, half: half, least: least, fewest: fewest)
        }
    }

    /// The interval narrows with the square root of the number of runs, until it excludes 0 or all that would count.
    private func note(on row: Comparison.Row, half: Double, least: Double, fewest: Int) -> String {
        let runs = min(first.count, second.count)
        let room = abs(row.shift) >= least ? abs(row.shift) : least - abs(row.shift)
        guard room > 0 else { return "" }
        let needed = max(Double(max(fewest, runs + 1)), (Double(runs) * half * half / (room * room)).rounded(.up))
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

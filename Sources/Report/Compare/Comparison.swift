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
        /// `second - first` by ranks, over all runs or within pairs, and its 95% confidence interval; nil where there are too few
        /// runs for one.
        package var shift: Double
        package var interval: ClosedRange<Double>?
        /// Of ranks at least so far apart when both sides are alike, raised for the number of rows that were looked at; nil
        /// where no test by ranks was made.
        package var probability: Double?
        package var word: Word
        /// What else there is to say: how many runs a side would tell.
        package var note: String
    }

    package let rows: [Row]
    /// In which ways the sides are not alike, so that a difference may have another cause than the build.
    package let differences: [String]
    /// How many pairs of runs made at once the sides consist of; nil where they don't.
    ///
    /// Each number is then compared within each pair.
    package let pairs: Int?
    /// How many runs a side has; nil for a baseline.
    package let runs: (first: Int?, second: Int?)

    /// Compares the runs of two sides; neither is empty.
    ///
    /// - Parameter effect: the least relative difference that counts; tails get twice and four times as much.
    package init(_ first: [RunRecord], _ second: [RunRecord], effect: Double) {
        self.init(.runs(first), .runs(second), effect: effect)
    }

    /// Compares two sides; what a baseline holds is compared, and nothing else.
    package init(_ first: ComparedSide, _ second: ComparedSide, effect: Double) {
        runs = (first.count, second.count)
        differences = EnvironmentDifferences.between(first.facts + second.facts)
        let lanes = first.lanes.filter(second.lanes.contains)
        let metrics = [first, second].compactMap(\.baseline).first?.metrics ?? ComparedMetric.all(lanes: lanes)
        let pairs = RunsAtOnce.pairs(first, second)
        self.pairs = pairs?.count
        let judges = metrics.compactMap { ComparisonJudge($0, first, second, pairs: pairs, effect: effect) }
        let adjusted = RankStatistics.adjusted(judges.compactMap(\.probability))
        // As many as there are probabilities, in the same order.
        var next = adjusted.makeIterator()
        let level = ComparisonJudge.level / Double(max(1, adjusted.count))
        let fewest = pairs == nil ? RankStatistics.fewest(for: level) : RankStatistics.fewestPairs(for: level)
        rows = judges.map { judge in
            judge.row(probability: judge.probability == nil ? nil : next.next(), fewest: fewest)
        }
    }

    package var isWorse: Bool { rows.contains { $0.word == .worse } }
}

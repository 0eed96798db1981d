/// Two samples compared by ranks: no assumption about how the values are spread.
///
/// Sources: of samples on their own, H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two Random Variables is
/// Stochastically Larger than the Other" (1947); of pairs, F. Wilcoxon, "Individual Comparisons by Ranking Methods" (1945), the
/// test of signed ranks in the form that J. W. Tukey gave it; the intervals are those of J. L. Hodges and E. L. Lehmann,
/// "Estimates of Location Based on Rank Tests" (1963).
struct RankStatistics {
    /// The median of all differences `second - first`; of pairs, that of all means of two of their differences.
    let shift: Double
    /// The 95% confidence interval of the shift; nil for samples too small to have one.
    let interval: ClosedRange<Double>?
    /// The two-sided probability of ranks at least so far apart when the samples are alike.
    let probability: Double

    private static let confidence = 0.95

    /// Samples on their own; both have at least one value.
    init(_ first: [Double], _ second: [Double]) {
        let differences = first.flatMap { a in second.map { $0 - a } }
        self.init(estimates: differences, null: .orders(first.count, second.count))
    }

    /// At least one pair, by its difference `second - first`: what both values of a pair have in common falls out.
    init(differences: [Double]) {
        // As many of these means are above 0 as the ranks of the differences above 0 add up to.
        let means = differences.indices.flatMap { i in (0...i).map { (differences[i] + differences[$0]) / 2 } }
        self.init(estimates: means, null: .signs(differences.count))
    }

    /// - Parameter null: of the number of estimates above 0, of which each is as likely to be as not.
    private init(estimates: [Double], null: NullDistribution) {
        let estimates = estimates.sorted()
        shift = Self.median(sorted: estimates)
        let ties = estimates.count { $0 == 0 }
        let above = Double(estimates.count { $0 > 0 }) + Double(ties) / 2
        let extreme = min(above, Double(estimates.count) - above)
        probability = min(1, 2 * null.probability(upTo: extreme))
        let cut = null.lowest(tail: (1 - Self.confidence) / 2)
        interval = cut == 0 ? nil : estimates[cut - 1]...estimates[estimates.count - cut]
    }

    /// The least size of two samples that, wholly apart, are as improbable as `probability` when alike.
    static func fewest(for probability: Double) -> Int {
        var size = 1
        // Of all orders of 2n values, two have the samples wholly apart.
        var least = 1.0
        while least > probability {
            size += 1
            least *= Double(size) / Double(2 * (2 * size - 1))
        }
        return size
    }

    /// The least number of pairs whose differences, all of one sign, are as improbable as `probability` when both are alike.
    static func fewestPairs(for probability: Double) -> Int {
        var count = 1
        while 2 / Double(1 << count) > probability { count += 1 }
        return count
    }

    /// Probabilities of many tests at once, each raised to the share of false alarms among all that are no less improbable.
    ///
    /// Source: Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate" (1995). Where all is alike, the chance
    /// that any test at all is below a level is that level at most.
    static func adjusted(_ probabilities: [Double]) -> [Double] {
        let count = Double(probabilities.count)
        var adjusted = probabilities
        var least = 1.0
        let order = probabilities.indices.sorted { probabilities[$0] > probabilities[$1] }
        for (index, place) in order.enumerated() {
            least = min(least, probabilities[place] * count / (count - Double(index)))
            adjusted[place] = least
        }
        return adjusted
    }

    static func median(_ values: [Double]) -> Double { median(sorted: values.sorted()) }

    private static func median(sorted values: [Double]) -> Double {
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }
}

/// How often each number of estimates above 0 comes up when both samples are alike.
private struct NullDistribution {
    /// The probability of at most so many.
    private let cumulative: [Double]

    /// - Parameter ways: how many of all equally likely cases have 0, 1, 2, ... above 0.
    private init(ways: [Double]) {
        let all = ways.reduce(0, +)
        var sum = 0.0
        cumulative = ways.map { count in
            sum += count
            return sum / all
        }
    }

    /// Of two samples: every order of their values is as likely as any other.
    static func orders(_ first: Int, _ second: Int) -> NullDistribution {
        // ways[j][u]: orders of i values of one sample and j of the other in which u pairs are turned round; the last value is
        // either of the one, which then adds no pair, or of the other, which adds i.
        let pairs = first * second
        var ways = [[Double]](repeating: [1] + [Double](repeating: 0, count: pairs), count: second + 1)
        for i in 1...first {
            var next = ways
            for j in 1...second {
                for u in 0...pairs { next[j][u] = ways[j][u] + (u >= i ? next[j - 1][u - i] : 0) }
            }
            ways = next
        }
        return NullDistribution(ways: ways[second])
    }

    /// Of pairs: each difference is above 0 as likely as below, whatever its rank.
    static func signs(_ pairs: Int) -> NullDistribution {
        // ways[t]: choices among the ranks so far that add up to t.
        var ways = [1] + [Double](repeating: 0, count: pairs * (pairs + 1) / 2)
        for rank in 1...pairs {
            for sum in stride(from: ways.count - 1, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
        }
        return NullDistribution(ways: ways)
    }

    func probability(upTo number: Double) -> Double {
        // Half a one comes from a tie: the mean of both neighbours.
        let (low, high) = (cumulative[Int(number)], cumulative[min(cumulative.count - 1, Int(number.rounded(.up)))])
        return (low + high) / 2
    }

    /// The largest number that is less probable than `tail` to be undercut: that many of the estimates lie outside.
    func lowest(tail: Double) -> Int { cumulative.firstIndex { $0 > tail } ?? 0 }
}

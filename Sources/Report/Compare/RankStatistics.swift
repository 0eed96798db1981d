/// Two samples compared by ranks: no assumption about how the values are spread.
///
/// Source: H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the
/// Other" (1947); the interval is that of J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests" (1963).
struct RankStatistics {
    /// The median of all differences `second - first`.
    let shift: Double
    /// The 95% confidence interval of the shift; nil for samples too small to have one.
    let interval: ClosedRange<Double>?
    /// The two-sided probability of ranks at least so far apart when the samples are alike.
    let probability: Double

    private static let confidence = 0.95

    /// Both samples have at least one value.
    init(_ first: [Double], _ second: [Double]) {
        let differences = first.flatMap { a in second.map { $0 - a } }.sorted()
        shift = Self.median(sorted: differences)
        let ties = differences.count { $0 == 0 }
        let above = Double(differences.count { $0 > 0 }) + Double(ties) / 2
        let null = NullDistribution(first.count, second.count)
        let extreme = min(above, Double(differences.count) - above)
        probability = min(1, 2 * null.probability(upTo: extreme))
        let cut = null.lowest(tail: (1 - Self.confidence) / 2)
        interval = cut == 0 ? nil : differences[cut - 1]...differences[differences.count - cut]
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

/// How often each count of pairs "second above first" comes up when both samples are alike.
private struct NullDistribution {
    /// The probability of at most so many pairs.
    private let cumulative: [Double]

    init(_ first: Int, _ second: Int) {
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
        let all = ways[second].reduce(0, +)
        var sum = 0.0
        cumulative = ways[second]
            .map { count in
                sum += count
                return sum / all
            }
    }

    func probability(upTo pairs: Double) -> Double {
        // Half a pair comes from a tie: the mean of both neighbours.
        let (low, high) = (cumulative[Int(pairs)], cumulative[min(cumulative.count - 1, Int(pairs.rounded(.up)))])
        return (low + high) / 2
    }

    /// The largest count that is less probable than `tail` to be undercut: that many of the differences lie outside.
    func lowest(tail: Double) -> Int { cumulative.firstIndex { $0 > tail } ?? 0 }
}

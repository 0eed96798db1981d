// Texts of thresholds to values. Nil means "none of the allowed forms"; the field's reader says which those are.

extension ThresholdCondition {
    /// Reads `p(99) < 250ms` as a condition on a metric; spaces between the parts don't matter.
    init?(_ text: String, on metric: ThresholdMetric) {
        guard let start = text.firstIndex(where: { "<>=!".contains($0) }) else { return nil }
        let rest = text[start...]
        // Two-character comparisons come first in the list, or `<=` would be read as `<`.
        guard let comparison = ThresholdComparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }),
            let aggregate = ThresholdAggregate(text[..<start].trimmed),
            let unit = metric.unit(of: aggregate),
            let bound = ThresholdBound(rest.dropFirst(comparison.rawValue.count).trimmed, unit: unit)
        else { return nil }
        self.init(aggregate, comparison, bound)
    }
}

extension ThresholdAggregate {
    private static let words: [ThresholdAggregate] = [.mean, .max, .min, .count, .share, .perSecond]

    fileprivate init?(_ text: Substring) {
        if let word = Self.words.first(where: { $0.text == text }) {
            self = word
            return
        }
        guard text.hasPrefix("p("), text.hasSuffix(")"),
            let number = Quantity.decimal(text.dropFirst(2).dropLast()), number.rest.isEmpty,
            number.digits <= 100 * number.divisor
        else { return nil }
        // One division of whole numbers, so that p(99.9) is the same double as 0.999.
        let (percent, overflow) = number.divisor.multipliedReportingOverflow(by: 100)
        guard !overflow else { return nil }
        self = .percentile(
            String(text.dropFirst(2).dropLast()),
            quantile: Double(number.digits) / Double(percent)
        )
    }
}

extension ThresholdBound {
    private static let byteUnits: [(name: String, bytes: UInt64)] = [
        ("B", 1), ("kB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000),
        ("GiB", 1 << 30),
    ]

    fileprivate init?(_ text: Substring, unit: ThresholdUnit) {
        guard let (numerator, denominator) = Self.fraction(text, unit: unit) else { return nil }
        self.init(numerator, over: denominator, text: String(text))
    }

    private static func fraction(_ text: Substring, unit: ThresholdUnit) -> (UInt64, UInt64)? {
        switch unit {
        case .time: return Quantity.duration(text).map { (UInt64($0), 1) }
        case .count: return Quantity.whole(text).map { ($0, 1) }
        case .rate: return Quantity.rate(text).map { ($0.pushes, $0.nanoseconds) }
        case .number, .share, .bytes: break
        }
        guard let number = Quantity.decimal(text) else { return nil }
        switch (unit, number.rest) {
        case (.number, ""): return (number.digits, number.divisor)
        case (.share, "%"):
            let (divisor, overflow) = number.divisor.multipliedReportingOverflow(by: 100)
            return overflow ? nil : (number.digits, divisor)
        case (.bytes, let name):
            guard let scale = byteUnits.first(where: { $0.name == name })?.bytes else { return nil }
            let (bytes, overflow) = number.digits.multipliedReportingOverflow(by: scale)
            return overflow ? nil : (bytes, number.divisor)
        default: return nil
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

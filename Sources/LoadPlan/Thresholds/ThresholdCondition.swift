/// `<aggregate> <comparison> <value>`, such as `p(99) < 250ms`.
package struct ThresholdCondition: Sendable, Equatable {
    package var aggregate: ThresholdAggregate
    package var comparison: ThresholdComparison
    package var bound: ThresholdBound

    package init(_ aggregate: ThresholdAggregate, _ comparison: ThresholdComparison, _ bound: ThresholdBound) {
        self.aggregate = aggregate
        self.comparison = comparison
        self.bound = bound
    }

    /// With one space between its parts.
    package var text: String { "\(aggregate.text) \(comparison.rawValue) \(bound.text)" }
}

/// How many samples become one value.
package enum ThresholdAggregate: Sendable, Equatable {
    /// The percentile as it was written, and the quantile that it is: `99.9` and 0.999.
    case percentile(String, quantile: Double)
    case mean, max, min
    case count
    /// Of the planned pushes, or of one core.
    case share
    case perSecond

    package var text: String {
        switch self {
        case .percentile(let text, _): "p(\(text))"
        case .mean: "mean"
        case .max: "max"
        case .min: "min"
        case .count: "count"
        case .share: "share"
        case .perSecond: "per_s"
        }
    }
}

package enum ThresholdComparison: String, Sendable, CaseIterable {
    case atMost = "<="
    case below = "<"
    case atLeast = ">="
    case above = ">"
    case equal = "=="
    case unequal = "!="
}

/// The number that a value is compared with, as an exact fraction of its unit.
package struct ThresholdBound: Sendable, Equatable {
    package var numerator: UInt64
    /// Above zero.
    package var denominator: UInt64
    /// As it was written.
    package var text: String

    package init(_ numerator: UInt64, over denominator: UInt64 = 1, text: String) {
        self.numerator = numerator
        self.denominator = denominator
        self.text = text
    }
}

/// What a value is counted in.
package enum ThresholdUnit: Sendable, CaseIterable {
    /// Nanoseconds.
    case time
    /// Whole things: pushes, samples, connections.
    case count
    /// A part of a whole, 1 being all of it; written in percent.
    case share
    /// Pushes a nanosecond; written as a profile's rates are.
    case rate
    case bytes
    /// A plain decimal number.
    case number
}

extension ThresholdMetric {
    /// The unit of the metric under an aggregate; nil where the two don't go together.
    package func unit(of aggregate: ThresholdAggregate) -> ThresholdUnit? {
        switch (self, aggregate) {
        case (.response, _), (.service, _), (.lag, _), (.streamWait, _), (.batch, _): Self.timeUnit(of: aggregate)
        case (.outcomes, .count), (.connections, .count), (.connections, .max), (.connections, .min): .count
        case (.outcomes, .share), (.cpu, .share): .share
        case (.outcomes, .perSecond), (.rate, .mean), (.rate, .max), (.rate, .min): .rate
        case (.bytes, .mean), (.bytes, .count): .bytes
        case (.cpu, .mean): .time
        case (.allocations, .mean): .number
        default: nil
        }
    }

    private static func timeUnit(of aggregate: ThresholdAggregate) -> ThresholdUnit? {
        switch aggregate {
        case .percentile, .mean, .max, .min: .time
        case .count: .count
        case .share, .perSecond: nil
        }
    }

    /// The forms that a condition on the metric may have, for error messages.
    var forms: String {
        switch self {
        case .response, .service, .lag, .streamWait, .batch:
            "p(N), mean, max or min with a time such as \"p(99) < 250ms\", or count with a whole number"
        case .outcomes: "\"count < 100\", \"share < 2%\" or \"per_s < 50/s\""
        case .rate: "mean, max or min with a rate such as \"mean >= 9900/s\""
        case .connections: "count, max or min with a whole number such as \"count <= 5\""
        case .bytes: "mean (of a push) or count (of the run) with bytes such as \"mean <= 250B\" or \"count < 2MiB\""
        case .cpu: "\"mean < 20us\" (of a push) or \"share < 80%\" (of a core)"
        case .allocations: "mean (of a push) with a number such as \"mean <= 0.1\""
        }
    }
}

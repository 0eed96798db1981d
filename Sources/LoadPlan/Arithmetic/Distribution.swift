/// A distribution of times in nanoseconds.
package enum Distribution: Sendable, Equatable {
    case constant(Int64)
    /// Every value from `from` to `to`, both included, with equal chance.
    case uniform(from: Int64, to: Int64)
    /// The logarithm is normal; given by the 50th and the 99th percentile, which are positive and in this order.
    case lognormal(median: Int64, p99: Int64)

    /// The value at one of 2^64 equally likely points of the distribution, in rising order.
    ///
    /// Sampling is inversion: one uniformly random `bits` gives one value, so equal seeds give equal times on every
    /// machine. Use ``sampler`` where many values of one distribution are needed.
    package func sample(_ bits: UInt64) -> Int64 { sampler.sample(bits) }

    package var sampler: Sampler { Sampler(self) }
}

/// A distribution made ready for sampling: what does not change from value to value is computed once.
package struct Sampler: Sendable {
    private enum Form {
        case constant(Int64)
        case uniform(from: Int64, count: UInt64)
        case lognormal(median: Double, sigma: Double)
    }

    private let form: Form

    /// The 99th percentile of the standard normal distribution.
    private static let normalP99 = 2.326_347_874_040_841
    /// No sampled time is longer than a day, so that a wild p99 cannot overflow a clock.
    private static let longest = Double(Nanoseconds.day)

    init(_ distribution: Distribution) {
        switch distribution {
        case .constant(let value):
            form = .constant(value)
        case .uniform(let from, let to):
            precondition(from <= to, "Sampler: uniform from \(from) to \(to)")
            form = .uniform(from: from, count: UInt64(bitPattern: to &- from) &+ 1)
        case .lognormal(let median, let p99):
            precondition(0 < median && median <= p99, "Sampler: lognormal with median \(median) and p99 \(p99)")
            let sigma = naturalLogarithm(Double(p99) / Double(median)) / Self.normalP99
            form = .lognormal(median: Double(median), sigma: sigma)
        }
    }

    /// The time in nanoseconds, not rounded, that a share of all values is below; only a lognormal distribution has fractions.
    func value(atProbability probability: Double) -> Double {
        guard case .lognormal(let median, let sigma) = form else {
            return Double(sample(UInt64(min(probability, 1 - 0x1p-53) * 0x1p64)))
        }
        return min(median * exponential(sigma * normalQuantile(probability)), Self.longest)
    }

    /// The value for uniformly random `bits`; greater bits never give a smaller value.
    package func sample(_ bits: UInt64) -> Int64 {
        switch form {
        case .constant(let value):
            return value
        case .uniform(let from, let count):
            // A count of 0 stands for all 2^64 values.
            return count == 0
                ? Int64(bitPattern: bits) : from &+ Int64(bitPattern: bits.multipliedFullWidth(by: count).high)
        case .lognormal:
            // The middle of one of 2^53 equal steps, so neither 0 nor 1, whose quantiles are infinite.
            return Int64(value(atProbability: (Double(bits >> 11) + 0.5) * 0x1p-53) + 0.5)
        }
    }
}

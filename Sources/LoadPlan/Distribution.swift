/// A distribution of times in nanoseconds.
package enum Distribution: Sendable, Equatable {
    case constant(Int64)
    /// Every value from `from` to `to`, both included, with equal chance.
    case uniform(from: Int64, to: Int64)
    /// The logarithm is normal; given by the 50th and the 99th percentile, which are positive and in this order.
    case lognormal(median: Int64, p99: Int64)
}

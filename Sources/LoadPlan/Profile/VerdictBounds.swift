/// The bounds beyond which a run is INVALID because the generator itself was the bottleneck.
package struct VerdictBounds: Sendable, Equatable {
    /// The highest 99th percentile of lag in nanoseconds.
    package var lagP99: Int64 = 5 * Nanoseconds.millisecond
    /// The lowest share of the planned pushes that must have been sent.
    package var sentShare = 0.99
    /// The longest turn of a worker's loop in nanoseconds.
    package var stall: Int64 = 250 * Nanoseconds.millisecond
    /// The highest share of a core that a worker may use.
    package var workerCPU = 0.95
    /// The largest step of the wall clock against the monotonic clock in nanoseconds.
    package var clockStep: Int64 = 100 * Nanoseconds.millisecond

    package init() {}
}

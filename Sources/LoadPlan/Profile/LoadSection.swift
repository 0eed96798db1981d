/// The load: phases one after another, and what happens to pushes that run late.
package struct LoadSection: Sendable, Equatable {
    /// In order; the warm-up phases come first.
    package var phases = [Phase()]
    /// How often the phases after the warm-up run, 1 being once; the key is `repeat`.
    package var repeats = 1
    /// Nanoseconds by which a push may be overdue before it is skipped: a lane's backlog is its rate times this.
    package var backlog: Int64 = 10 * Nanoseconds.second
    /// Nanoseconds to wait for answers after the last phase.
    package var drain: Int64 = 5 * Nanoseconds.second

    package init() {}

    /// How long all phases take together, in nanoseconds.
    package var length: Int64 {
        phases.reduce(0) { $0 + $1.duration * Int64($1.repeats) * Int64($1.warmUp ? 1 : repeats) }
    }
}

/// A named stretch of load.
package struct Phase: Sendable, Equatable {
    package var name = "steady"
    /// Nanoseconds that one round of the phase lasts, at most ``longestDuration``.
    package var duration: Int64 = 15 * Nanoseconds.second
    /// A warm-up phase is counted apart and never enters thresholds or the verdict.
    package var warmUp = false
    package var shape: PhaseShape = .constant(.total(.perSecond(10_000)))
    package var arrivals: Arrivals = .even
    /// How often the phase runs in a row, 1 being once; the key is `repeat`.
    package var repeats = 1

    package init() {}

    /// 24 hours, so that a ramp's arithmetic fits into 128 bits.
    package static let longestDuration: Int64 = 24 * Nanoseconds.hour
}

/// How a phase's rate runs over its duration.
package enum PhaseShape: Sendable, Equatable {
    /// One rate throughout.
    case constant(LoadRate)
    /// A straight line from one total rate to another.
    case ramp(from: Rate, to: Rate)
    /// `count` levels of equal length; the first has the rate `from`, the last `to`.
    case steps(from: Rate, to: Rate, count: Int)
    /// `base` throughout but for `length` nanoseconds of `peak`, starting `at` nanoseconds into the phase.
    case spike(base: Rate, peak: Rate, at: Int64, length: Int64)
    /// The times, and perhaps devices, of a CSV file's rows; the path counts from the profile's folder.
    case replay(String)
    /// Nothing is due.
    case pause
    /// Closed loop: each named lane keeps so many pushes in flight, until the phase's duration is over or `pushes` in
    /// all were sent. On a lane with batches the number is a multiple of the batch size.
    case closed(inFlight: [String: Int], pushes: UInt64?)
}

/// A constant rate: for all lanes together, split by the fleet's mix, or for each lane by itself.
package enum LoadRate: Sendable, Equatable {
    case total(Rate)
    case perLane([String: Rate])
}

/// How arrivals are spread at a given rate.
package enum Arrivals: String, Sendable, Equatable, CaseIterable {
    /// At equal distances.
    case even
    /// At the seeded random times of a Poisson process with exactly the planned number of arrivals.
    case poisson
}

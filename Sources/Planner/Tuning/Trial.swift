/// What one short run of a tuning measured.
package struct TrialFacts: Sendable, Equatable, Codable {
    /// Delivered pushes a second.
    package var rate: Double
    /// Response times in nanoseconds.
    package var p50: Int64
    package var p99: Int64
    /// Where the 99th percentile may lie as well, by chance alone: see ``QuantileInterval``.
    package var p99Low: Int64
    package var p99High: Int64
    package var serviceP50: Int64
    /// The share of the planned pushes that were answered.
    package var answeredShare: Double
    /// The share of the answers that were refused for a quota.
    package var refusedShare: Double
    /// Of one worker, the busiest.
    package var workerCPU: Double
    /// The share of the pool's streams in use at the peak.
    package var streamShare: Double
    /// Pushes that the pool can have in flight.
    package var capacity: Int
    /// Pushes a second that it took off the backlog: ``rate`` where none was left.
    package var carried: Double

    package init(
        rate: Double,
        p50: Int64,
        p99: Int64,
        p99Low: Int64? = nil,
        p99High: Int64? = nil,
        serviceP50: Int64,
        answeredShare: Double,
        refusedShare: Double,
        workerCPU: Double,
        streamShare: Double,
        capacity: Int,
        carried: Double? = nil
    ) {
        self.rate = rate
        self.p50 = p50
        self.p99 = p99
        self.p99Low = p99Low ?? p99
        self.p99High = p99High ?? p99
        self.serviceP50 = serviceP50
        self.answeredShare = answeredShare
        self.refusedShare = refusedShare
        self.workerCPU = workerCPU
        self.streamShare = streamShare
        self.capacity = capacity
        self.carried = carried ?? rate
    }
}

extension TrialFacts {
    /// What a pool takes off its backlog, given how much longer the last pushes of a trial took than the middle ones.
    ///
    /// At `planned` pushes a second of which `c` are carried, each second adds `(planned - c) / c` seconds of waiting.
    package static func carried(planned: Double, p50: Int64, p99: Int64, length: Int64) -> Double {
        planned / (1 + Double(max(0, p99 - p50)) / (0.49 * Double(max(1, length))))
    }
}

/// Where the quantile of a whole lies with 95% confidence, given that of a sample: between two quantiles of the sample.
///
/// Of `count` independent values the number below the true quantile is binomial, so that its rank is `share * count` with a
/// standard deviation of `sqrt(count * share * (1 - share))`, whatever the values' distribution. Values that were held up
/// together are not independent; how far that goes is told by repeats only.
package enum QuantileInterval {
    private static let deviations = 1.96

    package static func shares(of share: Double, count: UInt64) -> ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        let half = deviations * (share * (1 - share) / Double(count)).squareRoot()
        return max(0, share - half)...min(1, share + half)
    }
}

/// How a trial ended.
package enum TrialOutcome: Sendable, Equatable {
    case valid(TrialFacts)
    /// The generator could not be believed, for these causes: the trial counts for nothing.
    case invalid([String])
}

/// What a tuning looks for.
package enum TuneGoal: Sendable, Equatable {
    /// The highest rate whose 99th percentile of response times is not above a bound, in nanoseconds.
    case highestRate(within: Int64)
    /// The lowest 99th percentile at a rate, in pushes a second.
    case lowestLatency(at: Double)

    private static let leastAnswered = 0.99

    /// How good a trial is: the more the better; nil where it misses the goal's condition.
    func score(_ facts: TrialFacts) -> Double? { score(facts, p99: facts.p99) }

    /// The same, were all that is chance within the trial in its favour.
    func hopefulScore(_ facts: TrialFacts) -> Double? { score(facts, p99: facts.p99Low) }

    private func score(_ facts: TrialFacts, p99: Int64) -> Double? {
        switch self {
        case .highestRate(let bound): p99 <= bound ? facts.rate : nil
        case .lowestLatency: facts.answeredShare >= Self.leastAnswered ? 1e9 / Double(max(1, p99)) : nil
        }
    }

    /// Whether a trial falls so far short of a score that no noise of a machine explains it, so that one trial is enough.
    ///
    /// A pool below the knee can't do what is asked of it, and its backlog grows as long as the trial lasts: that meets every
    /// push, while what holds a machine up now and then meets few.
    ///
    /// - Parameter chance: the share of a rate that noise may take.
    func isFarBelow(_ reference: Double, _ facts: TrialFacts, chance: Double) -> Bool {
        switch self {
        case .highestRate(let bound): facts.p50 > bound || facts.rate < (1 - chance) * reference
        // Half of the pushes took half as long again as 99% did where it is best.
        case .lowestLatency: facts.answeredShare < 0.9 || Double(facts.p50) * reference > 1.5e9
        }
    }

    /// The rate that a pool has to carry to be as good as the best, which reaches `best`.
    func neededRate(_ best: Double, tolerance: Double) -> Double {
        switch self {
        case .highestRate: best * (1 - tolerance)
        case .lowestLatency(let rate): rate
        }
    }
}

/// Why a pool is no better than it is.
package enum TuneCause: String, Sendable, Codable {
    /// The pool's streams: a larger one would do more, but the sweep ends here.
    case streams = "stream-bound"
    case quota = "quota-bound"
    case host = "host-bound"
    case generator = "generator-bound"
    /// What was asked for is done.
    case load = "load-bound"

    package var sentence: String {
        switch self {
        case .streams:
            "the streams of the pool are all in use and answers are as fast as ever; the sweep ends before the knee"
        case .quota: "the host refuses what is above its quota"
        case .host: "more pushes in flight only wait longer at the host"
        case .generator: "this machine's generator is at its end"
        case .load: "the pool carries all that is asked for, with streams to spare"
        }
    }
}

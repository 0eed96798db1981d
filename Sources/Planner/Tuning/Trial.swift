/// What one short run of a tuning measured.
package struct TrialFacts: Sendable, Equatable, Codable {
    /// Delivered pushes a second.
    package var rate: Double
    /// Response times in nanoseconds.
    package var p50: Int64
    package var p99: Int64
    package var serviceP50: Int64
    /// The share of the planned pushes that were answered.
    package var answeredShare: Double
    /// The share of the answers that were refused for a quota.
    package var refusedShare: Double
    /// Of one worker, the busiest.
    package var workerCPU: Double
    /// The share of the pool's streams in use at the peak.
    package var streamShare: Double

    package init(
        rate: Double,
        p50: Int64,
        p99: Int64,
        serviceP50: Int64,
        answeredShare: Double,
        refusedShare: Double,
        workerCPU: Double,
        streamShare: Double
    ) {
        self.rate = rate
        self.p50 = p50
        self.p99 = p99
        self.serviceP50 = serviceP50
        self.answeredShare = answeredShare
        self.refusedShare = refusedShare
        self.workerCPU = workerCPU
        self.streamShare = streamShare
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

    /// How good a trial is: the more the better; nil where it misses the goal's condition.
    func score(_ facts: TrialFacts) -> Double? {
        switch self {
        case .highestRate(let bound): facts.p99 <= bound ? facts.rate : nil
        case .lowestLatency: facts.answeredShare >= 0.99 ? 1e9 / Double(max(1, facts.p99)) : nil
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

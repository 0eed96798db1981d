/// The same quantity over all seeds.
package struct Spread: Sendable, Equatable, Codable {
    package var p50: Int64
    package var p99: Int64
    package var least: Int64
    package var most: Int64

    /// By nearest rank: with fewer than a hundred values the 99th percentile is the greatest.
    package init(_ values: [Int64]) {
        precondition(!values.isEmpty, "a spread of nothing")
        let sorted = values.sorted()
        func rank(_ percent: Int) -> Int64 { sorted[max(0, (sorted.count * percent + 99) / 100 - 1)] }
        (p50, p99) = (rank(50), rank(99))
        (least, most) = (sorted[0], sorted[sorted.count - 1])
    }

    package init(_ values: [UInt64]) { self.init(values.map { Int64(clamping: $0) }) }
}

/// Something that the answer rests on, and where it comes from.
package struct Assumption: Sendable, Equatable, Codable {
    package var what: String
    package var value: String
    package var source: String

    package init(_ what: String, _ value: String, source: String) {
        self.what = what
        self.value = value
        self.source = source
    }
}

/// How hard a limit is used.
package struct Pressure: Sendable, Equatable, Codable {
    package var limit: Limit
    /// Of the limit, at the highest; nil where it has no number.
    package var used: Double?
    /// The share of the campaign's time for which it held pushes up.
    package var held: Double
}

/// What a plan says of one lane.
package struct LaneAnswer: Sendable, Codable {
    package var name: String
    /// In the median campaign, where a closed loop has no number of its own.
    package var pushes: UInt64
    /// The highest planned rate.
    package var perSecond: Double
    package var finish: Spread
    package var delivered: Spread
    package var rejected: Spread
    /// Attempts answered 429.
    package var refused: Spread
    package var retried: Spread
    /// Refused for good, though the host might have taken them later.
    package var lost: Spread
    package var skipped: Spread
    package var attempts: Spread
    package var heldBack: Spread
    package var responseP50: Int64
    package var responseP99: Int64
    /// From due to written.
    package var waitP99: Int64
    package var peakInFlight: Int
    /// Little's law.
    package var inFlight: Double
    package var connections: Int
    package var streams: Int
    package var connectionsNeeded: Int
    package var connectionsAdvised: Int
    /// Batches that must be in flight; nil on a lane without batches.
    package var batchesNeeded: Int?
    /// What the whole project may send in each window; nil without a quota.
    package var quota: QuotaAnswer?
}

/// A quota and what becomes of it.
package struct QuotaAnswer: Sendable, Codable {
    package var limit: Int
    /// Nanoseconds.
    package var window: Int64
    package var usedByOthers: Double
    /// The greatest share of it that is used, by the campaign and by others.
    package var peakShare: Double
    package var advice: QuotaAdvice
}

/// Where in the quota's minute a burst is unlucky.
package struct PhaseAnswer: Sendable, Codable {
    package var bestPhase: Int64
    package var bestFinish: Int64
    package var worstPhase: Int64
    package var worstFinish: Int64
    package var leastRefused: Int64
    package var mostRefused: Int64
}

package struct TokenAnswer: Sendable, Codable {
    package var lane: String
    package var signed: UInt64
    package var rule: String
}

/// What a plan says.
package struct PlanAnswer: Sendable, Encodable {
    package var name: String
    package var seed: UInt64
    package var seeds: Int
    package var pushes: UInt64
    package var finish: Spread
    package var deadline: Int64?
    /// The share of the seeds that keep the deadline.
    package var inTime: Double?
    package var binding: Limit?
    package var pressures: [Pressure]
    package var lanes: [LaneAnswer]
    /// CPU cores, nil where nobody said what a push costs.
    package var cores: Double?
    package var coresAdvised: Int?
    package var workers: Int
    package var bytesOut: UInt64
    package var bytesIn: UInt64
    package var tokens: [TokenAnswer]
    package var phase: PhaseAnswer?
    package var assumptions: [Assumption]
    /// The campaign whose finish is the median.
    package let median: SimulatedCampaign

    private enum CodingKeys: String, CodingKey {
        case name, seed, seeds, pushes, finish, deadline, inTime, binding, pressures, lanes, cores, coresAdvised,
            workers
        case bytesOut, bytesIn, tokens, phase, assumptions
    }
}

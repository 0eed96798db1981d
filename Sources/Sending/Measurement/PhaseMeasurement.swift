package import Histogram

/// What was measured of one lane in one phase, at the end of a run.
package struct PhaseMeasurement: Sendable, Equatable {
    package var counts = PushCounts()
    package var clocks = ClockHistograms()
    package var outcomes: [OutcomeRow] = []
    /// How long the lane's own keeping of a quota held pushes up; empty where it keeps none.
    package var quotaWait = Histogram()
    /// What attempts ended with that were followed by another, in the terms of an outcome.
    package var retried: [OutcomeRow] = []

    package init() {}

    /// Adds another part of the same lane and phase.
    package mutating func merge(_ other: PhaseMeasurement) {
        counts += other.counts
        clocks.merge(other.clocks)
        outcomes.merge(other.outcomes)
        quotaWait.merge(other.quotaWait)
        retried.merge(other.retried)
    }
}

/// One second of one lane.
package struct IntervalMeasurement: Sendable, Equatable {
    /// The second, counted from the run's start.
    package var second: Int
    /// Index of the phase that was on when the second began.
    package var phase: Int
    package var planned: UInt64 = 0
    package var sent: UInt64 = 0
    package var delivered: UInt64 = 0
    package var rejected: UInt64 = 0
    package var failed: UInt64 = 0
    package var skipped: UInt64 = 0
    /// At the end of the second: pushes written and not yet answered.
    package var inFlight: UInt64 = 0
    /// At the end of the second: pushes due and not yet written.
    package var backlog: UInt64 = 0
    /// At the end of the second: open connections.
    package var connections: UInt64 = 0
    /// Response times of the pushes answered in the second.
    package var response: SparseHistogram

    package init(second: Int, phase: Int, response: SparseHistogram = SparseHistogram()) {
        self.second = second
        self.phase = phase
        self.response = response
    }

    package var answered: UInt64 { delivered + rejected }
}

/// What was measured of one lane in a whole run.
package struct LaneMeasurement: Sendable, Equatable {
    /// The lane's name, such as `apns-production`.
    package var name: String
    /// In the order of the profile's phases.
    package var phases: [PhaseMeasurement]
    /// In order of time; seconds in which nothing happened are there too.
    package var timeline: [IntervalMeasurement]
    /// TCP connect plus TLS handshake of each connection.
    package var handshake = Histogram()
    /// From a batch's first due to its last answer, in the measured phases.
    package var batch = Histogram()
    package var bytesOut: UInt64 = 0
    package var bytesIn: UInt64 = 0

    package init(name: String, phases: Int) {
        self.name = name
        self.phases = Array(repeating: PhaseMeasurement(), count: phases)
        timeline = []
    }

    /// Adds what another worker measured of the same lane.
    package mutating func merge(_ other: LaneMeasurement) {
        precondition(name == other.name, "lanes \(name) and \(other.name) can't be merged")
        for index in phases.indices { phases[index].merge(other.phases[index]) }
        timeline.merge(other.timeline)
        handshake.merge(other.handshake)
        batch.merge(other.batch)
        bytesOut += other.bytesOut
        bytesIn += other.bytesIn
    }
}

extension [IntervalMeasurement] {
    /// Adds another worker's seconds to these, second by second.
    mutating func merge(_ other: [IntervalMeasurement]) {
        var merged: [IntervalMeasurement] = []
        merged.reserveCapacity(Swift.max(count, other.count))
        var left = self[...]
        var right = other[...]
        while let mine = left.first, let theirs = right.first {
            if mine.second == theirs.second { merged.append(mine.adding(theirs)) }
            if mine.second < theirs.second { merged.append(mine) }
            if theirs.second < mine.second { merged.append(theirs) }
            if mine.second <= theirs.second { left = left.dropFirst() }
            if theirs.second <= mine.second { right = right.dropFirst() }
        }
        merged.append(contentsOf: left)
        merged.append(contentsOf: right)
        self = merged
    }
}

extension IntervalMeasurement {
    fileprivate func adding(_ other: IntervalMeasurement) -> IntervalMeasurement {
        var sum = self
        sum.planned += other.planned
        sum.sent += other.sent
        sum.delivered += other.delivered
        sum.rejected += other.rejected
        sum.failed += other.failed
        sum.skipped += other.skipped
        sum.inFlight += other.inFlight
        sum.backlog += other.backlog
        sum.connections += other.connections
        var response = Histogram()
        response.merge(self.response)
        response.merge(other.response)
        sum.response = SparseHistogram(response)
        return sum
    }
}

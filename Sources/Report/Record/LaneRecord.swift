import Histogram
package import Sending

/// What a record holds of one lane.
package struct LaneRecord: Sendable, Equatable, Codable {
    package var name: String
    /// Bytes written to and read from the lane's connections in the whole run, TLS included.
    package var bytesOut: UInt64
    package var bytesIn: UInt64
    package var handshake: RecordedHistogram
    package var batch: RecordedHistogram
    /// One for each phase of the record, in its order.
    package var phases: [LanePhaseRecord]
    /// In order of time.
    package var timeline: [IntervalRecord]

    package init(_ lane: LaneMeasurement) {
        name = lane.name
        bytesOut = lane.bytesOut
        bytesIn = lane.bytesIn
        handshake = RecordedHistogram(lane.handshake)
        batch = RecordedHistogram(lane.batch)
        phases = lane.phases.map(LanePhaseRecord.init)
        timeline = lane.timeline.map(IntervalRecord.init)
    }
}

/// One lane in one phase.
package struct LanePhaseRecord: Sendable, Equatable, Codable {
    package var counts: PushCounts
    package var outcomes: [OutcomeRow]
    package var response: RecordedHistogram
    package var service: RecordedHistogram
    package var lag: RecordedHistogram
    package var streamWait: RecordedHistogram
    /// How long the lane's own keeping of a quota held pushes up; nil where it keeps none.
    package var quotaWait: RecordedHistogram?
    /// What attempts ended with that were followed by another; nil where none was.
    package var retried: [OutcomeRow]?

    package init(_ phase: PhaseMeasurement) {
        counts = phase.counts
        outcomes = phase.outcomes
        response = RecordedHistogram(phase.clocks.response)
        service = RecordedHistogram(phase.clocks.service)
        lag = RecordedHistogram(phase.clocks.lag)
        streamWait = RecordedHistogram(phase.clocks.streamWait)
        quotaWait = phase.quotaWait.isEmpty ? nil : RecordedHistogram(phase.quotaWait)
        retried = phase.retried.isEmpty ? nil : phase.retried
    }

    /// The recorded times of one clock.
    package subscript(clock: PushClock) -> RecordedHistogram {
        get { self[keyPath: Self.path(to: clock)] }
        set { self[keyPath: Self.path(to: clock)] = newValue }
    }

    private static func path(to clock: PushClock) -> WritableKeyPath<LanePhaseRecord, RecordedHistogram> {
        switch clock {
        case .response: \.response
        case .service: \.service
        case .lag: \.lag
        case .streamWait: \.streamWait
        }
    }
}

/// One second of one lane.
package struct IntervalRecord: Sendable, Equatable, Codable {
    /// Counted from the run's start.
    package var second: Int
    /// Index of the phase that was on when the second began.
    package var phase: Int
    package var planned: UInt64
    package var sent: UInt64
    package var delivered: UInt64
    package var rejected: UInt64
    package var failed: UInt64
    package var skipped: UInt64
    package var inFlight: UInt64
    package var backlog: UInt64
    package var connections: UInt64
    package var response: RecordedHistogram

    package var answered: UInt64 { delivered + rejected }

    /// A second in which nothing was counted.
    init(second: Int, phase: Int, response: RecordedHistogram) {
        self.init(IntervalMeasurement(second: second, phase: phase))
        self.response = response
    }

    package init(_ interval: IntervalMeasurement) {
        second = interval.second
        phase = interval.phase
        planned = interval.planned
        sent = interval.sent
        delivered = interval.delivered
        rejected = interval.rejected
        failed = interval.failed
        skipped = interval.skipped
        inFlight = interval.inFlight
        backlog = interval.backlog
        connections = interval.connections
        response = RecordedHistogram(interval.response)
    }
}

/// One phase as it was run, in nanoseconds from the run's start.
package struct PhaseRecord: Sendable, Equatable, Codable {
    package var name: String
    package var warmUp: Bool
    package var start: Int64
    package var end: Int64

    /// Of all its rounds together: less than `end - start` where other phases lie between them.
    package var duration: Int64

    package init(_ phase: RunMeasurement.Phase) {
        name = phase.name
        warmUp = phase.warmUp
        start = phase.start
        end = phase.end
        duration = phase.duration
    }
}

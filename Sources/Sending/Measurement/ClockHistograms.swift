package import Histogram

/// The four times of a push that a run shows, each in nanoseconds.
package enum PushClock: String, Sendable, CaseIterable {
    /// `completed − due`: what a user of the service would feel.
    case response
    /// `completed − written`: what the host took.
    case service
    /// `submitted − due`: the generator's own lateness.
    case lag
    /// `written − submitted`: the wait for a free stream; the pool was too small.
    case streamWait = "stream_wait"
}

/// One histogram for each time of a push.
package struct ClockHistograms: Sendable, Equatable {
    /// Recorded for every answered push.
    package var response = Histogram()
    /// Recorded for every answered push.
    package var service = Histogram()
    /// Recorded when a worker takes the push up.
    package var lag = Histogram()
    /// Recorded when the push's HEADERS are written.
    package var streamWait = Histogram()

    package init() {}

    /// The histogram of one clock.
    package subscript(clock: PushClock) -> Histogram {
        switch clock {
        case .response: response
        case .service: service
        case .lag: lag
        case .streamWait: streamWait
        }
    }

    /// Adds another set, exactly.
    package mutating func merge(_ other: ClockHistograms) {
        response.merge(other.response)
        service.merge(other.service)
        lag.merge(other.lag)
        streamWait.merge(other.streamWait)
    }

    /// Empties all four.
    package mutating func reset() {
        response.reset()
        service.reset()
        lag.reset()
        streamWait.reset()
    }
}

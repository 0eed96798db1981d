/// What can be said of a campaign without simulating it; the simulation must agree with it.
package enum ClosedForms {
    /// Seconds for so many pushes at an even rate: ⌈N / rate⌉.
    package static func smoothSeconds(_ pushes: UInt64, perSecond: Double) -> UInt64 {
        UInt64((Double(pushes) / perSecond).rounded(.up))
    }

    /// Little's law: how many pushes are on their way at a rate, each for so long (in nanoseconds).
    package static func inFlight(perSecond rate: Double, latency: Double) -> Double { rate * latency / 1e9 }

    /// ⌈rate × latency / streams⌉ connections.
    package static func connections(perSecond rate: Double, latency: Double, streams: Int) -> Int {
        let exact = inFlight(perSecond: rate, latency: latency) / Double(streams)
        // What is a whole number but for rounding is meant to be one.
        return max(1, Int((exact - 1e-9).rounded(.up)))
    }

    /// Pushes a second that a pool can carry.
    package static func poolRate(connections: Int, streams: Int, latency: Double) -> Double {
        Double(connections * streams) / latency * 1e9
    }

    /// When the last of so many pushes, all due at once, is written under a quota that is refilled in full, in nanoseconds.
    ///
    /// - Parameters:
    ///   - limit: what each window has.
    ///   - window: its length in nanoseconds.
    ///   - phase: when the next window begins; at 0 one has just begun.
    ///   - rate: the most that the sender writes in a second; infinite where nothing else binds.
    package static func windowBurst(
        _ pushes: UInt64,
        limit: UInt64,
        window: Int64,
        phase: Int64,
        perSecond rate: Double
    ) -> Int64 {
        var (rest, start, length) = (pushes, Int64(0), phase == 0 ? window : phase)
        while true {
            let able = rate.isFinite ? UInt64(rate * Double(length) / 1e9) : .max
            let sent = min(limit, able)
            if rest <= sent { return start + (rate.isFinite ? Int64(Double(rest) / rate * 1e9) : 0) }
            rest -= sent
            start += length
            length = window
            guard limit > 0 else { return .max }
        }
    }

    /// What of a burst is refused at once: all beyond what is left until the next window begins.
    package static func refusedAtOnce(_ pushes: UInt64, limit: UInt64) -> UInt64 { pushes - min(pushes, limit) }
}

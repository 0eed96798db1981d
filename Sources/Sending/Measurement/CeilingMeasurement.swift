package import LoadPlan

/// What the generator of this machine can do at most: the same lanes and messages against hosts that accept everything at
/// once, in a closed loop.
///
/// Where generator and hosts share a machine they share its cores too, so it is no less than that.
package struct CeilingMeasurement: Sendable, Equatable, Codable {
    /// Pushes answered while it was measured.
    package var pushes: UInt64
    /// Nanoseconds for which it was measured.
    package var duration: Int64

    package init(pushes: UInt64, duration: Int64) {
        self.pushes = pushes
        self.duration = duration
    }

    /// Pushes a second; 0 where nothing was measured.
    package var perSecond: UInt64 {
        guard duration > 0 else { return 0 }
        return UInt64(UInt128(pushes) * UInt128(Nanoseconds.second) / UInt128(duration))
    }
}

extension CeilingMeasurement {
    /// How long the closed loop runs before it is measured, and then.
    private static let warmUp = Nanoseconds.second
    private static let length = 3 * Nanoseconds.second
    /// Pushes in flight on all lanes together, as far as their connections and batches allow it.
    private static let inFlight = 600
    /// Of one connection.
    private static let mostStreams = 100

    /// The profile whose run measures another profile's ceiling.
    ///
    /// - Parameter weights: how many devices each lane has, in the order of `LaneName.all`; pushes in flight are divided alike.
    package static func profile(for profile: Profile, weights: [UInt64]) -> Profile {
        let sum = max(1, weights.reduce(0, +))
        var inFlight: [String: Int] = [:]
        for (lane, weight) in zip(LaneName.all, weights) where weight > 0 {
            let part = Int(UInt128(self.inFlight) * UInt128(weight) / UInt128(sum))
            inFlight[lane] = fitting(max(1, part), profile.lane(lane))
        }
        var ceiling = profile
        ceiling.name = "ceiling"
        ceiling.thresholds = []
        ceiling.mock.policy = .canned
        ceiling.load.phases = [("warm-up", warmUp, true), ("ceiling", length, false)]
            .map { name, duration, warmUp in
                var phase = Phase()
                (phase.name, phase.duration, phase.warmUp) = (name, duration, warmUp)
                phase.shape = .closed(inFlight: inFlight, pushes: nil)
                return phase
            }
        ceiling.load.repeats = 1
        ceiling.fleet.misshapen = .send
        for lane in LaneName.all { ceiling.lanes[lane] = unhindered(profile.lane(lane)) }
        return ceiling
    }

    /// The lane as it sends to the canned hosts of this machine, with nothing that holds pushes up.
    private static func unhindered(_ lane: LaneSection) -> LaneSection {
        var lane = lane
        lane.host = nil
        lane.proxy = nil
        lane.quota = QuotaSection()
        lane.tenants = []
        lane.credential?.next = nil
        return lane
    }

    /// As many as the lane's connections hold, in whole batches.
    private static func fitting(_ wanted: Int, _ lane: LaneSection) -> Int {
        if let batch = lane.batch { return batch.size * max(1, min(batch.inFlight, wanted / batch.size)) }
        var streams = mostStreams
        if case .fixed(let limit) = lane.streams { streams = min(streams, limit) }
        return min(wanted, lane.connections * streams)
    }
}

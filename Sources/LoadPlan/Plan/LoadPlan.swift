/// The exact, seeded list of due times that a profile's phases expand to: the same for any number of workers.
@usableFromInline  // Without it the compiler does not inline `hash` into other rooms, whatever that itself says.
package struct LoadPlan: Sendable {
    /// One round of a phase.
    package struct Leg: Sendable, Equatable {
        /// The index of the phase in the profile.
        package var phase: Int
        /// Nanoseconds from the run's start.
        package var start: Int64
        package var end: Int64
        package var warmUp: Bool
    }

    /// One plan for each lane of ``LaneName/all``, in that order.
    package let lanes: [LanePlan]
    /// All rounds of all phases, without gaps, in order.
    package let legs: [Leg]

    /// Nanoseconds from the first phase's start to the last one's end.
    package var duration: Int64 { legs.last?.end ?? 0 }

    /// Expands a profile.
    ///
    /// `laneWeights` are the lanes' device counts of a CSV fleet, in the order of ``LaneName/all``; without them the profile's
    /// mix counts. `replays` are the times of the replayed phases by their index in the profile, one list for each lane in
    /// that order; a phase that is missing there plans nothing. Throws when rates are too fine for exact arithmetic, or a
    /// lane with a load of its own has no devices.
    package init(
        _ profile: Profile,
        laneWeights: [UInt64]? = nil,
        replays: [Int: [ReplayTimes]] = [:]
    ) throws(BrokenRule) {
        guard let weights = laneWeights ?? profile.fleet.laneWeights, weights.contains(where: { $0 > 0 }) else {
            throw BrokenRule(path: "fleet.mix", message: "has no devices of any lane")
        }
        legs = Self.legs(of: profile.load)
        lanes = try Self.lanes(of: profile, weights: weights, replays: replays, legs: legs)
    }

    /// The phases one after another with their repeats.
    private static func legs(of load: LoadSection) -> [Leg] {
        var legs: [Leg] = []
        func append(where warmUp: Bool) {
            for (index, phase) in load.phases.enumerated() where phase.warmUp == warmUp {
                for _ in 0..<phase.repeats {
                    let start = legs.last?.end ?? 0
                    legs.append(Leg(phase: index, start: start, end: start + phase.duration, warmUp: warmUp))
                }
            }
        }
        append(where: true)
        for _ in 0..<load.repeats { append(where: false) }
        return legs
    }

    private static func lanes(
        of profile: Profile,
        weights: [UInt64],
        replays: [Int: [ReplayTimes]],
        legs: [Leg]
    ) throws(BrokenRule) -> [LanePlan] {
        let phases = profile.load.phases
        var shares: [[PhaseShare]] = []
        for (index, phase) in phases.enumerated() {
            let path = "load.phases[\(index)]"
            shares.append(try PhaseShare.split(phase, weights: weights, replay: replays[index], path: path))
        }
        return LaneName.all.enumerated()
            .map { number, lane in
                var plan = LanePlan(lane: lane, batchSize: profile.lane(lane).batch?.size ?? 1, phases: phases.count)
                for (round, leg) in legs.enumerated() {
                    // Rounds of one phase have arrivals of their own.
                    let seed = scramble(scramble(profile.seed &+ UInt64(round)) &+ UInt64(number))
                    let arrivals = phases[leg.phase].arrivals
                    plan.append(shares[leg.phase][number], leg: leg, poissonSeed: arrivals == .poisson ? seed : nil)
                }
                return plan
            }
    }
}

extension LoadPlan {
    /// What a push adds to a plan's or a run's hash: the sum over all pushes, with `&+`, does not depend on their order.
    ///
    /// `lane` is the lane's place in ``LaneName/all``. Equal hashes mean the same pushes to the same devices at the same due
    /// times, as surely as 64 bits can tell.
    @inlinable
    package static func hash(lane: Int, push: UInt64, device: UInt64, due: Int64) -> UInt64 {
        let place = scramble(push &+ UInt64(truncatingIfNeeded: lane) &* 0x9E37_79B9_7F4A_7C15)
        return scramble(scramble(place ^ device) &+ UInt64(bitPattern: due))
    }
}

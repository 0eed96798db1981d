extension Profile {
    /// The most rounds of phases that a run may consist of.
    package static let mostLegs = 100_000

    func checkPhases() throws(BrokenRule) {
        let phases = load.phases
        guard let steady = phases.firstIndex(where: { !$0.warmUp }) else {
            throw BrokenRule(path: "load.phases", message: "has only warm-up phases; a run needs one that counts")
        }
        for (index, phase) in phases.enumerated() {
            let path = "load.phases[\(index)]"
            if phase.warmUp, index > steady {
                throw BrokenRule(
                    path: path + ".warmUp",
                    message: "is true after a phase that counts; warm-up comes first"
                )
            }
            if phases[..<index].contains(where: { $0.name == phase.name }) {
                throw BrokenRule(path: path + ".name", message: "is \"\(phase.name)\" for a second time")
            }
            try check(phase.shape, of: phase, path: path)
        }
        guard phases.contains(where: { !$0.warmUp && $0.shape != .pause }) else {
            throw BrokenRule(path: "load.phases", message: "sends nothing; a run needs a phase with a load")
        }
        let rounds = phases.reduce(0) { $0 + $1.repeats * ($1.warmUp ? 1 : load.repeats) }
        guard rounds <= Self.mostLegs else {
            throw BrokenRule(
                path: "load.repeat",
                message: "makes \(grouped(rounds)) rounds of phases; allowed: \(grouped(Self.mostLegs))"
            )
        }
    }

    private func check(_ shape: PhaseShape, of phase: Phase, path: String) throws(BrokenRule) {
        switch shape {
        case .constant, .pause, .replay:
            break
        case .ramp(let from, let to):
            try checkSendsSomething([from, to], path: path + ".ramp")
        case .steps(let from, let to, _):
            try checkSendsSomething([from, to], path: path + ".steps")
        case .spike(_, let peak, let at, let length):
            try checkSendsSomething([peak], path: path + ".spike")
            guard at + length <= phase.duration else {
                let end = Quantity.text(duration: at + length)
                throw BrokenRule(
                    path: path + ".spike",
                    message: "ends after \(end), but the phase after \(Quantity.text(duration: phase.duration))"
                )
            }
        case .closed(let inFlight, _):
            try checkBatches(inFlight, path: path + ".inFlight")
        }
    }

    private func checkSendsSomething(_ rates: [Rate], path: String) throws(BrokenRule) {
        guard rates.contains(where: { $0.pushes > 0 }) else {
            throw BrokenRule(path: path, message: "never rises above 0/s; for that there is \"pause\": true")
        }
    }

    /// A closed loop on a lane with batches keeps whole batches in flight.
    private func checkBatches(_ inFlight: [String: Int], path: String) throws(BrokenRule) {
        guard let pushes = inFlight[LaneName.fcm], let batch = lane(LaneName.fcm).batch else { return }
        let most = batch.size * batch.inFlight
        guard pushes % batch.size == 0, pushes <= most else {
            throw BrokenRule(
                path: "\(path).fcm",
                message: "is \(grouped(pushes)); allowed with lanes.fcm.batch: a multiple of \(batch.size) up to "
                    + "\(grouped(most)) (size times inFlight)"
            )
        }
    }
}

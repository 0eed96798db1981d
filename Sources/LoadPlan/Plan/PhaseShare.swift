/// What one round of a phase means for one lane.
enum PhaseShare: Sendable {
    case open(Pacer)
    case closed(inFlight: Int, limit: UInt64?)
    case nothing

    /// Splits a phase among the lanes of ``LaneName/all``; a replay has been split by who read it.
    static func split(
        _ phase: Phase,
        weights: [UInt64],
        replay: [ReplayTimes]?,
        path: String
    ) throws(BrokenRule) -> [PhaseShare] {
        do {
            switch phase.shape {
            case .pause:
                return LaneName.all.map { _ in .nothing }
            case .replay:
                return replay?.map { .open(Pacer($0)) } ?? LaneName.all.map { _ in .nothing }
            case .constant(.perLane(let rates)):
                return try perLane(rates, duration: phase.duration, weights: weights, path: path)
            case .closed(let inFlight, let pushes):
                return try closed(inFlight, pushes: pushes, weights: weights, path: path)
            case .constant(.total), .ramp, .steps, .spike:
                guard let lines = try RateLines.total(of: phase) else { return LaneName.all.map { _ in .nothing } }
                return try Pacer.split(lines, weights: weights).map { .open($0) }
            }
        } catch let error as BrokenRule {
            throw error
        } catch {
            throw BrokenRule(
                path: path,
                message: "has rates too fine for exact times with this mix; use rounder rates or shares"
            )
        }
    }

    private static func perLane(
        _ rates: [String: Rate],
        duration: Int64,
        weights: [UInt64],
        path: String
    ) throws -> [PhaseShare] {
        try LaneName.all.enumerated()
            .map { index, lane in
                guard let rate = rates[lane] else { return .nothing }
                try requireDevices(of: lane, weight: weights[index], path: "\(path).rates")
                let pacers = try Pacer.split(RateLines(constant: rate, duration: duration), weights: [1])
                return .open(pacers[0])
            }
    }

    /// A limit on all pushes is split by the fleet's mix, so that its parts sum to it.
    private static func closed(
        _ inFlight: [String: Int],
        pushes: UInt64?,
        weights: [UInt64],
        path: String
    ) throws -> [PhaseShare] {
        let taking = LaneName.all.indices.map { inFlight[LaneName.all[$0]] == nil ? 0 : weights[$0] }
        let sum = UInt128(taking.reduce(0, +))
        var before: UInt128 = 0
        return try LaneName.all.enumerated()
            .map { index, lane in
                guard let inFlight = inFlight[lane] else { return .nothing }
                try requireDevices(of: lane, weight: weights[index], path: "\(path).inFlight")
                let after = before + UInt128(taking[index])
                defer { before = after }
                let limit = pushes.map { UInt64(UInt128($0) * after / sum - UInt128($0) * before / sum) }
                return .closed(inFlight: inFlight, limit: limit)
            }
    }

    private static func requireDevices(of lane: String, weight: UInt64, path: String) throws {
        guard weight > 0 else {
            throw BrokenRule(path: "\(path).\(lane)", message: "has a load, but the fleet has no devices of this lane")
        }
    }
}

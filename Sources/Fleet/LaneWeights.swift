/// How a fleet is divided among the lanes, as whole numbers: of every `total` devices in a row, exactly
/// `weights[lane]` belong to that lane.
package struct LaneWeights: Sendable, Equatable {
    /// The largest sum of weights: shares are kept to a hundredth of a percent.
    package static let largestTotal = 10_000

    /// 45% APNs production, 5% APNs sandbox, 50% FCM.
    package static let mixed = LaneWeights(unchecked: PerLane(apnsProduction: 9, apnsSandbox: 1, fcm: 10))

    private let weights: PerLane<Int>

    /// The sum of all weights, 1 to ``largestTotal``.
    package var total: Int { weights.apnsProduction + weights.apnsSandbox + weights.fcm }

    package subscript(lane: FleetLane) -> Int { weights[lane] }

    /// That lane's part of the fleet, 0 to 1.
    package func share(of lane: FleetLane) -> Double { Double(weights[lane]) / Double(total) }

    private init(unchecked weights: PerLane<Int>) { self.weights = weights }

    /// The smallest weights that stand in exactly these proportions.
    ///
    /// Shares are relative: 0.45, 0.05, 0.5 and 45, 5, 50 both become 9, 1, 10. Proportions that need more than
    /// ``largestTotal`` parts are refused rather than rounded.
    package init(shares: PerLane<Double>) throws(FleetSpecificationError) {
        for lane in FleetLane.allCases where !(shares[lane] >= 0 && shares[lane].isFinite) {
            throw .init(field: "mix.\(lane.name)", value: "\(shares[lane])", allowed: "a share of 0 or more")
        }
        let sum = shares.apnsProduction + shares.apnsSandbox + shares.fcm
        guard sum > 0, sum.isFinite else {
            throw .init(field: "mix", value: "no devices", allowed: "at least one lane with a share above 0")
        }
        for total in 1...Self.largestTotal {
            if let weights = Self.exactWeights(shares, unit: sum / Double(total)) {
                self.init(unchecked: weights)
                return
            }
        }
        throw .init(
            field: "mix",
            value: FleetLane.allCases.map { "\($0.name)=\(shares[$0])" }.joined(separator: ", "),
            allowed: "shares that are whole multiples of 0.01% of their sum"
        )
    }

    /// The shares as multiples of a unit, or nil if one is not a whole multiple (to within rounding of a Double).
    private static func exactWeights(_ shares: PerLane<Double>, unit: Double) -> PerLane<Int>? {
        var weights = PerLane(repeating: 0)
        for lane in FleetLane.allCases {
            let parts = shares[lane] / unit
            let nearest = Int(parts + 0.5)
            guard abs(parts - Double(nearest)) <= 1e-7 else { return nil }
            weights[lane] = nearest
        }
        return weights
    }
}

/// Turns shares into whole-number weights, so that a mix can be exact.
package enum Shares {
    package static let largestSum: UInt64 = 10_000

    /// The smallest whole weights in the proportion of `shares`; their sum is at most ``largestSum``.
    ///
    /// A share may be off its exact fraction by 1e-9, so 0.3333333333 is a third. `nil` when the shares do not sum to 1,
    /// or are finer than 1 in 10,000.
    package static func weights(_ shares: [Double]) -> [UInt64]? {
        (1...largestSum).lazy.compactMap { sum in weights(shares, sum: sum) }.first
    }

    private static func weights(_ shares: [Double], sum: UInt64) -> [UInt64]? {
        var weights: [UInt64] = []
        for share in shares {
            let weight = share * Double(sum)
            let whole = weight.rounded()
            guard whole >= 0, abs(weight - whole) <= 1e-9 * Double(sum) else { return nil }
            weights.append(UInt64(whole))
        }
        return weights.reduce(0, +) == sum ? weights : nil
    }
}

extension FleetSection {
    /// The whole-number weights of the lanes in the order of ``LaneName/all``; `nil` for a mix that the checks refuse.
    package var laneWeights: [UInt64]? {
        Shares.weights(LaneName.all.map { lane in mix.first { $0.lane == lane }?.share ?? 0 })
    }

    /// The whole-number weights of the apps in their order; `nil` for shares that the checks refuse.
    package var appWeights: [UInt64]? { Shares.weights(apps.map(\.share)) }
}

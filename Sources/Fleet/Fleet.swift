/// A seeded fleet of devices of any size, kept in no memory.
///
/// Device `i` is a pure function of the specification and `i`: any worker, process or test that asks for it, in any
/// order, gets the same device with the same token.
///
/// Tokens are synthetic and carry a mark (``TokenMark``) from which a mock host reads what is wrong with the device,
/// without having a registry of devices. They are of no use to the real services.
///
/// A class, so that handing a fleet around copies one reference and asking it counts none; it does not change.
package final class Fleet: Sendable {
    /// The most characters a token has, malformed ones included.
    ///
    /// APNs states no limit ("do not assume a size"); tokens of 64 to 200 characters are seen.
    package static let maximumTokenLength = 200

    package let specification: FleetSpecification
    let interleaving: LaneInterleaving
    private let traits: DeviceTraits
    private let key: UInt64
    let appTags: [UInt16]
    let projectTag: UInt16

    package init(_ specification: FleetSpecification) {
        self.specification = specification
        key = mix64(specification.seed ^ 0xF1EE_7_5EED)
        interleaving = LaneInterleaving(weights: specification.weights, size: specification.size, key: mix64(key))
        traits = DeviceTraits(specification)
        appTags = specification.apps.map { TokenMark.appTag($0.topic) }
        projectTag = TokenMark.appTag(specification.project)
    }

    /// How many devices there are.
    package var size: UInt64 { specification.size }

    /// The device with that index.
    ///
    /// - Precondition: `index` is below ``size``.
    package func device(at index: UInt64) -> Device {
        precondition(index < specification.size, "device index is beyond the fleet")
        return traits.device(index: index, lane: interleaving.lane(of: index), key: state(of: index))
    }

    /// How many devices the lane has: exactly its weight in every whole block of devices.
    package func laneCount(_ lane: FleetLane) -> UInt64 { interleaving.counts[lane] }

    /// The index of the lane's device number `ordinal`, starting again from the lane's first device after its last.
    ///
    /// Takes constant time. Over `0 ..< laneCount(lane)` every device of the lane comes up exactly once.
    /// - Precondition: the lane has devices.
    package func deviceIndex(lane: FleetLane, ordinal: UInt64) -> UInt64 {
        let count = interleaving.counts[lane]
        precondition(count > 0, "the lane has no devices")
        return interleaving.index(lane: lane, ordinal: ordinal < count ? ordinal : ordinal % count)
    }

    /// The lane's device number `ordinal`: the same as asking for the device at ``deviceIndex(lane:ordinal:)``, but
    /// cheaper.
    package func device(lane: FleetLane, ordinal: UInt64) -> Device {
        device(lane: lane, index: deviceIndex(lane: lane, ordinal: ordinal))
    }

    /// The device with that index, which belongs to that lane.
    func device(lane: FleetLane, index: UInt64) -> Device {
        traits.device(index: index, lane: lane, key: state(of: index))
    }

    /// The device's random state, different for each index of the fleet.
    @inline(__always)
    private func state(of index: UInt64) -> UInt64 { mix64(key &+ (index &+ 1) &* goldenGamma) }
}

import Fleet
import LoadPlan

/// Which of the pushes that are planned for a lane a part of it sends.
struct DeviceSelection: Sendable {
    enum Standing {
        case own
        /// Another part of the lane sends it.
        case foreign
        /// Nobody does: the token has no shape of the service's.
        case misshapen
    }

    /// By the fleet's apps; nil for all.
    private let isServed: [Bool]?
    private let refusesMisshapen: Bool

    init(_ part: LanePart, profile: Profile, lane: FleetLane, fleet: FleetSource) {
        isServed = part.servesAll ? nil : fleet.apps.map(part.serves)
        refusesMisshapen = profile.fleet.misshapen == .refuse && lane.provider == .apns
    }

    /// Whether any push has to be looked at.
    var isActive: Bool { isServed != nil || refusesMisshapen }

    func standing(of device: Device, in fleet: FleetSource) -> Standing {
        if let isServed, !isServed[device.app] { return .foreign }
        return refusesMisshapen && fleet.tokenKind(of: device) == .misshapen ? .misshapen : .own
    }
}

import Driver
import Fleet
import LoadPlan
import Push

/// What has to hold before anything is sent to real devices.
enum RealRun {
    /// The word for `--hosts`.
    static let word = "real"

    /// The profile as it runs against real hosts, and where they are; throws what stands in the way.
    static func prepare(
        _ file: ProfileFile,
        fleet: FleetSource
    ) throws(CommandFailure) -> (profile: Profile, hosts: HostAnnouncement) {
        let profile = file.profile.preparedForRealHosts()
        let lanes = FleetLane.allCases.filter { fleet.laneCount($0) > 0 }
        do throws(BrokenRule) {
            try profile.checkForRealHosts(using: lanes.map(\.name))
        } catch {
            throw CommandFailure("\(file.path): \(error.path) \(error.message)")
        }
        try checkTokens(of: fleet, refusesMisshapen: profile.fleet.misshapen == .refuse)
        return (profile, RealHosts.announcement(for: profile))
    }

    /// Made-up tokens belong to nobody; a service takes them for an attack.
    private static func checkTokens(of fleet: FleetSource, refusesMisshapen: Bool) throws(CommandFailure) {
        for position in 0..<fleet.size {
            let device = fleet.device(at: position)
            switch fleet.tokenKind(of: device) {
            case .foreign: continue
            case .synthetic:
                throw CommandFailure(
                    "device \(device.index): its token is made up by pushbench; real hosts need real ones"
                )
            case .misshapen where refusesMisshapen && device.lane.provider == .apns:
                continue
            case .misshapen:
                throw CommandFailure(
                    "device \(device.index): its token has a shape that no \(device.lane.name) token has"
                )
            }
        }
    }
}

package import Fleet
package import LoadPlan
package import Push
import Transport

/// Looks at everything that a run needs, without sending a push.
///
/// Each key signs a real token; hosts are asked for nothing but their time. No check stops the others.
package struct Preflight {
    let profile: Profile
    let fleet: FleetSource
    let hosts: HostAnnouncement
    let workers: Int
    /// The lanes that the fleet has devices for.
    let lanes: [Lane]
    /// Nanoseconds since 1970.
    let wallNow: Int64

    package init(profile: Profile, fleet: FleetSource, hosts: HostAnnouncement, workers: Int) {
        self.profile = profile
        self.fleet = fleet
        self.hosts = hosts
        self.workers = workers
        lanes = FleetLane.allCases.flatMap { lane in
            profile.parts(of: lane.name).filter { fleet.hasDevices(lane, of: $0) }.map { Lane(lane: lane, part: $0) }
        }
        wallNow = WallClock.now()
    }

    /// All checks, in the order in which they are shown.
    package func checks() -> [PreflightCheck] {
        let answers = lanes.map { ask($0) }
        return [fleetCheck, messageCheck] + credentialChecks + answers.map(\.check)
            + [clockCheck(answers.compactMap(\.date))] + machineChecks
    }

    /// A lane of the run: one of the fleet's, or a tenant's part of it.
    struct Lane {
        let lane: FleetLane
        let part: LanePart

        var name: String { part.name }
        var section: LaneSection { part.section }
    }

    private var fleetCheck: PreflightCheck {
        let lanes = FleetLane.allCases.filter { fleet.laneCount($0) > 0 }
        let parts = lanes.map { "\($0.name) \(fleet.laneCount($0))" }.joined(separator: ", ")
        let isEmpty = lanes.isEmpty
        return PreflightCheck(
            "fleet",
            isEmpty ? .failed : .ok,
            isEmpty ? "has no devices" : "\(fleet.size) devices: \(parts)"
        )
    }

    /// The profile's own checks have let no message through that is too large; this says how near they are.
    private var messageCheck: PreflightCheck {
        let parts = profile.messages.enumerated()
            .map { index, message in
                let bytes =
                    message.payload.map(Placeholder.longestFilled) ?? message.payloadBytes
                    ?? Message.standardPayloadBytes
                let limit = Message.payloadLimit(pushType: message.pushType)
                return "\(message.name ?? "messages[\(index)]") \(bytes) of \(limit) bytes"
            }
        return PreflightCheck("payloads", .ok, parts.joined(separator: ", "))
    }
}

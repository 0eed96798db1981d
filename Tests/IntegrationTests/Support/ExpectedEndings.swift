import Fleet
import Foundation
import LoadPlan
import Testing

/// What a seed implies: the pushes of a profile's plan, and what faithful hosts must answer to each of their devices.
enum ExpectedEndings {
    /// How many pushes must end in each way, by phase and lane.
    static func of(_ profile: Profile) throws -> [Ending: Int] {
        let fleet = try fleet(of: profile)
        var endings: [Ending: Int] = [:]
        for plan in try LoadPlan(profile).lanes {
            guard let lane = FleetLane(name: plan.lane) else { continue }
            var cursor = plan.cursor(worker: 0, of: 1)
            while cursor.nextDue != nil {
                let push = cursor.take()
                let device = fleet.device(lane: lane, ordinal: push.ordinal)
                endings[ending(of: device, phase: profile.load.phases[push.phase].name), default: 0] += 1
            }
        }
        return endings
    }

    /// The pushes of a lane from the first, all in one phase.
    static func of(_ profile: Profile, lane: FleetLane, pushes: Int, phase: String) throws -> [Ending: Int] {
        let fleet = try fleet(of: profile)
        return (0..<UInt64(pushes))
            .reduce(into: [:]) { endings, push in
                endings[ending(of: fleet.device(lane: lane, ordinal: push), phase: phase), default: 0] += 1
            }
    }

    /// The profile's fleet.
    static func fleet(of profile: Profile) throws -> Fleet { Fleet(try specification(of: profile)) }

    /// How a push to this device must end.
    private static func ending(of device: Device, phase: String) -> Ending {
        let (status, reason, disposition) = answer(to: device.defect, device.lane.provider)
        return Ending(
            phase: phase,
            lane: device.lane.name,
            status: status,
            reason: reason,
            disposition: disposition
        )
    }

    /// As Apple's "Handling notification responses from APNs" and Firebase's "FCM error codes" have it.
    private static func answer(to defect: Defect, _ provider: Provider) -> (String, String, String) {
        switch (defect, provider) {
        case (.none, _): ("200", "", "delivered")
        case (.unregistered, .apns): ("410", "Unregistered", "removeDevice")
        case (.unregistered, .fcm): ("404", "UNREGISTERED", "removeDevice")
        // Not the device's fault for sure: the payload may be meant as well.
        case (.malformed, .fcm): ("400", "INVALID_ARGUMENT", "rejected")
        case (.malformed, .apns), (.wrongEnvironment, _): ("400", "BadDeviceToken", "invalidDevice")
        case (.wrongTopic, _): ("400", "DeviceTokenNotForTopic", "invalidDevice")
        case (.otherSender, _): ("403", "SENDER_ID_MISMATCH", "invalidDevice")
        }
    }

    private static func specification(of profile: Profile) throws -> FleetSpecification {
        let section = profile.fleet
        let shares = Dictionary(uniqueKeysWithValues: section.mix.map { ($0.lane, $0.share) })
        return try FleetSpecification(
            seed: profile.seed,
            size: section.size,
            weights: LaneWeights(
                shares: PerLane(
                    apnsProduction: shares["apns-production"] ?? 0,
                    apnsSandbox: shares["apns-sandbox"] ?? 0,
                    fcm: shares["fcm"] ?? 0
                )
            ),
            apps: section.apps.map { FleetSpecification.App(topic: $0.topic, weight: $0.share) },
            project: section.project,
            longTokenShare: section.longTokenShare,
            longestToken: section.longestToken,
            defects: FleetSpecification.Defects(
                unregistered: section.defects.unregistered,
                wrongEnvironment: section.defects.wrongEnvironment,
                malformed: section.defects.malformed,
                wrongTopic: section.defects.wrongTopic,
                otherSender: section.defects.otherSender
            )
        )
    }
}

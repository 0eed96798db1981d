import Fleet
import LoadPlan

/// Makes the fleet that a profile describes.
enum FleetLoading {
    static func source(for file: ProfileFile) throws(CommandFailure) -> FleetSource {
        if let path = file.profile.fleet.csv {
            return FleetSource(try FleetFile.read(path, routing: routing(of: file.profile.fleet)))
        }
        do throws(FleetSpecificationError) {
            return FleetSource(Fleet(try specification(of: file.profile)))
        } catch {
            throw CommandFailure("\(file.path): fleet.\(error)")
        }
    }

    private static func routing(of section: FleetSection) -> CSVRouting {
        var routing = CSVRouting(sendsMisshapenToFCM: section.misshapen == .fcm)
        for app in section.apps {
            guard let name = app.environment else { continue }
            routing.environments[app.topic] = Environment.allCases.first { $0.name == name }
        }
        return routing
    }

    /// The fleet section in the form that `Fleet` takes.
    static func specification(of profile: Profile) throws(FleetSpecificationError) -> FleetSpecification {
        let section = profile.fleet
        var shares = PerLane(repeating: 0.0)
        for entry in section.mix {
            if let lane = FleetLane(name: entry.lane) { shares[lane] = entry.share }
        }
        let defects = section.defects
        return try FleetSpecification(
            seed: profile.seed,
            size: section.size,
            weights: LaneWeights(shares: shares),
            apps: section.apps.map { FleetSpecification.App(topic: $0.topic, weight: $0.share) },
            project: section.project,
            longTokenShare: section.longTokenShare,
            longestToken: section.longestToken,
            defects: FleetSpecification.Defects(
                unregistered: defects.unregistered,
                wrongEnvironment: defects.wrongEnvironment,
                malformed: defects.malformed,
                wrongTopic: defects.wrongTopic,
                otherSender: defects.otherSender
            )
        )
    }
}

/// Apps of a fleet that have a lane of their own, because they belong to another team or Firebase project: with its own pool,
/// quota and credential.
package struct TenantSection: Sendable, Equatable {
    /// The lane's is `LANE/NAME`.
    package var name: String
    /// The topics of its apps.
    package var apps: [String]
    /// What the lane's own section says, but for what the tenant says otherwise.
    package var section: LaneSection

    package init(name: String, apps: [String], section: LaneSection) {
        self.name = name
        self.apps = apps
        self.section = section
    }
}

/// A lane as it is run: that of one tenant, or that of all apps which no tenant has.
package struct LanePart: Sendable, Equatable {
    package let name: String
    package let section: LaneSection
    /// The tenant's apps; nil for the lane of the others.
    private let own: [String]?
    /// Those of all tenants.
    private let taken: [String]

    fileprivate init(name: String, section: LaneSection, own: [String]?, taken: [String]) {
        self.name = name
        self.section = section
        self.own = own
        self.taken = taken
    }

    /// Whether it serves all apps, so that none has to be looked at.
    package var servesAll: Bool { taken.isEmpty }

    /// Whether it serves an app.
    package func serves(_ topic: String) -> Bool { own?.contains(topic) ?? !taken.contains(topic) }
}

extension Profile {
    /// The parts of a lane, in the order in which they are shown.
    package func parts(of lane: String) -> [LanePart] {
        let section = self.lane(lane)
        let taken = section.tenants.flatMap(\.apps)
        return [LanePart(name: lane, section: section, own: nil, taken: taken)]
            + section.tenants.map { tenant in
                let name = LaneName.of(tenant: tenant.name, in: lane)
                return LanePart(name: name, section: tenant.section, own: tenant.apps, taken: taken)
            }
    }

    /// Checks the tenants of a lane against each other and against the fleet.
    func checkTenants(of lane: String) throws(BrokenRule) {
        let tenants = self.lane(lane).tenants
        for (index, tenant) in tenants.enumerated() {
            let path = "lanes.\(lane).tenants[\(index)]"
            if tenants[..<index].contains(where: { $0.name == tenant.name }) {
                throw BrokenRule(path: path + ".name", message: "is \"\(tenant.name)\" for a second time")
            }
            for (place, app) in tenant.apps.enumerated() {
                let before = tenants[..<index].flatMap(\.apps) + tenant.apps[..<place]
                if before.contains(app) {
                    throw BrokenRule(path: "\(path).apps[\(place)]", message: "is \"\(app)\" for a second time")
                }
                // The apps of a fleet from a file are known only when that is read.
                guard fleet.csv != nil || fleet.apps.contains(where: { $0.topic == app }) else {
                    let known = fleet.apps.map(\.topic).joined(separator: ", ")
                    throw BrokenRule(
                        path: "\(path).apps[\(place)]",
                        message: "is \"\(app)\"; allowed: one of fleet.apps: \(known)"
                    )
                }
            }
        }
    }
}

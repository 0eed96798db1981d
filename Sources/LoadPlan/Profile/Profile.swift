/// What to run: a fleet, its messages, the load on it, the lanes that carry it, the mock hosts, the bounds of belief
/// and the thresholds that the results must keep.
///
/// A profile is plain data. It is decoded from JSON with comments, checked as a whole, and can be written back as
/// canonical JSON that decodes to an equal value. Every field has a default, so a profile names only what it changes.
package struct Profile: Sendable, Equatable {
    package var name = "unnamed"
    /// One sentence on what the profile is for; the key is `description`.
    package var summary = ""
    /// Seeds the fleet, Poisson arrivals and the mock's service times.
    package var seed: UInt64 = 1
    /// Worker threads; `nil`: one for each core less one, at least one.
    package var workers: Int?
    package var fleet = FleetSection()
    package var messages = [Message()]
    package var load = LoadSection()
    /// One section for each lane of ``LaneName/all``; a profile that names a lane changes only the fields it gives.
    package var lanes: [String: LaneSection] = LaneSection.standardLanes
    package var mock = MockSection()
    package var verdict = VerdictBounds()
    /// What a plan is asked beyond it; `run` takes no notice of it.
    package var campaign: CampaignSection?
    /// What the results must keep: by lane, metric and filter.
    package var thresholds: [Threshold] = []

    package init() {}

    /// The section of a lane, or of a lane's tenant by `LANE/TENANT`.
    package func lane(_ name: String) -> LaneSection {
        let base = LaneName.base(of: name)
        let section = lanes[base] ?? .standard(for: base)
        guard base != name else { return section }
        return section.tenants.first { LaneName.of(tenant: $0.name, in: base) == name }?.section ?? section
    }
}

/// The names of the lanes, in the order in which they are shown and numbered.
package enum LaneName {
    package static let apnsProduction = "apns-production"
    package static let apnsSandbox = "apns-sandbox"
    package static let fcm = "fcm"
    package static let all = [apnsProduction, apnsSandbox, fcm]

    package static func isAPNs(_ name: String) -> Bool { base(of: name) != fcm }

    /// The lane that a tenant's lane belongs to; any other is its own.
    package static func base(of name: String) -> String { String(name.prefix { $0 != "/" }) }

    /// How the lane of a tenant is called.
    package static func of(tenant: String, in lane: String) -> String { "\(lane)/\(tenant)" }
}

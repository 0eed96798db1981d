import Hosts
package import LoadPlan

/// A campaign as it is simulated: what falls due when, over which pools, to hosts with which limits.
///
/// Made from a profile, so that the same file can be planned and run. Where its `campaign` section says how many and by
/// when, that is the load; else the profile's own phases are, with their backlog and drain.
package struct Campaign: Sendable {
    /// The profile with the load that is simulated.
    package let profile: Profile
    package let settings: CampaignSection
    package let plan: LoadPlan
    /// Those with pushes, in the order of ``LaneName/all``.
    package let lanes: [CampaignLane]
    /// How many threads send.
    package let workers: Int
    /// Whether pushes that wait too long are skipped and the run has an end, as in `run`; a campaign goes on until it is done.
    package let isBounded: Bool

    /// When a run gives up, in nanoseconds from its start; `Int64.max / 4` for a campaign, which goes on.
    package var lifetime: Int64 { isBounded ? plan.duration + profile.load.drain : .max / 4 }

    /// All pushes; nil where a closed loop has no limit.
    package var pushes: UInt64? {
        lanes.reduce(0) { sum, lane in sum.flatMap { sum in lane.plan.totalPlanned.map { sum + $0 } } }
    }

    /// Whether everything falls due at once.
    var isBurst: Bool { settings.hasLoad && settings.rate == nil && settings.deadline == nil }

    /// Fails for what can't be planned, with the field that is to blame.
    package init(_ profile: Profile) throws(BrokenRule) {
        let settings = profile.campaign ?? CampaignSection()
        guard profile.fleet.csv == nil else {
            throw BrokenRule(path: "fleet.csv", message: "is set; a plan needs fleet.mix and fleet.size, not tokens")
        }
        if profile.load.phases.contains(where: { $0.shape.isReplay }), !settings.hasLoad {
            throw BrokenRule(path: "load.phases", message: "replays a file; a plan takes rates, or campaign.devices")
        }
        let loaded = settings.hasLoad ? try Self.withOwnLoad(profile, settings) : profile
        let plan = try LoadPlan(loaded)
        self.profile = loaded
        self.settings = settings
        self.plan = plan
        workers = profile.workers ?? 1
        isBounded = !settings.hasLoad
        var lanes: [CampaignLane] = []
        for lane in plan.lanes where lane.totalPlanned != 0 {
            lanes.append(CampaignLane(lane, profile: loaded, settings: settings))
        }
        self.lanes = lanes
        guard !lanes.isEmpty else { throw BrokenRule(path: "load.phases", message: "plan no push") }
        try checkQuota()
    }

    /// The profile with one phase in which all of the campaign falls due.
    private static func withOwnLoad(_ profile: Profile, _ settings: CampaignSection) throws(BrokenRule) -> Profile {
        var profile = profile
        let devices = settings.devices ?? profile.fleet.size
        profile.fleet.size = max(profile.fleet.size, devices)
        var phase = Phase()
        phase.name = "campaign"
        phase.duration = try duration(of: devices, profile, settings)
        phase.shape = .constant(.total(Rate(pushes: devices, nanoseconds: UInt64(phase.duration))))
        profile.load = LoadSection()
        profile.load.phases = [phase]
        return profile
    }

    /// How long it takes until all has fallen due, rounded up to a millisecond.
    private static func duration(
        of devices: UInt64,
        _ profile: Profile,
        _ settings: CampaignSection
    ) throws(BrokenRule) -> Int64 {
        let millisecond = Nanoseconds.millisecond
        var exact = UInt128(devices) * 100
        if let rate = settings.rate {
            exact = (UInt128(devices) * UInt128(rate.nanoseconds) + UInt128(rate.pushes) - 1) / UInt128(rate.pushes)
        } else if let deadline = settings.deadline {
            // So that the last answers come in time.
            exact = max(exact, UInt128(max(deadline / 2, deadline - tail(profile, settings))))
        }
        guard exact <= UInt128(Phase.longestDuration) else {
            throw BrokenRule(
                path: settings.rate == nil ? "campaign.devices" : "campaign.rate",
                message: "makes the campaign last longer than 24h"
            )
        }
        // Rounded down for a deadline, up for a rate, which must not get above the highest there is.
        let keepsDeadline = settings.rate == nil && settings.deadline != nil
        let rounding = keepsDeadline ? 0 : millisecond - 1
        return max(millisecond, (Int64(exact) + rounding) / millisecond * millisecond)
    }

    /// What the slowest of a thousand answers takes.
    private static func tail(_ profile: Profile, _ settings: CampaignSection) -> Int64 {
        let times = profile.fleet.mix.filter { $0.share > 0 }
            .map { profile.mock.serviceTime(of: $0.lane).quantile(0.999) }
        return (times.max() ?? 0) + settings.roundTrip + Nanoseconds.millisecond
    }

    private func checkQuota() throws(BrokenRule) {
        guard settings.withinQuota, let lane = lanes.first(where: { !$0.isAPNs }), let quota = lane.host.quota else {
            return
        }
        let rate = lane.plannedPerSecond(plan)
        let allowed = Double(quota.most) / Double(quota.window) * 1e9
        guard rate > allowed * (1 + 1e-9) else { return }
        throw BrokenRule(
            path: settings.rate != nil
                ? "campaign.rate" : settings.deadline != nil ? "campaign.deadline" : "load.phases",
            message:
                "asks for \(Int(rate.rounded(.up)))/s on fcm, above the \(Int(allowed))/s that are left of its quota, "
                + "which is not to be exceeded (campaign.withinQuota)"
        )
    }
}

extension PhaseShape {
    fileprivate var isReplay: Bool {
        if case .replay = self { true } else { false }
    }
}

extension Distribution {
    /// The time that a share of all values is not above.
    package func quantile(_ share: Double) -> Int64 {
        sample(UInt64(min(max(share, 0), 1 - 0x1p-53) * 0x1p64))
    }

    /// The mean, from its quantiles at the middles of a thousand equal steps.
    package var mean: Double {
        let sampler = sampler
        let steps = 1000
        let sum = (0..<steps)
            .reduce(0.0) { sum, step in
                sum + Double(sampler.sample(UInt64((Double(step) + 0.5) / Double(steps) * 0x1p64)))
            }
        return sum / Double(steps)
    }
}

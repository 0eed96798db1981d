import Hosts
package import LoadPlan

/// Turns a plan's question round: what has to be given so that the campaign keeps its deadline, or its quota.
package struct Solver: Sendable {
    /// What is sought.
    package enum Goal: String, Sendable, CaseIterable {
        case rate
        case devices
        case deadline
        case connections
        case quota
    }

    /// What was found.
    package struct Solution: Sendable {
        package var goal: Goal
        /// Pushes a second, devices, nanoseconds, connections of ``lane``, or messages in each window.
        package var value: UInt64
        package var lane: String
        /// The profile with the value in its place.
        package var profile: Profile
        /// How many campaigns were simulated.
        package var simulations: Int
    }

    package let goal: Goal
    /// The lane whose connections are sought.
    package let lane: String
    private let profile: Profile
    /// So close is close enough.
    private static let tolerance = 0.005
    private static let confirmingSeeds = 3

    /// Fails where the question has no answer, with the field that is to blame.
    package init(_ goal: Goal, of profile: Profile, lane: String? = nil) throws(BrokenRule) {
        self.goal = goal
        self.profile = profile
        let mix = profile.fleet.mix.filter { $0.share > 0 }
        let largest = mix.max { $0.share < $1.share }?.lane ?? LaneName.fcm
        self.lane = lane ?? (goal == .quota ? LaneName.fcm : largest)
        guard mix.contains(where: { $0.lane == self.lane }) else {
            throw BrokenRule(path: "fleet.mix", message: "has no devices of \(self.lane)")
        }
        try check()
    }

    private func check() throws(BrokenRule) {
        let settings = profile.campaign ?? CampaignSection()
        switch goal {
        case .deadline where settings.deadline != nil:
            throw BrokenRule(path: "campaign.deadline", message: "is given, and it is what --solve deadline asks for")
        case .rate where settings.rate != nil:
            throw BrokenRule(path: "campaign.rate", message: "is given, and it is what --solve rate asks for")
        case .devices where settings.deadline == nil:
            throw BrokenRule(
                path: "campaign.deadline",
                message: "is missing; --solve devices asks how many can be reached by then"
            )
        case .connections where settings.deadline == nil && settings.rate == nil,
            .quota where settings.deadline == nil && settings.rate == nil:
            throw BrokenRule(
                path: "campaign.deadline",
                message: "is missing; --solve \(goal.rawValue) needs a deadline or a rate"
            )
        default: break
        }
    }

    /// Finds it; nil where nothing within reason keeps the deadline.
    package func solve() throws(BrokenRule) -> Solution? {
        if goal == .deadline { return try deadline() }
        var search = MonotoneSearch(
            goal == .rate || goal == .devices ? .greatest : .least,
            from: try guess(),
            in: range,
            tolerance: Self.tolerance
        )
        var simulations = 0
        while let value = search.next {
            let campaign = try Campaign(profile(with: value))
            simulations += 1
            search.answered(holds(campaign, seeds: 1))
        }
        guard var value = search.found else { return nil }
        // One seed may be lucky: the others are asked too, and have the last word.
        for _ in 0..<20 {
            let campaign = try Campaign(profile(with: value))
            simulations += Self.confirmingSeeds
            if holds(campaign, seeds: Self.confirmingSeeds) {
                let solved = profile(with: value)
                return Solution(goal: goal, value: value, lane: lane, profile: solved, simulations: simulations)
            }
            let change = max(1, value / 100)
            let isLess = goal == .rate || goal == .devices
            guard isLess ? value > change : value + change <= range.upperBound else { return nil }
            value = isLess ? value - change : value + change
        }
        return nil
    }

    private func deadline() throws(BrokenRule) -> Solution {
        let campaign = try Campaign(profile)
        let seeds = Planner.seeds(for: campaign)
        let finishes = (0..<seeds).map { Planner.simulate(campaign, number: $0, of: seeds).finish }
        let value = UInt64(Spread(finishes).p99)
        return Solution(goal: goal, value: value, lane: lane, profile: profile, simulations: seeds)
    }

    /// Whether all is delivered in time, and for a rate or a quota without being refused.
    private func holds(_ campaign: Campaign, seeds: Int) -> Bool {
        for number in 0..<seeds {
            let run = Planner.simulate(campaign, number: number, of: seeds)
            guard run.lost == 0, run.skipped == 0, run.unanswered == 0 else { return false }
            if goal == .rate || goal == .quota, run.refused > 0 { return false }
            let latest = campaign.settings.deadline ?? (campaign.plan.duration + campaign.slowest)
            guard run.finish <= latest else { return false }
        }
        return true
    }

    private var range: ClosedRange<UInt64> {
        switch goal {
        case .rate: 1...10_000_000
        case .devices: 1...1_000_000_000
        case .connections: 1...100_000
        case .quota: 1...1_000_000_000
        case .deadline: 0...0
        }
    }

    private func guess() throws(BrokenRule) -> UInt64 {
        let campaign = try Campaign(profile.unpressed)
        guard let lane = campaign.lanes.first(where: { $0.name == self.lane }) else { return 1 }
        let share = profile.fleet.mix.first { $0.lane == self.lane }?.share ?? 1
        let latency = lane.serviceTime.mean + Double(lane.roundTrip)
        let pool = ClosedForms.poolRate(
            connections: lane.section.connections,
            streams: lane.streams,
            latency: max(1, latency)
        )
        let quota = lane.host.quota.map { Double($0.most) / Double($0.window) * 1e9 } ?? .infinity
        let reachable = min(pool, quota) / share
        let planned = lane.plannedPerSecond(campaign.plan)
        switch goal {
        case .rate: return UInt64(max(1, min(reachable, 1e7)))
        case .devices:
            let seconds = Double(profile.campaign?.deadline ?? 0) / 1e9
            return UInt64(max(1, min(reachable, profile.campaign?.rate?.perSecond ?? .infinity) * seconds))
        case .connections:
            return UInt64(ClosedForms.connections(perSecond: planned, latency: latency, streams: lane.streams))
        case .quota: return UInt64(max(1, planned * Double(window) / 1e9))
        case .deadline: return 0
        }
    }

    private var window: Int64 {
        profile.campaign?.quota?.per ?? profile.mock.quotaWindow
    }

    /// The profile with a value in the place of what is sought.
    private func profile(with value: UInt64) -> Profile {
        var profile = profile
        var settings = profile.campaign ?? CampaignSection()
        switch goal {
        case .rate: settings.rate = .perSecond(value)
        case .devices: settings.devices = value
        case .connections:
            var section = profile.lane(lane)
            section.connections = Int(value)
            profile.lanes[lane] = section
        case .quota: settings.quota = DeviceLimit(limit: Int(value), per: window)
        case .deadline: break
        }
        // What is sought must not be an error on the way.
        settings.withinQuota = false
        if !settings.hasLoad { settings.devices = profile.fleet.size }
        profile.campaign = settings
        return profile
    }
}

extension Profile {
    /// The profile as it can always be made into a campaign.
    fileprivate var unpressed: Profile {
        var profile = self
        profile.campaign?.withinQuota = false
        return profile
    }
}

extension MockSection {
    /// The length of the FCM project's quota window.
    fileprivate var quotaWindow: Int64 {
        faults.last { $0.knob == .quota }?.time("per") ?? Nanoseconds.minute
    }
}

extension Campaign {
    /// What the slowest answer may take, with half as much again: one beyond it has waited for something.
    fileprivate var slowest: Int64 {
        let times = lanes.map { $0.serviceTime.quantile(0.999_999) + $0.roundTrip }
        return (times.max() ?? 0) * 3 / 2 + 10 * Nanoseconds.millisecond
    }
}

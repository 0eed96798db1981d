package import Fleet
package import LoadPlan

/// One lane of a campaign: its pushes, its pool, its host.
package struct CampaignLane: Sendable {
    package let name: String
    package let plan: LanePlan
    package let section: LaneSection
    /// The most streams that a connection gets: the lane's own limit, or its host's.
    package let streams: Int
    /// The streams that a connection has until its first push was answered.
    package let firstStreams: Int
    package let devices: UInt64
    /// The share of the devices whose token the host calls bad.
    package let badShare: Double
    /// The share of the messages that replace one another.
    package let collapsibleShare: Double
    package let host: HostRules
    package let serviceTime: Distribution
    /// The way to the host and back, in nanoseconds.
    package let roundTrip: Int64

    package var isAPNs: Bool { LaneName.isAPNs(name) }
    package var provider: Provider { isAPNs ? .apns : .fcm }

    init(_ plan: LanePlan, profile: Profile, settings: CampaignSection) {
        let name = plan.lane
        self.name = name
        self.plan = plan
        section = profile.lane(name)
        let isCanned = profile.mock.policy == .canned
        let faults = profile.mock.faults.filter { $0.strikes(host: name) }
        let limit = profile.mock.streamLimit(of: name)
        switch section.streams {
        case .peer: streams = limit
        case .fixed(let own): streams = min(own, limit)
        }
        let first = faults.last { $0.knob == .firstStreams }?.number().map { Int($0) }
        let needsToken = LaneName.isAPNs(name) && section.certificate == nil
        let usual = needsToken ? profile.mock.unauthenticatedStreamLimit : limit
        firstStreams = min(streams, first ?? usual)
        let share = profile.fleet.mix.first { $0.lane == name }?.share ?? 0
        devices = max(1, UInt64(Double(profile.fleet.size) * share))
        badShare = Self.badShare(profile.fleet.defects, isAPNs: LaneName.isAPNs(name))
        let weight = profile.messages.reduce(0) { $0 + $1.weight }
        let collapsible = profile.messages.reduce(0) { $0 + ($1.collapseKey == nil ? 0 : $1.weight) }
        collapsibleShare = weight == 0 ? 0 : Double(collapsible) / Double(weight)
        host = HostRules(name, profile: profile, settings: settings, faults: faults)
        serviceTime = isCanned ? .constant(0) : profile.mock.serviceTime(of: name)
        let delay = faults.last { $0.knob == .roundTrip }?.times()?.quantile(0.5) ?? 0
        roundTrip = settings.roundTrip + delay
    }

    /// What a defect means to a lane: another sender's token is FCM's, another topic's and environment's are APNs'.
    private static func badShare(_ defects: DefectShares, isAPNs: Bool) -> Double {
        let own = isAPNs ? defects.wrongEnvironment + defects.wrongTopic : defects.otherSender
        return min(1, defects.unregistered + defects.malformed + own)
    }

    /// What a worker of so many has of the lane; nil for one that does not serve it.
    func share(of worker: Int, of workers: Int, backlog: Int) -> WorkerShare? {
        WorkerShare(
            worker: worker,
            of: workers,
            connections: section.connections,
            batchesInFlight: section.batch?.inFlight,
            backlog: backlog
        )
    }

    /// The highest planned rate, in pushes a second; 0 for a lane that is only driven in a closed loop.
    package func plannedPerSecond(_ plan: LoadPlan) -> Double {
        var highest = 0.0
        for leg in plan.legs where leg.end > leg.start {
            let pushes =
                self.plan.count(atElapsed: leg.end - 1)
                - (leg.start > 0 ? self.plan.count(atElapsed: leg.start - 1) : 0)
            highest = max(highest, Double(pushes) / Double(leg.end - leg.start) * 1e9)
        }
        return highest
    }
}

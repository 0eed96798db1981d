import Fleet
import LoadPlan
import Push
import Sending
import Transport

/// A profile and a set of hosts made into what the workers need.
struct RunLayout {
    let phases: [RunPhase]
    let setups: [LaneSetup]

    init(
        profile: Profile,
        shard: Shard,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        replays: [Int: [ReplayTimes]] = [:]
    ) throws(RunError) {
        let plan = try Self.plan(profile, fleet: fleet, replays: replays)
        phases = RunPhase.all(of: plan)
        let tls = try Self.tls(trusting: hosts.trustedFile)
        var setups: [LaneSetup] = []
        for lanePlan in plan.lanes {
            guard let lane = FleetLane(name: lanePlan.lane) else {
                throw .profile(field: "lanes", reason: "\(lanePlan.lane) is no lane")
            }
            for part in profile.parts(of: lane.name) where fleet.hasDevices(lane, of: part) {
                try Self.check(part.section, of: part.name, hasPartsFor: shard)
                let setup = try LaneSetup(
                    index: setups.count,
                    lane: lane,
                    part: part,
                    plan: lanePlan,
                    profile: profile,
                    shard: shard,
                    fleet: fleet,
                    hosts: hosts,
                    tls: tls
                )
                setups.append(setup)
            }
        }
        self.setups = setups
    }

    /// Each shard needs a connection and a batch in flight of its own, else a part of the plan could not be sent.
    private static func check(
        _ section: LaneSection,
        of lane: String,
        hasPartsFor shard: Shard
    ) throws(RunError) {
        let limits = [
            ("connections", section.connections), ("batch.inFlight", section.batch?.inFlight ?? shard.count),
        ]
        for (field, limit) in limits where limit < shard.count {
            throw .profile(
                field: "lanes.\(lane).\(field)",
                reason: "is \(limit), fewer than the \(shard.count) shards, each of which needs one of its own"
            )
        }
    }

    private static func plan(
        _ profile: Profile,
        fleet: FleetSource,
        replays: [Int: [ReplayTimes]]
    ) throws(RunError) -> LoadPlan {
        do throws(BrokenRule) {
            return try LoadPlan(
                profile,
                laneWeights: profile.fleet.csv.map { _ in FleetLane.allCases.map(fleet.laneCount) },
                replays: replays
            )
        } catch {
            throw .profile(field: error.path, reason: error.message)
        }
    }

    private static func tls(trusting file: String?) throws(RunError) -> TLSContext {
        do throws(TransportError) {
            return try TLSContext.client(caFile: file)
        } catch {
            throw .system("\(error)")
        }
    }
}

extension FleetSource {
    /// Whether a part of a lane has devices to send to; found at the first of them.
    func hasDevices(_ lane: FleetLane, of part: LanePart) -> Bool {
        let count = laneCount(lane)
        guard !part.servesAll else { return count > 0 }
        let isServed = apps.map(part.serves)
        return (0..<count).contains { isServed[device(lane: lane, ordinal: $0).app] }
    }
}

extension LaneSetup {
    /// Longer than most functions: every stored property is set here, once.
    fileprivate init(
        index: Int,
        lane: FleetLane,
        part: LanePart,
        plan: LanePlan,
        profile: Profile,
        shard: Shard,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        tls: TLSContext
    ) throws(RunError) {
        let (section, name) = (part.section, part.name)
        let route = try LaneRoute(section, announced: hosts.hosts[lane.name], lane: name)
        self.index = index
        hashNumber = LaneName.all.firstIndex(of: lane.name) ?? index
        self.name = name
        self.lane = lane
        self.section = section
        self.route = route
        self.tls = tls
        certificate = try section.certificate.map { (section) throws(RunError) in
            try LaneCertificate(section, hosts: hosts, lane: name)
        }
        // What the shard has of the lane's limits.
        self.shard = shard
        connections = shard.share(of: section.connections)
        batch = section.batch.map { BatchSection(size: $0.size, inFlight: shard.share(of: $0.inFlight)) }
        backlogCapacity = shard.share(of: plan.backlogCapacity(lasting: profile.load.backlog))
        // What each connection and push does.
        slotsPerConnection = section.streams.slots
        http2 = section.http2
        timeouts = section.timeouts
        // What is sent, and when.
        isCollapsible = profile.messages.map { $0.collapseKey != nil }
        catalogue = RequestCatalogue(lane, section, profile, fleet: fleet, hosts: hosts, authority: route.authority)
        self.plan = plan
        isMeasured = profile.load.phases.map { !$0.warmUp }
        self.fleet = fleet
        selection = DeviceSelection(part, profile: profile, lane: lane, fleet: fleet)
        seed = profile.seed
    }
}

extension StreamLimit {
    /// Pushes that a connection may have in flight as far as the profile says.
    fileprivate var slots: Int {
        switch self {
        case .peer: LaneSetup.mostStreams
        case .fixed(let limit): min(limit, LaneSetup.mostStreams)
        }
    }
}

extension RequestCatalogue {
    fileprivate init(
        _ lane: FleetLane,
        _ section: LaneSection,
        _ profile: Profile,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        authority: String
    ) {
        switch lane.provider {
        case .apns:
            self.init(
                apns: profile.messages,
                apps: fleet.apps,
                authority: authority,
                wallNow: WallClock.now()
            )
        case .fcm:
            self.init(
                fcm: profile.messages,
                project: section.credential?.projectId ?? hosts.fcm.projectId,
                apps: fleet.apps,
                authority: authority,
                validateOnly: section.validateOnly ?? false
            )
        }
    }
}

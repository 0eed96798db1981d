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
            guard fleet.laneCount(lane) > 0 else { continue }
            try Self.check(profile.lane(lane.name), of: lane.name, hasPartsFor: shard)
            setups.append(
                try LaneSetup(
                    index: setups.count,
                    lane: lane,
                    plan: lanePlan,
                    profile: profile,
                    shard: shard,
                    fleet: fleet,
                    hosts: hosts,
                    tls: tls
                )
            )
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

extension LaneSetup {
    /// Longer than most functions: every stored property is set here, once.
    init(
        index: Int,
        lane: FleetLane,
        plan: LanePlan,
        profile: Profile,
        shard: Shard,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        tls: TLSContext
    ) throws(RunError) {
        let section = profile.lane(lane.name)
        let host = try HostURL(section.host ?? hosts.hosts[lane.name], lane: lane.name)
        // What says who and where the lane is.
        self.index = index
        hashNumber = LaneName.all.firstIndex(of: lane.name) ?? index
        name = lane.name
        self.lane = lane
        addresses = try host.resolve(lane: lane.name)
        serverName = host.name
        authority = host.authority
        self.tls = tls
        certificate = try section.certificate.map { (section) throws(RunError) in
            try LaneCertificate(section, hosts: hosts, lane: lane.name)
        }
        credential = section.credential
        // What the shard has of the lane's limits.
        self.shard = shard
        connections = shard.share(of: section.connections)
        batch = section.batch.map { BatchSection(size: $0.size, inFlight: shard.share(of: $0.inFlight)) }
        backlogCapacity = shard.share(of: plan.backlogCapacity(lasting: profile.load.backlog))
        // What each connection and push does.
        slotsPerConnection = section.streams.slots
        http2 = section.http2
        timeouts = section.timeouts
        mostBadTokens = section.mostBadTokens
        retry = section.retry
        quota = section.quota
        // What is sent, and when.
        isCollapsible = profile.messages.map { $0.collapseKey != nil }
        catalogue = RequestCatalogue(lane: lane, profile: profile, fleet: fleet, hosts: hosts, host: host)
        self.plan = plan
        isMeasured = profile.load.phases.map { !$0.warmUp }
        self.fleet = fleet
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
        lane: FleetLane,
        profile: Profile,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        host: HostURL
    ) {
        switch lane.provider {
        case .apns:
            self.init(
                apns: profile.messages,
                apps: fleet.apps,
                authority: host.authority,
                wallNow: WallClock.now()
            )
        case .fcm:
            self.init(
                fcm: profile.messages,
                project: profile.lane(lane.name).credential?.projectId ?? hosts.fcm.projectId,
                apps: fleet.apps,
                authority: host.authority,
                validateOnly: profile.lane(lane.name).validateOnly ?? false
            )
        }
    }
}

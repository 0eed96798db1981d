import Fleet
import LoadPlan
import Planner
import Report

/// What a plan is told: a file, short options for the commonest fields, paths for all others, and a result that was measured.
struct PlanInputs {
    /// A short option: its name, what it takes, what it changes, and its words of help.
    private struct Short {
        let name: String
        let argument: String
        let help: String
        /// The fields it sets; `LANE` stands for the lane that is planned for.
        let fields: [String]
    }

    private static let shorts = [
        Short(name: "devices", argument: "N", help: "How many pushes: 8M.", fields: ["campaign.devices"]),
        Short(
            name: "rate",
            argument: "RATE",
            help: "The even rate at which they fall due: 10000/s.",
            fields: ["campaign.rate"]
        ),
        Short(
            name: "deadline",
            argument: "TIME",
            help: "When the last is to be answered: 15m. Without a rate, pushes are spread over it.",
            fields: ["campaign.deadline"]
        ),
        Short(name: "connections", argument: "N", help: "Connections of the lane.", fields: ["lanes.LANE.connections"]),
        Short(
            name: "streams",
            argument: "N",
            help: "Streams of a connection.",
            fields: ["lanes.LANE.streams", "mock.streamLimits.LANE"]
        ),
        Short(
            name: "batches",
            argument: "N",
            help: "Batches in flight on fcm, of 500 unless the campaign says otherwise.",
            fields: ["lanes.fcm.batch.inFlight"]
        ),
        Short(
            name: "service-time",
            argument: "TIME",
            help: "What an answer takes: 100ms, or a distribution as in a profile.",
            fields: ["mock.serviceTime"]
        ),
        Short(
            name: "round-trip",
            argument: "TIME",
            help: "The way to the hosts and back.",
            fields: ["campaign.roundTrip"]
        ),
        Short(
            name: "bad-tokens",
            argument: "SHARE",
            help: "The share of tokens that the hosts call bad: 0.02.",
            fields: ["fleet.defects.unregistered"]
        ),
        Short(
            name: "attempts",
            argument: "N",
            help: "Tries of one push, the first included.",
            fields: ["lanes.LANE.retry.attempts"]
        ),
        Short(
            name: "keeper",
            argument: "NAME",
            help: "How the lane keeps its quota: none, smooth or window.",
            fields: ["lanes.LANE.quota.keeper"]
        ),
        Short(
            name: "quota",
            argument: "N",
            help: "The FCM project's messages a minute: 600k.",
            fields: ["campaign.quota.limit"]
        ),
        Short(
            name: "quota-used",
            argument: "SHARE",
            help: "The share of it that other traffic uses.",
            fields: ["campaign.quotaUsed"]
        ),
        Short(
            name: "quota-phase",
            argument: "TIME",
            help: "How long after the start it is first refilled.",
            fields: ["campaign.quotaPhase"]
        ),
        Short(
            name: "cpu-per-push",
            argument: "TIME",
            help: "What a push costs on this machine: 40us.",
            fields: ["campaign.cpuPerPush"]
        ),
        Short(name: "workers", argument: "N", help: "Threads that send.", fields: ["workers"]),
        Short(
            name: "margin",
            argument: "SHARE",
            help: "What is added beyond Little's law.",
            fields: ["campaign.margin"]
        ),
        Short(name: "seed", argument: "N", help: "The first seed.", fields: ["seed"]),
        Short(name: "seeds", argument: "N", help: "How many simulations.", fields: ["campaign.seeds"]),
    ]

    static let options =
        shorts.map { Option.value($0.name, $0.argument, $0.help) } + [
            .value("lane", "NAME", "The lane that short options are for.", default: "the one with most devices"),
            .flag("within-quota", "A rate above what is left of the quota is an error."),
            .value(
                "from",
                "RESULT",
                "Take service times, streams, CPU and bytes of a push from a result that was measured."
            ),
            .values(
                "set",
                "PATH=VALUE",
                "Change a field of the campaign, such as fleet.mix or load.phases[0].rate=2000/s."
            ),
        ]

    /// What is planned where no file is named: everything to FCM.
    private static let standard = """
        { name: "campaign", fleet: { mix: { fcm: 1 } }, campaign: { devices: 1000000 } }
        """
    private static let standardFile = "the campaign"

    /// For messages.
    let file: String
    private let path: String?
    private let values: [(short: Short, value: String)]
    private let isWithinQuota: Bool
    private let overrides: [String]
    private let result: String?
    let lane: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        path = arguments.operands.first
        file = path ?? Self.standardFile
        values = Self.shorts.compactMap { short in arguments.value(short.name).map { (short, $0) } }
        isWithinQuota = arguments.has("within-quota")
        overrides = arguments.all("set")
        result = arguments.value("from")
        lane = arguments.value("lane")
        if let lane, !LaneName.all.contains(lane) {
            throw .usage("--lane is \(lane); allowed: \(LaneName.all.joined(separator: ", "))")
        }
    }

    /// The option that gives what a goal asks for; nil where none does.
    func given(_ goal: Solver.Goal) -> String? { values.first { $0.short.name == goal.rawValue }?.short.name }

    /// The campaign as it was asked for.
    ///
    /// - Parameter changes: `KEY=VALUE` of `--what-if`.
    func profile(changing changes: [String] = []) throws(CommandFailure) -> Profile {
        let measured = try result.map { (path) throws(CommandFailure) in try MeasuredInputs(path) }
        let lane = try mainLane()
        var options = measured?.overrides ?? []
        options += overrides
        for (short, value) in values { options += Self.overrides(short, value, lane: lane) }
        if isWithinQuota { options.append("campaign.withinQuota=true") }
        for change in changes { options += Self.expand(change, lane: lane) }
        return try load(options)
    }

    /// The lane that has most devices, before short options.
    private func mainLane() throws(CommandFailure) -> String {
        if let lane { return lane }
        let mix = try load(overrides).fleet.mix
        return mix.max { $0.share < $1.share }?.lane ?? LaneName.fcm
    }

    private func load(_ overrides: [String]) throws(CommandFailure) -> Profile {
        if let path { return try Self.counted(ProfileFile.load(path, overrides: overrides)) }
        do throws(ProfileError) {
            return try Profile(json: Self.standard, file: file, overrides: overrides)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// A fleet that is listed as the size and mix that it has, the shares to a hundredth of a percent.
    private static func counted(_ file: ProfileFile) throws(CommandFailure) -> Profile {
        guard file.profile.fleet.csv != nil else { return file.profile }
        let fleet = try FleetLoading.source(for: file)
        var profile = file.profile
        profile.fleet.csv = nil
        profile.fleet.size = fleet.size
        let counts = FleetLane.allCases.map(fleet.laneCount)
        var shares = counts.map { Int((Double($0) / Double(max(1, fleet.size)) * 10_000).rounded()) }
        let largest = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        shares[largest] += 10_000 - shares.reduce(0, +)
        profile.fleet.mix = zip(FleetLane.allCases, shares)
            .map { LaneShare(lane: $0.name, share: Double($1) / 10_000) }
        return profile
    }

    private static func overrides(_ short: Short, _ value: String, lane: String) -> [String] {
        short.fields.map { field in
            let path = field.split(separator: ".").map { $0 == "LANE" ? Substring(lane) : $0 }.joined(separator: ".")
            return "\(path)=\(value)"
        }
    }

    /// A change in a short option's name, or a path.
    private static func expand(_ change: String, lane: String) -> [String] {
        let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let short = shorts.first(where: { $0.name == parts[0] }), parts.count == 2 else { return [change] }
        return overrides(short, String(parts[1]), lane: lane)
    }
}

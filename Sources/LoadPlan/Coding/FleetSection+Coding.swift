extension FleetSection {
    static let keys = [
        "size", "mix", "apps", "project", "longTokenShare", "longestToken", "defects", "csv", "misshapen",
    ]
    package static let largestSize: UInt64 = 1_000_000_000_000

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["size"] { size = try field.whole(in: 1...Self.largestSize) }
        if let field = object["mix"] { mix = try Self.mix(field) }
        if let field = object["apps"] { apps = try field.elements(atMost: 1000).mapFields(AppShare.init) }
        if let field = object["project"] { project = try field.text(longest: 100) }
        if let field = object["longTokenShare"] { longTokenShare = try field.share() }
        if let field = object["longestToken"] { longestToken = try field.whole(in: 64...200) }
        if let field = object["defects"] { defects = try DefectShares(field) }
        if let field = object["csv"] { csv = try field.text(longest: 4096) }
        if let field = object["misshapen"] { misshapen = try field.word(MisshapenTokens.self) }
    }

    /// The shares in the order of the lanes; a lane that is not named has none.
    private static func mix(_ field: Field) throws(ProfileError) -> [LaneShare] {
        var mix: [LaneShare] = []
        for (lane, field) in try field.object(keys: LaneName.all).present {
            mix.append(LaneShare(lane: lane, share: try field.share()))
        }
        return mix
    }

    var node: JSONNode {
        .object([
            "size": .number(size),
            "mix": JSONNode(.object(mix.map { .init(name: $0.lane, node: .number($0.share)) })),
            "apps": .array(apps.map(\.node)),
            "project": .string(project), "longTokenShare": .number(longTokenShare),
            "longestToken": .number(longestToken), "defects": defects.node, "csv": csv.map { .string($0) },
            "misshapen": .string(misshapen.rawValue),
        ])
    }
}

extension AppShare {
    static let keys = ["topic", "share", "environment"]
    static let environments = ["production", "sandbox"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        guard let topic = object["topic"] else { throw field.error(.rule("has no \"topic\"")) }
        self.init(topic: try topic.text(longest: 155), share: try object["share"]?.share() ?? 1)
        environment = try object["environment"]?.word(of: Self.environments)
    }

    var node: JSONNode {
        .object([
            "topic": .string(topic), "share": .number(share), "environment": environment.map { .string($0) },
        ])
    }
}

extension DefectShares {
    static let keys = ["unregistered", "wrongEnvironment", "malformed", "wrongTopic", "otherSender"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["unregistered"] { unregistered = try field.share() }
        if let field = object["wrongEnvironment"] { wrongEnvironment = try field.share() }
        if let field = object["malformed"] { malformed = try field.share() }
        if let field = object["wrongTopic"] { wrongTopic = try field.share() }
        if let field = object["otherSender"] { otherSender = try field.share() }
    }

    var node: JSONNode {
        .object([
            "unregistered": .number(unregistered), "wrongEnvironment": .number(wrongEnvironment),
            "malformed": .number(malformed), "wrongTopic": .number(wrongTopic), "otherSender": .number(otherSender),
        ])
    }
}

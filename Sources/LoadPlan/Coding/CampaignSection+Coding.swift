extension CampaignSection {
    static let keys = [
        "devices", "rate", "deadline", "quota", "quotaUsed", "withinQuota", "quotaPhase", "roundTrip", "cpuPerPush",
        "bytesPerPush", "margin", "seeds",
    ]
    /// A plan walks through all of them.
    static let mostDevices: UInt64 = 1_000_000_000
    static let mostSeeds = 1000

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["devices"] { devices = try field.whole(in: 1...Self.mostDevices) }
        if let field = object["rate"] { rate = try field.rate() }
        if let field = object["deadline"] {
            deadline = try field.duration(in: Nanoseconds.millisecond...Phase.longestDuration)
        }
        if let field = object["quota"] { quota = try Self.quota(field) }
        if let field = object["quotaUsed"] { quotaUsed = try field.share() }
        if let field = object["withinQuota"] { withinQuota = try field.flag() }
        if let field = object["quotaPhase"] { quotaPhase = try field.duration(in: 0...Nanoseconds.day) }
        if let field = object["roundTrip"] { roundTrip = try field.duration(in: 0...Nanoseconds.minute) }
        if let field = object["cpuPerPush"] { cpuPerPush = try field.duration(in: 1...Nanoseconds.second) }
        if let field = object["bytesPerPush"] { bytesPerPush = try BytesPerPush(field) }
        if let field = object["margin"] { margin = try field.share() }
        if let field = object["seeds"] { seeds = try field.whole(in: 1...Self.mostSeeds) }
    }

    private static func quota(_ field: Field) throws(ProfileError) -> DeviceLimit {
        let object = try field.object(keys: ["limit", "per"])
        return DeviceLimit(
            limit: try object["limit"]?.whole(in: 0...1_000_000_000) ?? 600_000,
            per: try object["per"]?.duration(in: Nanoseconds.millisecond...Nanoseconds.day) ?? Nanoseconds.minute
        )
    }

    var node: JSONNode {
        .object([
            "devices": devices.map { .number($0) }, "rate": rate.map { .string(Quantity.text($0)) },
            "deadline": deadline.map { .string(Quantity.text(duration: $0)) },
            "quota": quota.map {
                .object(["limit": .number($0.limit), "per": .string(Quantity.text(duration: $0.per))])
            },
            "quotaUsed": .number(quotaUsed), "withinQuota": JSONNode(.bool(withinQuota)),
            "quotaPhase": quotaPhase.map { .string(Quantity.text(duration: $0)) },
            "roundTrip": .string(Quantity.text(duration: roundTrip)),
            "cpuPerPush": cpuPerPush.map { .string(Quantity.text(duration: $0)) },
            "bytesPerPush": bytesPerPush.map { .object(["out": .number($0.out), "in": .number($0.in)]) },
            "margin": .number(margin), "seeds": seeds.map { .number($0) },
        ])
    }
}

extension BytesPerPush {
    fileprivate init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: ["out", "in"])
        out = try object["out"]?.whole(in: 0...1_000_000) ?? 0
        `in` = try object["in"]?.whole(in: 0...1_000_000) ?? 0
    }
}

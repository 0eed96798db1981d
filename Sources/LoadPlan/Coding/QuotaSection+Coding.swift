extension QuotaSection {
    static let keys = ["keeper", "limit", "per", "reserve", "perDevice", "collapsible", "devices"]
    private static let times = Nanoseconds.millisecond...Nanoseconds.day

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["keeper"] { keeper = try field.word(QuotaKeeping.self) }
        if let field = object["limit"] { limit = try field.whole(in: 1...1_000_000_000) }
        if let field = object["per"] { per = try field.duration(in: Self.times) }
        if let field = object["reserve"] { reserve = try field.share() }
        if let field = object["perDevice"] { perDevice = try field.elements(atMost: 2).mapFields(Self.deviceLimit) }
        if let field = object["collapsible"] { collapsible = try Self.collapsible(field) }
        if let field = object["devices"] { devices = try field.whole(in: 4...10_000_000) }
    }

    private static func deviceLimit(_ field: Field) throws(ProfileError) -> DeviceLimit {
        let object = try field.object(keys: ["limit", "per"])
        return DeviceLimit(
            limit: try object["limit"]?.whole(in: 1...1_000_000) ?? 240,
            per: try object["per"]?.duration(in: times) ?? Nanoseconds.minute
        )
    }

    private static func collapsible(_ field: Field) throws(ProfileError) -> CollapsibleLimit {
        let object = try field.object(keys: ["burst", "every"])
        return CollapsibleLimit(
            burst: try object["burst"]?.whole(in: 1...10_000) ?? 20,
            every: try object["every"]?.duration(in: times) ?? 3 * Nanoseconds.minute
        )
    }

    var node: JSONNode {
        .object([
            "keeper": .string(keeper.rawValue), "limit": .number(limit), "per": .string(Quantity.text(duration: per)),
            "reserve": .number(reserve),
            "perDevice": perDevice.isEmpty ? nil : .array(perDevice.map { Self.node(limit: $0.limit, per: $0.per) }),
            "collapsible": collapsible.map {
                .object(["burst": .number($0.burst), "every": .string(Quantity.text(duration: $0.every))])
            },
            "devices": .number(devices),
        ])
    }

    private static func node(limit: Int, per: Int64) -> JSONNode {
        .object(["limit": .number(limit), "per": .string(Quantity.text(duration: per))])
    }
}

extension LaneSection {
    static let keys = [
        "connections", "streams", "http2", "timeouts", "batch", "validateOnly", "retry", "quota", "host",
    ]
    private static let fcmKeys = ["batch", "validateOnly"]

    /// All lanes: those of the object as it says, the others by default.
    static func sections(_ field: Field) throws(ProfileError) -> [String: LaneSection] {
        var sections = standardLanes
        for (lane, field) in try field.object(keys: LaneName.all).present {
            sections[lane] = try LaneSection(field, lane: lane)
        }
        return sections
    }

    private init(_ field: Field, lane: String) throws(ProfileError) {
        self = .standard(for: lane)
        // For the other lanes FCM's own keys are not known at all.
        let keys = LaneName.isAPNs(lane) ? Self.keys.filter { !Self.fcmKeys.contains($0) } : Self.keys
        let object = try field.object(keys: keys)
        if let field = object["connections"] { connections = try field.whole(in: 1...10_000) }
        if let field = object["streams"] { streams = try StreamLimit(field) }
        if let field = object["http2"] { http2 = try field.word(HTTP2Implementation.self) }
        if let field = object["timeouts"] { timeouts = try Timeouts(field) }
        if !LaneName.isAPNs(lane) {
            if let field = object["batch"] { batch = try BatchSection(field) }
            if let field = object["validateOnly"] { validateOnly = try field.flag() }
        }
        if let field = object["retry"] { retry = try RetrySection(field) }
        if let field = object["quota"] { quota = try QuotaSection(field) }
        if let field = object["host"] { host = try field.text() }
    }

    func node(lane: String) -> JSONNode {
        .object([
            "connections": .number(connections), "streams": streams.node, "http2": .string(http2.rawValue),
            "timeouts": timeouts.node, "batch": batch?.node,
            "validateOnly": LaneName.isAPNs(lane) ? nil : .bool(validateOnly), "retry": retry.node, "quota": quota.node,
            "host": host.map { .string($0) },
        ])
    }
}

extension StreamLimit {
    init(_ field: Field) throws(ProfileError) {
        switch field.node.value {
        case .string("peer"):
            self = .peer
        default:
            do {
                self = .fixed(try field.whole(in: 1...1_000_000))
            } catch {
                throw field.wrong(allowed: "\"peer\" or a whole number from 1 to 1,000,000")
            }
        }
    }

    var node: JSONNode {
        switch self {
        case .peer: .string("peer")
        case .fixed(let limit): .number(limit)
        }
    }
}

extension Timeouts {
    static let keys = ["connect", "handshake", "push", "keepAlive", "idle"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        let range = Nanoseconds.millisecond...Nanoseconds.hour
        if let field = object["connect"] { connect = try field.duration(in: range) }
        if let field = object["handshake"] { handshake = try field.duration(in: range) }
        if let field = object["push"] { push = try field.duration(in: range) }
        if let field = object["keepAlive"] { keepAlive = try field.duration(in: range) }
        if let field = object["idle"] { idle = try field.duration(in: range) }
    }

    var node: JSONNode {
        .object([
            "connect": .string(Quantity.text(duration: connect)),
            "handshake": .string(Quantity.text(duration: handshake)), "push": .string(Quantity.text(duration: push)),
            "keepAlive": .string(Quantity.text(duration: keepAlive)),
            "idle": idle.map { .string(Quantity.text(duration: $0)) },
        ])
    }
}

extension BatchSection {
    static let keys = ["size", "inFlight"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["size"] { size = try field.whole(in: 1...500) }
        if let field = object["inFlight"] { inFlight = try field.whole(in: 1...10_000) }
    }

    var node: JSONNode { .object(["size": .number(size), "inFlight": .number(inFlight)]) }
}

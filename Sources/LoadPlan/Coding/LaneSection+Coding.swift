extension LaneSection {
    static let keys = [
        "connections", "streams", "http2", "timeouts", "batch", "validateOnly", "credential", "certificate",
        "mostBadTokens", "retry",
        "quota", "host",
    ]
    private static let fcmKeys = ["batch", "validateOnly"]
    private static let apnsKeys = ["certificate"]

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
        // A key that is the other provider's alone is not known at all.
        let foreign = LaneName.isAPNs(lane) ? Self.fcmKeys : Self.apnsKeys
        let object = try field.object(keys: Self.keys.filter { !foreign.contains($0) })
        if let field = object["connections"] { connections = try field.whole(in: 1...10_000) }
        if let field = object["streams"] { streams = try StreamLimit(field) }
        if let field = object["http2"] { http2 = try field.word(HTTP2Implementation.self) }
        if let field = object["timeouts"] { timeouts = try Timeouts(field) }
        if LaneName.isAPNs(lane) {
            if let field = object["certificate"] { certificate = try CertificateSection(field) }
        } else {
            if let field = object["batch"] { batch = try BatchSection(field) }
            if let field = object["validateOnly"] { validateOnly = try field.flag() }
        }
        if let field = object["credential"] {
            credential = try CredentialSection(field, isAPNs: LaneName.isAPNs(lane))
        }
        if let field = object["mostBadTokens"] { mostBadTokens = try field.share() }
        if let field = object["retry"] { retry = try RetrySection(field) }
        if let field = object["quota"] { quota = try QuotaSection(field) }
        if let field = object["host"] { host = try field.text() }
    }

    func node(lane: String) -> JSONNode {
        .object([
            "connections": .number(connections), "streams": streams.node, "http2": .string(http2.rawValue),
            "timeouts": timeouts.node, "batch": batch?.node,
            "validateOnly": validateOnly.map { .bool($0) },
            "credential": credential?.node(isAPNs: LaneName.isAPNs(lane)), "certificate": certificate?.node,
            "mostBadTokens": mostBadTokens.map { .number($0) }, "retry": retry.node, "quota": quota.node,
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

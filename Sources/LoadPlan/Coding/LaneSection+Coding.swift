extension LaneSection {
    static let keys = [
        "connections", "streams", "http2", "timeouts", "batch", "validateOnly", "credential", "certificate",
        "mostBadTokens", "retry", "quota", "host", "proxy", "tenants",
    ]
    private static let tenantKeys = ["name", "apps"]
    private static let mostTenants = 100
    private static let fcmKeys = ["batch", "validateOnly"]
    private static let apnsKeys = ["certificate"]

    /// All lanes: those of the object as it says, the others by default.
    static func sections(_ field: Field) throws(ProfileError) -> [String: LaneSection] {
        var sections = standardLanes
        for (lane, field) in try field.object(keys: LaneName.all).present {
            var section = standard(for: lane)
            let object = try field.object(keys: keys(of: lane))
            try section.read(object, lane: lane)
            if let field = object["tenants"] { section.tenants = try tenants(field, of: lane, like: section) }
            sections[lane] = section
        }
        return sections
    }

    /// A key that is the other provider's alone is not known at all.
    private static func keys(of lane: String) -> [String] {
        let foreign = LaneName.isAPNs(lane) ? fcmKeys : apnsKeys
        return keys.filter { !foreign.contains($0) }
    }

    private static func tenants(
        _ field: Field,
        of lane: String,
        like section: LaneSection
    ) throws(ProfileError) -> [TenantSection] {
        var tenants: [TenantSection] = []
        let keys = tenantKeys + keys(of: lane).filter { $0 != "tenants" }
        for field in try field.elements(atMost: mostTenants) {
            let object = try field.object(keys: keys)
            var own = section
            try own.read(object, lane: lane)
            guard let name = object["name"] else { throw field.error(.rule("has no \"name\"")) }
            guard let apps = object["apps"] else { throw field.error(.rule("has no \"apps\"")) }
            tenants.append(
                TenantSection(
                    name: try tenantName(name),
                    apps: try apps.elements(atMost: 1000)
                        .mapFields { (field) throws(ProfileError) in
                            try field.text(longest: 155)
                        },
                    section: own
                )
            )
        }
        return tenants
    }

    /// It stands in names of lanes, so that it has no characters which mean something there.
    private static func tenantName(_ field: Field) throws(ProfileError) -> String {
        let name = try field.text(longest: 40)
        let isPlain = name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard isPlain else { throw field.wrong(allowed: "a text of lower-case letters, digits and hyphens") }
        return name
    }

    /// Takes over what an object says.
    private mutating func read(_ object: ObjectReader, lane: String) throws(ProfileError) {
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
        if let field = object["proxy"] { proxy = try field.text() }
    }

    func node(lane: String) -> JSONNode {
        .object([
            "connections": .number(connections), "streams": streams.node, "http2": .string(http2.rawValue),
            "timeouts": timeouts.node, "batch": batch?.node,
            "validateOnly": validateOnly.map { .bool($0) },
            "credential": credential?.node(isAPNs: LaneName.isAPNs(lane)), "certificate": certificate?.node,
            "mostBadTokens": mostBadTokens.map { .number($0) }, "retry": retry.node, "quota": quota.node,
            "host": host.map { .string($0) }, "proxy": proxy.map { .string($0) },
            "tenants": tenants.isEmpty ? nil : .array(tenants.map { $0.node(lane: lane) }),
        ])
    }
}

extension TenantSection {
    fileprivate func node(lane: String) -> JSONNode {
        guard case .object(let members) = section.node(lane: lane).value else {
            preconditionFailure("a lane's section is written as an object")
        }
        let apps = JSONNode.array(apps.map { .string($0) })
        return JSONNode(.object([.init(name: "name", node: .string(name)), .init(name: "apps", node: apps)] + members))
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

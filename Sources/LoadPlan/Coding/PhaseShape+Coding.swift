extension PhaseShape {
    /// The keys that name a shape; a phase has exactly one of them.
    static let shapeKeys = ["rate", "rates", "ramp", "steps", "spike", "replay", "pause", "inFlight"]
    static let keys = shapeKeys + ["pushes"]
    static let rampKeys = ["from", "to"]
    static let stepKeys = ["from", "to", "count"]
    static let spikeKeys = ["base", "peak", "at", "length"]

    /// Whether pushes fall due at a rate, so that arrivals can be spread.
    var hasRate: Bool {
        switch self {
        case .constant, .ramp, .steps, .spike: true
        case .replay, .pause, .closed: false
        }
    }

    init(_ phase: ObjectReader) throws(ProfileError) {
        let given = Self.shapeKeys.compactMap { key in phase[key].map { (key, $0) } }
        guard let (key, field) = given.first, given.count == 1 else {
            let found = given.isEmpty ? "has no shape" : "has " + given.map(\.0).joined(separator: " and ")
            throw phase.field.error(.rule("\(found); allowed: one of \(Self.shapeKeys.joined(separator: ", "))"))
        }
        if key != "inFlight", let field = phase["pushes"] {
            throw field.error(.rule("belongs to a closed loop, with inFlight"))
        }
        switch key {
        case "rate": self = .constant(.total(try field.rate()))
        case "rates":
            self = .constant(.perLane(try Self.perLane(field) { field throws(ProfileError) in try field.rate() }))
        case "ramp": self = try Self.ramp(field)
        case "steps": self = try Self.steps(field)
        case "spike": self = try Self.spike(field)
        case "replay": self = .replay(try field.text(longest: 4096))
        case "pause":
            guard try field.flag() else { throw field.wrong(allowed: "true, or no such key") }
            self = .pause
        default:
            let inFlight = try Self.perLane(field) { field throws(ProfileError) in try field.whole(in: 1...1_000_000) }
            let pushes = try phase["pushes"]?.whole(in: 1...UInt64(1) << 40)
            self = .closed(inFlight: inFlight, pushes: pushes)
        }
    }

    private static func perLane<Value>(
        _ field: Field,
        _ read: (Field) throws(ProfileError) -> Value
    ) throws(ProfileError) -> [String: Value] {
        var values: [String: Value] = [:]
        for (lane, field) in try field.object(keys: LaneName.all).present { values[lane] = try read(field) }
        guard !values.isEmpty else { throw field.error(.rule("names no lane")) }
        return values
    }

    private static func ramp(_ field: Field) throws(ProfileError) -> PhaseShape {
        let object = try field.object(keys: rampKeys)
        return .ramp(from: try object.rate("from"), to: try object.rate("to"))
    }

    private static func steps(_ field: Field) throws(ProfileError) -> PhaseShape {
        let object = try field.object(keys: stepKeys)
        let count = try object.required("count").whole(in: 2...1000)
        return .steps(from: try object.rate("from"), to: try object.rate("to"), count: count)
    }

    private static func spike(_ field: Field) throws(ProfileError) -> PhaseShape {
        let object = try field.object(keys: spikeKeys)
        return .spike(
            base: try object.rate("base"),
            peak: try object.rate("peak"),
            at: try object.required("at").duration(in: 0...Phase.longestDuration),
            length: try object.required("length").duration(in: 1...Phase.longestDuration)
        )
    }
}

extension ObjectReader {
    fileprivate func required(_ name: String) throws(ProfileError) -> Field {
        guard let child = self[name] else { throw field.error(.rule("has no \"\(name)\"")) }
        return child
    }

    fileprivate func rate(_ name: String) throws(ProfileError) -> Rate { try required(name).rate(orZero: true) }
}

// MARK: - Writing

extension PhaseShape {
    /// The members of the phase that give its shape.
    var members: [JSONNode.Member] {
        switch self {
        case .constant(.total(let rate)):
            return [.init(name: "rate", node: rate.node)]
        case .constant(.perLane(let rates)):
            return [.init(name: "rates", node: Self.node(rates, \.node))]
        case .ramp(let from, let to):
            return [.init(name: "ramp", node: .object(["from": from.node, "to": to.node]))]
        case .steps(let from, let to, let count):
            let node = JSONNode.object(["from": from.node, "to": to.node, "count": .number(count)])
            return [.init(name: "steps", node: node)]
        case .spike(let base, let peak, let at, let length):
            let node = JSONNode.object([
                "base": base.node, "peak": peak.node, "at": .string(Quantity.text(duration: at)),
                "length": .string(Quantity.text(duration: length)),
            ])
            return [.init(name: "spike", node: node)]
        case .replay(let path):
            return [.init(name: "replay", node: .string(path))]
        case .pause:
            return [.init(name: "pause", node: .bool(true))]
        case .closed(let inFlight, let pushes):
            let members = [JSONNode.Member(name: "inFlight", node: Self.node(inFlight) { .number($0) })]
            return members + (pushes.map { [.init(name: "pushes", node: .number($0))] } ?? [])
        }
    }

    private static func node<Value>(_ values: [String: Value], _ node: (Value) -> JSONNode) -> JSONNode {
        JSONNode(.object(LaneName.all.compactMap { lane in values[lane].map { .init(name: lane, node: node($0)) } }))
    }
}

extension Rate {
    var node: JSONNode { .string(Quantity.text(self)) }
}

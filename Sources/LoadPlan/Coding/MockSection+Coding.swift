extension MockSection {
    static let keys = [
        "policy", "serviceTime", "serviceTimes", "streamLimits", "unauthenticatedStreamLimit", "tokenClockScale",
        "faults",
    ]
    /// How many faults a mock can have.
    static let mostFaults = 64

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["policy"] { policy = try field.word(MockPolicy.self) }
        if let field = object["serviceTime"] { serviceTime = try Distribution(field) }
        for (lane, field) in try object["serviceTimes"]?.object(keys: LaneName.all).present ?? [] {
            serviceTimes[lane] = try Distribution(field)
        }
        for (lane, field) in try object["streamLimits"]?.object(keys: LaneName.all).present ?? [] {
            streamLimits[lane] = try field.whole(in: 1...1_000_000)
        }
        if let field = object["unauthenticatedStreamLimit"] {
            unauthenticatedStreamLimit = try field.whole(in: 1...1_000_000)
        }
        if let field = object["tokenClockScale"] { tokenClockScale = try field.whole(in: 1...3600) }
        for field in try object["faults"]?.elements(atMost: Self.mostFaults) ?? [] { faults.append(try Fault(field)) }
    }

    var node: JSONNode {
        .object([
            "policy": .string(policy.rawValue), "serviceTime": serviceTime.node,
            "serviceTimes": Self.byLane { serviceTimes[$0]?.node },
            "streamLimits": Self.byLane { streamLimits[$0].map { .number($0) } },
            "unauthenticatedStreamLimit": .number(unauthenticatedStreamLimit),
            "tokenClockScale": .number(tokenClockScale),
            "faults": faults.isEmpty ? nil : JSONNode.array(faults.map { .string($0.description) }),
        ])
    }

    private static func byLane(_ node: (String) -> JSONNode?) -> JSONNode? {
        let members = LaneName.all.compactMap { lane in node(lane).map { JSONNode.Member(name: lane, node: $0) } }
        return members.isEmpty ? nil : JSONNode(.object(members))
    }
}

extension Fault {
    /// A text such as `"reset,share=1%"`; see ``FaultForm``.
    init(_ field: Field) throws(ProfileError) {
        let text = try field.text()
        do throws(FaultError) {
            try self.init(text)
        } catch {
            throw field.error(.rule("is no fault: \(error)"))
        }
    }
}

extension Distribution {
    static let keys = ["constant", "uniform", "lognormal"]
    static let uniformKeys = ["from", "to"]
    static let lognormalKeys = ["median", "p99"]

    /// `"20ms"`, or an object that names one form: `{"lognormal": {"median": "20ms", "p99": "30ms"}}`.
    init(_ field: Field) throws(ProfileError) {
        if case .string = field.node.value {
            self = .constant(try Self.time(field, from: 0))
            return
        }
        let object = try field.object(keys: Self.keys)
        guard let (form, field) = object.present.first, object.present.count == 1 else {
            throw field.wrong(allowed: "a time, or one of \(Self.keys.joined(separator: ", "))")
        }
        switch form {
        case "constant": self = .constant(try Self.time(field, from: 0))
        case "uniform":
            let (from, to) = try Self.pair(field, Self.uniformKeys, from: 0)
            self = .uniform(from: from, to: to)
        default:
            let (median, p99) = try Self.pair(field, Self.lognormalKeys, from: 1)
            self = .lognormal(median: median, p99: p99)
        }
    }

    private static func time(_ field: Field, from shortest: Int64) throws(ProfileError) -> Int64 {
        try field.duration(in: shortest...Nanoseconds.hour)
    }

    /// Two times, the first not longer than the second.
    private static func pair(
        _ field: Field,
        _ keys: [String],
        from shortest: Int64
    ) throws(ProfileError) -> (Int64, Int64) {
        let object = try field.object(keys: keys)
        var times: [Int64] = []
        for (_, field) in object.present { times.append(try time(field, from: shortest)) }
        guard let low = times.first, let high = times.last, times.count == 2 else {
            throw field.wrong(allowed: "an object with both of \(keys.joined(separator: ", "))")
        }
        guard low <= high else { throw field.wrong(allowed: "\(keys[0]) not above \(keys[1])") }
        return (low, high)
    }

    var node: JSONNode {
        func text(_ time: Int64) -> JSONNode { .string(Quantity.text(duration: time)) }
        return switch self {
        case .constant(let time): .object(["constant": text(time)])
        case .uniform(let from, let to): .object(["uniform": .object(["from": text(from), "to": text(to)])])
        case .lognormal(let median, let p99):
            .object(["lognormal": .object(["median": text(median), "p99": text(p99)])])
        }
    }
}

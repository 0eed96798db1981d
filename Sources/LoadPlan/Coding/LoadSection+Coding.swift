extension LoadSection {
    static let keys = ["phases", "repeat", "backlog", "drain"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["phases"] { phases = try Phase.list(field) }
        if let field = object["repeat"] { repeats = try field.whole(in: 1...10_000) }
        if let field = object["backlog"] { backlog = try field.duration(in: 0...Nanoseconds.hour) }
        if let field = object["drain"] { drain = try field.duration(in: 0...Nanoseconds.hour) }
    }

    var node: JSONNode {
        .object([
            "phases": .array(phases.map(\.node)), "repeat": .number(repeats),
            "backlog": .string(Quantity.text(duration: backlog)), "drain": .string(Quantity.text(duration: drain)),
        ])
    }
}

extension Phase {
    static let keys = ["name", "duration", "warmUp", "arrivals", "repeat"] + PhaseShape.keys

    static func list(_ field: Field) throws(ProfileError) -> [Phase] {
        var phases: [Phase] = []
        for (index, field) in try field.elements(atMost: 1000).enumerated() {
            phases.append(try Phase(field, number: index + 1))
        }
        return phases
    }

    private init(_ field: Field, number: Int) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        name = try object["name"]?.text(longest: 80) ?? "phase-\(number)"
        if let field = object["duration"] {
            duration = try field.duration(in: Nanoseconds.millisecond...Self.longestDuration)
        }
        if let field = object["warmUp"] { warmUp = try field.flag() }
        shape = try PhaseShape(object)
        if case .replay = shape, object["duration"] == nil {
            throw object.field.error(.rule("has a replay and no duration; a replay's rows must lie within it"))
        }
        if let field = object["arrivals"] {
            guard shape.hasRate else {
                throw field.error(.rule("has no meaning for a replay, a pause or a closed loop"))
            }
            arrivals = try field.word(Arrivals.self)
        }
        if let field = object["repeat"] { repeats = try field.whole(in: 1...10_000) }
    }

    var node: JSONNode {
        let head: [JSONNode.Member] = [
            .init(name: "name", node: .string(name)),
            .init(name: "duration", node: .string(Quantity.text(duration: duration))),
            .init(name: "warmUp", node: .bool(warmUp)),
        ]
        let arrivals = JSONNode.Member(name: "arrivals", node: .string(arrivals.rawValue))
        let tail = JSONNode.Member(name: "repeat", node: .number(repeats))
        return JSONNode(.object(head + shape.members + (shape.hasRate ? [arrivals] : []) + [tail]))
    }
}

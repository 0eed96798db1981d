extension VerdictBounds {
    static let keys = ["lagP99", "sentShare", "stall", "workerCPU", "clockStep"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        let range = Nanoseconds.microsecond...Nanoseconds.hour
        if let field = object["lagP99"] { lagP99 = try field.duration(in: range) }
        if let field = object["sentShare"] { sentShare = try field.share() }
        if let field = object["stall"] { stall = try field.duration(in: range) }
        if let field = object["workerCPU"] { workerCPU = try field.share() }
        if let field = object["clockStep"] { clockStep = try field.duration(in: range) }
    }

    var node: JSONNode {
        .object([
            "lagP99": .string(Quantity.text(duration: lagP99)), "sentShare": .number(sentShare),
            "stall": .string(Quantity.text(duration: stall)), "workerCPU": .number(workerCPU),
            "clockStep": .string(Quantity.text(duration: clockStep)),
        ])
    }
}

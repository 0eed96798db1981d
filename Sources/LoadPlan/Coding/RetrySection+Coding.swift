extension RetrySection {
    static let keys = ["attempts", "on", "backoff", "clockScale"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["attempts"] { attempts = try field.whole(in: 1...100) }
        if let field = object["on"] {
            on = try field.elements(atMost: RetryCause.allCases.count).mapFields(Self.cause)
        }
        if let field = object["backoff"] { try readBackoff(field) }
        if let field = object["clockScale"] { clockScale = try field.whole(in: 1...100_000) }
    }

    private static func cause(_ field: Field) throws(ProfileError) -> RetryCause { try field.word(RetryCause.self) }

    private mutating func readBackoff(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: ["first", "longest"])
        let range = Nanoseconds.millisecond...Nanoseconds.hour
        if let field = object["first"] { first = try field.duration(in: range) }
        if let field = object["longest"] { longest = try field.duration(in: range) }
    }

    var node: JSONNode {
        .object([
            "attempts": .number(attempts), "on": .array(on.map { .string($0.rawValue) }),
            "backoff": .object([
                "first": .string(Quantity.text(duration: first)), "longest": .string(Quantity.text(duration: longest)),
            ]),
            "clockScale": .number(clockScale),
        ])
    }
}

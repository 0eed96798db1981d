extension Profile {
    /// `$schema` is for editors, which find the description of the other keys by it.
    static let keys = [
        "$schema", "name", "description", "seed", "workers", "fleet", "messages", "load", "lanes", "mock", "campaign",
        "verdict", "thresholds",
    ]

    /// Reads a profile from the bytes of a file and checks it as a whole.
    ///
    /// The text is JSON with comments and trailing commas. `file` stands in error messages, and its last part is the
    /// profile's name when the text gives none. Each of `overrides` is one `path=value` as given to `--set`.
    package init(
        json bytes: some Sequence<UInt8>,
        file: String,
        overrides: [String] = []
    ) throws(ProfileError) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw ProfileError(file: file, line: nil, path: "", problem: .syntax("the text is not UTF-8"))
        }
        try self.init(json: text, file: file, overrides: overrides)
    }

    /// Reads a profile from a text; see ``init(json:file:overrides:)-(Sequence<UInt8>,_,_)``.
    package init(json text: String, file: String, overrides: [String] = []) throws(ProfileError) {
        var root: JSONNode
        do {
            root = try JSONReader.read(text)
        } catch {
            throw ProfileError(file: file, line: error.line, path: "", problem: .syntax(error.message))
        }
        for option in overrides {
            do {
                try JSONOverride(option).apply(to: &root)
            } catch {
                throw ProfileError(file: "--set \(option)", line: nil, path: "", problem: .option(error.message))
            }
        }
        try self.init(root: Field(node: root, path: "", file: file))
    }

    /// Reads and checks a profile from its tree.
    init(root: Field) throws(ProfileError) {
        try self.init(root)
        do {
            try check()
        } catch {
            throw root.nearest(to: error.path).at(error.path).error(.rule(error.message))
        }
    }

    private init(_ field: Field) throws(ProfileError) {
        self.init()
        let object = try field.object(keys: Self.keys)
        _ = try object["$schema"]?.text(longest: 4096)
        name = try object["name"]?.text() ?? Self.name(ofFile: field.file)
        if let field = object["description"] { summary = try field.text(longest: 1000) }
        if let field = object["seed"] { seed = try field.whole(in: 0...UInt64.max) }
        if let field = object["workers"] { workers = try field.whole(in: 1...256) }
        if let field = object["fleet"] { fleet = try FleetSection(field) }
        if let field = object["messages"] { messages = try field.elements(atMost: 1000).mapFields(Message.init) }
        if let field = object["load"] { load = try LoadSection(field) }
        if let field = object["lanes"] { lanes = try LaneSection.sections(field) }
        if let field = object["mock"] { mock = try MockSection(field) }
        if let field = object["campaign"] { campaign = try CampaignSection(field) }
        if let field = object["verdict"] { verdict = try VerdictBounds(field) }
        if let field = object["thresholds"] { thresholds = try Threshold.thresholds(field) }
    }

    /// `mixed-fleet` for `Profiles/mixed-fleet.json`.
    private static func name(ofFile file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let stem = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        return stem.isEmpty ? "unnamed" : stem
    }

    /// The effective profile as canonical JSON: every field, in a fixed order; it decodes to an equal profile.
    package var canonicalJSON: String { JSONWriter.pretty(node) }

    var node: JSONNode {
        .object([
            "name": .string(name), "description": summary.isEmpty ? nil : .string(summary), "seed": .number(seed),
            "workers": workers.map { .number($0) }, "fleet": fleet.node, "messages": .array(messages.map(\.node)),
            "load": load.node,
            "lanes": JSONNode(.object(LaneName.all.map { .init(name: $0, node: lane($0).node(lane: $0)) })),
            "mock": mock.node, "campaign": campaign?.node, "verdict": verdict.node,
            "thresholds": thresholds.isEmpty ? nil : thresholds.node,
        ])
    }
}

extension Field {
    /// The field itself or its closest ancestor that stands in the tree, for the line of an error.
    fileprivate func nearest(to path: String) -> Field {
        var field = self
        for part in path.split(whereSeparator: { ".[]".contains($0) }) {
            let next: JSONNode? =
                if case .array(let elements) = field.node.value, let index = Int(part), elements.indices ~= index {
                    elements[index]
                } else {
                    field.node.member(String(part))
                }
            guard let next else { break }
            field = Field(node: next, path: "", file: file)
        }
        return field
    }

    /// The same place under another path.
    fileprivate func at(_ path: String) -> Field { Field(node: node, path: path, file: file) }
}

extension [Field] {
    /// `map` with the error's type kept.
    func mapFields<Value>(_ make: (Field) throws(ProfileError) -> Value) throws(ProfileError) -> [Value] {
        var values: [Value] = []
        for field in self { values.append(try make(field)) }
        return values
    }
}

import Testing

@testable import LoadPlan

/// As much of JSON Schema as the profile's schema uses, for a structural walk.
struct Schema {
    /// One place in a profile that the schema describes.
    struct Place {
        /// As for `--set`; lists are represented by one element.
        var path: String
        /// The properties of an object; empty for anything else.
        var keys: [String] = []
        var isList = false
        var isWhole = false
        /// The text of the smallest and the largest number.
        var bounds: (low: String, high: String)?
        /// The strings of an `enum`.
        var words: [String] = []
    }

    let root: JSONNode

    init(_ root: JSONNode) { self.root = root }

    func places() throws -> [Place] { try places(root, path: "") }

    private func places(_ node: JSONNode, path: String) throws -> [Place] {
        var place = Place(path: path)
        var below: [Place] = []
        for form in try forms(of: node) {
            if case .object(let properties) = form.member("properties")?.value {
                place.keys += properties.map(\.name)
                // Whatever is not allowed for must be forbidden, or a slip goes unnoticed.
                guard case .bool(false) = form.member("additionalProperties")?.value else {
                    throw Problem.open(path)
                }
                for property in properties {
                    below += try places(property.node, path: path.isEmpty ? property.name : path + "." + property.name)
                }
            }
            for (name, node) in try examples(of: form) { below += try places(node, path: "\(path)[\"\(name)\"]") }
            if let items = form.member("items") {
                place.isList = true
                below += try places(items, path: path + "[0]")
            }
            describe(form, in: &place)
        }
        return [place] + below.map { Place(moving: $0) }
    }

    /// Names that stand for each pattern of an open object, found among those of the full profile.
    private func examples(of form: JSONNode) throws -> [(name: String, node: JSONNode)] {
        guard case .object(let patterns) = form.member("patternProperties")?.value else { return [] }
        guard case .bool(false) = form.member("additionalProperties")?.value else { throw Problem.open("a pattern") }
        return try patterns.map { pattern in
            let expression = try Regex(pattern.name)
            let subjects = ProfileDecodingTests.thresholds.keys.sorted()
            let name = try #require(subjects.first { $0.contains(expression) }, "no example of \(pattern.name)")
            return (name, pattern.node)
        }
    }

    private func describe(_ form: JSONNode, in place: inout Place) {
        if case .number(let low) = form.member("minimum")?.value, case .number(let high) = form.member("maximum")?.value
        {
            place.bounds = (low, high)
            if case .string("integer") = form.member("type")?.value { place.isWhole = true }
        }
        if case .array(let words) = form.member("enum")?.value {
            place.words += words.compactMap { if case .string(let word) = $0.value { word } else { nil } }
        }
    }

    /// The alternatives that `$ref` and `anyOf` lead to.
    private func forms(of node: JSONNode) throws -> [JSONNode] {
        if case .string(let reference) = node.member("$ref")?.value {
            let name = try #require(reference.split(separator: "/").last.map(String.init))
            return try forms(of: #require(root.member("$defs")?.member(name)))
        }
        if case .array(let alternatives) = node.member("anyOf")?.value { return try alternatives.flatMap(forms) }
        return [node]
    }

    private enum Problem: Error {
        case open(String)
    }
}

extension Schema.Place {
    /// In the full profile of the tests each shape has a phase of its own; a place below a shape is tried there.
    init(moving place: Schema.Place) {
        self = place
        let shapes = [
            "rate": 0, "rates": 1, "ramp": 2, "steps": 3, "spike": 4, "pause": 5, "inFlight": 6, "pushes": 6,
            "replay": 7,
        ]
        let prefix = "load.phases[0]."
        guard path.hasPrefix(prefix), let key = path.dropFirst(prefix.count).split(separator: ".").first,
            let index = shapes[String(key)]
        else { return }
        path = "load.phases[\(index)]." + path.dropFirst(prefix.count)
    }
}

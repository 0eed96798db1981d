/// One `--set path=value` of the command line: `load.phases[1].rate=2000/s`.
///
/// A name with a dot in it stands in brackets and quotes: `thresholds["fcm.response"][0]=p(99) < 1s`.
struct JSONOverride: Sendable {
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
    }

    /// What is wrong with the option.
    struct Failure: Error, Equatable {
        var message: String
    }

    let steps: [Step]
    let node: JSONNode

    /// The value is JSON where it reads as JSON, and otherwise the text itself.
    init(_ option: String) throws(Failure) {
        var scanner = PathScanner(rest: Substring(option))
        steps = try scanner.steps()
        let value = String(scanner.rest.dropFirst())
        node = (try? JSONReader.read(value, origin: .override)) ?? JSONNode(.string(value), origin: .override)
    }

    /// Puts the value into a tree; objects on the way are made, and a list grows by its next element.
    func apply(to root: inout JSONNode) throws(Failure) {
        try Self.put(node, at: steps[...], path: "", in: &root)
    }

    private static func put(
        _ value: JSONNode,
        at steps: ArraySlice<Step>,
        path: String,
        in node: inout JSONNode
    ) throws(Failure) {
        guard let step = steps.first else {
            node = value
            return
        }
        switch step {
        case .member(let name):
            var members = try Self.members(of: node, path: path)
            let index = members.firstIndex { $0.name == name } ?? members.endIndex
            if index == members.endIndex { members.append(.init(name: name, node: JSONNode(.null, origin: .override))) }
            let deeper = path.isEmpty ? name : path + "." + name
            try put(value, at: steps.dropFirst(), path: deeper, in: &members[index].node)
            node.value = .object(members)
        case .element(let index):
            var elements = try Self.elements(of: node, path: path)
            guard index <= elements.count else {
                throw Failure(message: "names \(path)[\(index)], but \(path) has \(elements.count) elements")
            }
            if index == elements.count { elements.append(JSONNode(.null, origin: .override)) }
            try put(value, at: steps.dropFirst(), path: "\(path)[\(index)]", in: &elements[index])
            node.value = .array(elements)
        }
    }

    private static func members(of node: JSONNode, path: String) throws(Failure) -> [JSONNode.Member] {
        switch node.value {
        case .object(let members): return members
        case .null: return []
        default: throw Failure(message: "goes into \(path), which is not an object")
        }
    }

    private static func elements(of node: JSONNode, path: String) throws(Failure) -> [JSONNode] {
        switch node.value {
        case .array(let elements): return elements
        case .null: return []
        default: throw Failure(message: "goes into \(path), which is not a list")
        }
    }
}

/// Reads a path up to the `=` behind it.
private struct PathScanner {
    var rest: Substring

    mutating func steps() throws(JSONOverride.Failure) -> [JSONOverride.Step] {
        guard rest.contains("=") else {
            throw JSONOverride.Failure(
                message: "has no \"=\"; expected PATH=VALUE such as load.phases[0].rate=2000/s"
            )
        }
        var steps: [JSONOverride.Step] = []
        repeat {
            steps.append(.member(try name()))
            while rest.first == "[" { steps.append(try bracket()) }
        } while take(".")
        guard rest.first == "=" else {
            throw JSONOverride.Failure(
                message: "has \"\(rest.prefix { $0 != "=" })\" in its path; expected an index such as [0]"
            )
        }
        return steps
    }

    private mutating func name() throws(JSONOverride.Failure) -> String {
        let name = rest.prefix { !"[.=".contains($0) }
        guard !name.isEmpty else {
            throw JSONOverride.Failure(message: "names no field; expected a path such as fleet.size")
        }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private mutating func bracket() throws(JSONOverride.Failure) -> JSONOverride.Step {
        let whole = rest
        _ = take("[")
        if take("\"") {
            let name = rest.prefix { $0 != "\"" }
            rest = rest[name.endIndex...]
            if !name.isEmpty, take("\""), take("]") { return .member(String(name)) }
        } else {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            if let index = Int(digits), take("]") { return .element(index) }
        }
        throw JSONOverride.Failure(
            message: "has \"\(whole.prefix { !".=".contains($0) })\" in its path; expected an index such as [0]"
        )
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}

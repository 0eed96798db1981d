/// One `--set path=value` of the command line: `load.phases[1].rate=2000/s`.
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
        guard let equals = option.firstIndex(of: "=") else {
            throw Failure(message: "has no \"=\"; expected PATH=VALUE such as load.phases[0].rate=2000/s")
        }
        steps = try Self.steps(option[..<equals])
        let value = String(option[option.index(after: equals)...])
        node = (try? JSONReader.read(value, origin: .override)) ?? JSONNode(.string(value), origin: .override)
    }

    private static func steps(_ path: Substring) throws(Failure) -> [Step] {
        var steps: [Step] = []
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "[" }
            guard !name.isEmpty else { throw Failure(message: "names no field; expected a path such as fleet.size") }
            steps.append(.member(String(name)))
            var rest = part[name.endIndex...]
            while !rest.isEmpty {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                let after = rest[digits.endIndex...]
                guard rest.first == "[", after.first == "]", let index = Int(digits) else {
                    throw Failure(message: "has \"\(rest)\" in its path; expected an index such as [0]")
                }
                steps.append(.element(index))
                rest = after.dropFirst()
            }
        }
        return steps
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

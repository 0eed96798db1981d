/// What is wrong with a JSON body, and where: its syntax, or what its fields hold.
///
/// The wording follows what Google's JSON front end is known to say; senders should read the status, not the prose.
struct BodyProblem: Error, Equatable {
    enum Kind: Equatable {
        /// The text is not JSON from this offset on.
        case malformed(offset: Int)
        /// The object has no field of that name.
        case unknownName(String)
        /// A field that holds one value got a list.
        case unexpectedList(name: String)
        /// The value, quoted, is not of the type.
        case invalidValue(type: String, value: String)
        /// A second member of a union.
        case secondTarget(name: String)
        /// A rule of FCM's own about the value of a field.
        case rule(String)
    }

    /// Names of the fields and indexes that lead to the place, innermost first.
    private(set) var reversedPath: [String] = []
    let kind: Kind
    /// The sentence names the field itself, so the place is the object around it: one level of the path is left out.
    private var leavesOutField: Bool

    init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .unexpectedList, .secondTarget: leavesOutField = true
        case .malformed, .unknownName, .invalidValue, .rule: leavesOutField = false
        }
    }

    /// The same problem as seen from one level further out.
    func inside(_ name: String) -> BodyProblem {
        var problem = self
        if leavesOutField { problem.leavesOutField = false } else { problem.reversedPath.append(name) }
        return problem
    }

    /// The place in protobuf's notation: `message.data[0].value`; empty for the outermost object and for syntax.
    var field: String {
        if case .malformed = kind { return "" }
        return reversedPath.reversed()
            .reduce("") { path, name in
                path.isEmpty || name.hasPrefix("[") ? path + name : path + "." + name
            }
    }

    /// The sentence that stands in `error.message` and in the violation's description.
    var sentence: String {
        switch kind {
        case .malformed:
            "Invalid JSON payload received. Unexpected token."
        case .unknownName(let name):
            "Invalid JSON payload received. Unknown name \"\(name)\"\(place): Cannot find field."
        case .unexpectedList(let name):
            "Invalid JSON payload received. Unknown name \"\(name)\"\(place): "
                + "Proto field is not repeating, cannot start list."
        case .invalidValue(let type, let value):
            "Invalid value\(place) (\(type)), \(value)"
        case .secondTarget(let name):
            "Invalid value\(place) (oneof), oneof field 'target' is already set. Cannot set '\(name)'"
        case .rule(let text):
            text
        }
    }

    /// Whether the messaging service itself refused, so that an FcmError comes with the violation; the JSON front
    /// end, which knows only types, adds none.
    var isFromMessaging: Bool {
        if case .rule = kind { return true }
        return false
    }

    private var place: String { field.isEmpty ? "" : " at '\(field)'" }
}

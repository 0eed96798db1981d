/// A JSON value that knows where it was written.
///
/// Objects keep the order of their members and numbers keep their text, so nothing is lost between reading and writing.
struct JSONNode: Sendable {
    enum Value: Sendable {
        case null
        case bool(Bool)
        /// The number's text, in the grammar of JSON.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    struct Member: Sendable {
        var name: String
        var node: JSONNode
    }

    /// Where a value came from, for error messages.
    enum Origin: Sendable {
        case line(Int)
        /// The command line's `--set`.
        case override
        /// Made by this program.
        case program
    }

    var value: Value
    var origin: Origin

    init(_ value: Value, origin: Origin = .program) {
        self.value = value
        self.origin = origin
    }

    /// The member of an object; `nil` when this is no object or has no such member.
    func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.node
    }

    var isNull: Bool {
        if case .null = value { true } else { false }
    }
}

extension JSONNode {
    static func string(_ text: String) -> JSONNode { JSONNode(.string(text)) }
    static func bool(_ flag: Bool) -> JSONNode { JSONNode(.bool(flag)) }
    static func number(_ number: some FixedWidthInteger) -> JSONNode { JSONNode(.number(String(number))) }
    static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }

    /// A number that reads back to the same bits; `number` is finite.
    static func number(_ number: Double) -> JSONNode {
        let text = number.description
        return JSONNode(.number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text))
    }

    /// An object of the members that are not `nil`, in this order.
    static func object(_ members: KeyValuePairs<String, JSONNode?>) -> JSONNode {
        JSONNode(.object(members.compactMap { name, node in node.map { Member(name: name, node: $0) } }))
    }
}

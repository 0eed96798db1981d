// A record holds its profile as JSON inside JSON, so a profile can go through any coder. The typed walker stays the only
// reader of fields: the coder only carries the tree.

extension Profile: Codable {
    package func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }

    package init(from decoder: any Decoder) throws {
        try self.init(root: Field(node: JSONNode(from: decoder), path: "", file: "profile"))
    }
}

extension JSONNode: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.node, forKey: Key(stringValue: member.name)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .bool(let flag): try container.encode(flag)
        case .string(let text): try container.encode(text)
        case .number(let text):
            if let number = Int64(text) {
                try container.encode(number)
            } else if let number = UInt64(text) {
                try container.encode(number)
            } else {
                try container.encode(Double(text))
            }
        case .null, .array, .object: try container.encodeNil()
        }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            let members = try container.allKeys.map { key in
                Member(name: key.stringValue, node: try container.decode(JSONNode.self, forKey: key))
            }
            self.init(.object(members))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONNode] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONNode.self)) }
            self.init(.array(elements))
        } else {
            self.init(try Self.scalar(decoder.singleValueContainer()))
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
        if container.decodeNil() { return .null }
        if let flag = try? container.decode(Bool.self) { return .bool(flag) }
        if let number = try? container.decode(Int64.self) { return .number(String(number)) }
        if let number = try? container.decode(UInt64.self) { return .number(String(number)) }
        if let number = try? container.decode(Double.self) { return JSONNode.number(number).value }
        return .string(try container.decode(String.self))
    }
}

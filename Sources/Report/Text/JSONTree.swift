/// Any JSON value; objects in the order of their keys.
enum JSONTree: Codable {
    case null
    case bool(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        // Which kind it is is known there, where others have to be asked, and make an error of each no.
        self = try (decoder as? TapeDecoder)?.tree() ?? Self(trying: decoder)
    }

    private init(trying decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyName.self) {
            var members: [String: JSONTree] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSONTree.self, forKey: key) }
            self = .object(members)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .signed(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            self = .array(try container.decode([JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: AnyName.self)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: AnyName(name))
            }
        case .array(let elements): try elements.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .double(let value): try value.encode(to: encoder)
        case .unsigned(let value): try value.encode(to: encoder)
        case .signed(let value): try value.encode(to: encoder)
        case .bool(let value): try value.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

/// Any string as the name of a member.
struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Makes values of a ``JSONTape``, with the errors of `Decodable`; where a value stands is found out only for an error.
struct TapeDecoder: Decoder {
    let tape: JSONTape
    /// Of the value that is decoded.
    let index: Int

    init(tape: JSONTape, index: Int) {
        self.tape = tape
        self.index = index
    }

    /// Of a whole text; throws a `DecodingError` for one that is no JSON.
    init(json bytes: [UInt8]) throws {
        guard let tape = JSONTape(bytes) else {
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "is not JSON"))
        }
        self.init(tape: tape, index: 0)
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// From the whole text down to the value.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var place = 0
        while place != index {
            let isObject = tape.values[place].kind == .object
            var (child, number) = (place + 1, 0)
            while Int(tape.values[child + (isObject ? 1 : 0)].next) <= index {
                child = Int(tape.values[child + (isObject ? 1 : 0)].next)
                number += 1
            }
            path.append(isObject ? TapeKey(tape.string(at: child) ?? "") : TapeKey(number))
            place = child + (isObject ? 1 : 0)
        }
        return path
    }

    var kind: JSONTape.Kind { tape.values[index].kind }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard kind == .object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(TapeMembers<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard kind == .array else { throw mismatch([Any].self) }
        return TapeElements(self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: Errors

    func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "is of another kind")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ problem: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: problem))
    }

    // MARK: Values

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Most of a record are its seconds. Where they are not as we write them, the other way finds out what is wrong.
        if type == [IntervalRecord].self, let rows = TapeRows.read(self) as? T { return rows }
        return try T(from: self)
    }

    func decodeNil() -> Bool { kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard kind == .true || kind == .false else { throw mismatch(type) }
        return kind == .true
    }

    func decode(_ type: String.Type) throws -> String {
        guard kind == .string || kind == .escapedString else { throw mismatch(type) }
        guard let text = tape.string(at: index) else { throw corrupted("is no text in UTF-8") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try number(type) { Double($0) } }
    func decode(_ type: Float.Type) throws -> Float { try number(type) { Float($0) } }

    /// Any type of whole numbers, also where one is written as `1e2`.
    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        try number(type) { Number($0) ?? Double($0).flatMap { Number(exactly: $0) } }
    }

    private func number<Number>(_ type: Number.Type, _ parse: (Substring) -> Number?) throws -> Number {
        guard kind == .number else { throw mismatch(type) }
        let text = tape.withBytes(of: index) { Substring(decoding: $0, as: UTF8.self) }
        guard let number = parse(text) else { throw corrupted("is negative, fractional or too large for its field") }
        return number
    }
}

extension TapeDecoder {
    /// The value, whatever it is.
    func tree() throws -> JSONTree {
        switch kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string, .escapedString: return .string(try decode(String.self))
        case .number:
            if let value = try? integer(Int64.self) { return .signed(value) }
            if let value = try? integer(UInt64.self) { return .unsigned(value) }
            return .double(try decode(Double.self))
        case .array: return .array(try decode([JSONTree].self))
        case .object:
            var members: [String: JSONTree] = [:]
            let container = TapeMembers<AnyName>(self)
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSONTree.self, forKey: key) }
            return .object(members)
        }
    }
}

/// The name of a member, or the number of an element.
struct TapeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ number: Int) {
        stringValue = String(number)
        intValue = number
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}

/// The members of an object.
///
/// Records are written and read in one order, so a member is looked for behind the last one first.
final class TapeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: TapeDecoder
    /// Where the next member's name is expected.
    private var next: Int

    init(_ decoder: TapeDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        var keys: [Key] = []
        var place = decoder.index + 1
        while place < end {
            if let key = decoder.tape.string(at: place).flatMap(Key.init(stringValue:)) { keys.append(key) }
            place = Int(decoder.tape.values[place + 1].next)
        }
        return keys
    }

    private var end: Int { Int(decoder.tape.values[decoder.index].next) }

    private func find(_ key: Key) -> TapeDecoder? {
        let name = key.stringValue
        return find(name, from: next, to: end) ?? find(name, from: decoder.index + 1, to: next)
    }

    private func find(_ name: String, from start: Int, to end: Int) -> TapeDecoder? {
        var place = start
        while place < end {
            if isName(name, at: place) { return TapeDecoder(tape: decoder.tape, index: place + 1) }
            place = Int(decoder.tape.values[place + 1].next)
        }
        return nil
    }

    private func isName(_ name: String, at place: Int) -> Bool {
        guard decoder.tape.values[place].kind == .string else { return decoder.tape.string(at: place) == name }
        return decoder.tape.withBytes(of: place) { $0.elementsEqual(name.utf8) }
    }

    private func value(_ key: Key) throws -> TapeDecoder {
        if let value = find(key) {
            next = Int(decoder.tape.values[value.index].next)
            return value
        }
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "is missing")
        throw DecodingError.keyNotFound(key, context)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try (find(key) ?? value(key)).decodeNil() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(key).decode(type) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).integer(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

/// The elements of an array.
struct TapeElements: UnkeyedDecodingContainer {
    private let decoder: TapeDecoder
    private var next: Int
    private(set) var currentIndex = 0

    init(_ decoder: TapeDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    /// Counting them would cost as much as reading them.
    var count: Int? { nil }
    var isAtEnd: Bool { next >= Int(decoder.tape.values[decoder.index].next) }

    private mutating func take() throws -> TapeDecoder {
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "has no more elements")
            throw DecodingError.valueNotFound(Any.self, context)
        }
        let value = TapeDecoder(tape: decoder.tape, index: next)
        next = Int(decoder.tape.values[next].next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, decoder.tape.values[next].kind == .null else { return false }
        _ = try take()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take().decode(type) }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take().decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try take().decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take().decode(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try take().decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try take().integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take().integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take().integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take().integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take().integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take().integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take().integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take().integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take().integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take().integer(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { decoder }
}

// The three containers that `Encodable` writes into, all of them thin: `JSONOutput` does the work. Standard-library
// protocols ask for one method for each number type; they share one generic body.

/// Encodes one value at the place that the output has reached.
struct JSONValueEncoder: Encoder {
    let output: JSONOutput
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectContainer<Key>(output: output))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayContainer(output: output) }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleContainer(output: output) }
}

private struct JSONSingleContainer: SingleValueEncodingContainer {
    let output: JSONOutput
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { output.writeRaw("null") }
    mutating func encode(_ value: Bool) { output.writeRaw(value ? "true" : "false") }
    mutating func encode(_ value: String) { output.writeQuoted(value) }
    mutating func encode(_ value: Double) {
        precondition(value.isFinite, "JSON has no number for \(value)")
        output.writeRaw("\(value)")
    }
    mutating func encode(_ value: Float) { encode(Double(value)) }
    mutating func encode(_ value: Int) { number(value) }
    mutating func encode(_ value: Int8) { number(value) }
    mutating func encode(_ value: Int16) { number(value) }
    mutating func encode(_ value: Int32) { number(value) }
    mutating func encode(_ value: Int64) { number(value) }
    mutating func encode(_ value: UInt) { number(value) }
    mutating func encode(_ value: UInt8) { number(value) }
    mutating func encode(_ value: UInt16) { number(value) }
    mutating func encode(_ value: UInt32) { number(value) }
    mutating func encode(_ value: UInt64) { number(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try output.write(value) }

    private func number(_ value: some BinaryInteger) { output.writeRaw(String(value)) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: JSONOutput
    let level: Int
    var codingPath: [any CodingKey] { [] }

    init(output: JSONOutput) {
        self.output = output
        level = output.begin(("{", "}"))
    }

    /// The place of the next field's value.
    private func value(_ key: some CodingKey) -> JSONSingleContainer {
        output.next(at: level, key: key.stringValue)
        return JSONSingleContainer(output: output)
    }

    private func put(_ value: some Encodable, _ key: Key) throws {
        var place = self.value(key)
        try place.encode(value)
    }

    mutating func encodeNil(forKey key: Key) {
        var place = value(key)
        place.encodeNil()
    }
    mutating func encode(_ value: Bool, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try put(value, key) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        output.next(at: level, key: key.stringValue)
        return KeyedEncodingContainer(JSONObjectContainer<Nested>(output: output))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        output.next(at: level, key: key.stringValue)
        return JSONArrayContainer(output: output)
    }

    mutating func superEncoder() -> any Encoder {
        output.next(at: level, key: "super")
        return JSONValueEncoder(output: output)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        output.next(at: level, key: key.stringValue)
        return JSONValueEncoder(output: output)
    }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
    let output: JSONOutput
    let level: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(output: JSONOutput) {
        self.output = output
        level = output.begin(("[", "]"))
    }

    /// The place of the next element.
    private mutating func place() -> JSONSingleContainer {
        output.next(at: level)
        count += 1
        return JSONSingleContainer(output: output)
    }

    private mutating func put(_ value: some Encodable) throws {
        var place = place()
        try place.encode(value)
    }

    mutating func encodeNil() {
        var place = place()
        place.encodeNil()
    }
    mutating func encode(_ value: Bool) throws { try put(value) }
    mutating func encode(_ value: String) throws { try put(value) }
    mutating func encode(_ value: Double) throws { try put(value) }
    mutating func encode(_ value: Float) throws { try put(value) }
    mutating func encode(_ value: Int) throws { try put(value) }
    mutating func encode(_ value: Int8) throws { try put(value) }
    mutating func encode(_ value: Int16) throws { try put(value) }
    mutating func encode(_ value: Int32) throws { try put(value) }
    mutating func encode(_ value: Int64) throws { try put(value) }
    mutating func encode(_ value: UInt) throws { try put(value) }
    mutating func encode(_ value: UInt8) throws { try put(value) }
    mutating func encode(_ value: UInt16) throws { try put(value) }
    mutating func encode(_ value: UInt32) throws { try put(value) }
    mutating func encode(_ value: UInt64) throws { try put(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try put(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        _ = place()
        return KeyedEncodingContainer(JSONObjectContainer<Nested>(output: output))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        _ = place()
        return JSONArrayContainer(output: output)
    }

    mutating func superEncoder() -> any Encoder {
        _ = place()
        return JSONValueEncoder(output: output)
    }
}

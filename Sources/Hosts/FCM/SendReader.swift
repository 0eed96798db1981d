/// Reads a `messages:send` body in one pass: checks it against the schema and notes what the host needs.
///
/// Allocates nothing for a valid body whose names hold no escapes, which is how every sender known writes them.
struct SendReader {
    var json: JSONReader
    var request = SendRequest()

    init(_ body: UnsafeRawBufferPointer) {
        json = JSONReader(body)
    }

    /// The target's name without escapes, for as long as `body` runs.
    func withTargetName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard request.name.isEscaped else {
            return body(json.text.part(request.name.bytes.lowerBound, request.name.bytes.upperBound))
        }
        return json.unescaped(request.name).withUnsafeBytes(body)
    }

    mutating func read() throws(BodyProblem) {
        guard try json.peek() == .object else { throw json.fault }
        try object(.request)
        try json.end()
    }

    /// Reads the members of an object whose brace comes next.
    private mutating func object(_ shape: SendSchema.Shape) throws(BodyProblem) {
        let fields = shape.fields
        try json.expect(UInt8(ascii: "{"))
        if json.take(UInt8(ascii: "}")) { return }
        repeat {
            let name = try json.key()
            guard let field = find(name, in: fields) else { throw BodyProblem(.unknownName(quotable(name))) }
            try member(field)
        } while try json.continues(until: UInt8(ascii: "}"))
    }

    private func find(_ name: JSONReader.Text, in fields: [SendSchema.Field]) -> SendSchema.Field? {
        if name.isEscaped {
            return json.unescaped(name).withUnsafeBytes { name in fields.first { $0.isNamed(name) } }
        }
        let bytes = json.text.part(name.bytes.lowerBound, name.bytes.upperBound)
        for field in fields where field.isNamed(bytes) { return field }
        return nil
    }

    /// A member's value.
    ///
    /// `null` stands for an absent member, as everywhere in protobuf's JSON.
    private mutating func member(_ field: SendSchema.Field) throws(BodyProblem) {
        let next = try json.peek()
        if next == .null { return try json.literal("null") }
        do {
            try value(of: field, next)
        } catch {
            throw error.inside(field.snake.description)
        }
    }

    private mutating func value(of field: SendSchema.Field, _ next: JSONReader.Next) throws(BodyProblem) {
        switch field.kind {
        case .object(let shape):
            guard next == .object else { throw mismatch(next, type: "TYPE_MESSAGE") }
            note(objectOf: field)
            try object(shape)
        case .structure:
            guard next == .object else { throw mismatch(next, type: "TYPE_MESSAGE") }
            try json.skipValue()
        case .textMap:
            guard next == .object else { throw mismatch(next, type: "TYPE_MESSAGE") }
            try textMap(isData: field.role == .data)
        case .texts, .durations:
            try list(field, next)
        case .text, .flag, .integer, .real, .duration, .timestamp, .word:
            try scalar(field, next)
        }
    }

    /// An object with text values.
    ///
    /// A member is named by its place in the map, as protobuf sees a map: as a list.
    private mutating func textMap(isData: Bool) throws(BodyProblem) {
        try json.expect(UInt8(ascii: "{"))
        if json.take(UInt8(ascii: "}")) { return }
        var index = 0
        repeat {
            let name = try json.key()
            do {
                let value = try mapValue()
                if isData { try note(key: name, value: value) }
            } catch {
                throw error.inside("[\(index)]")
            }
            index += 1
        } while try json.continues(until: UInt8(ascii: "}"))
    }

    private mutating func mapValue() throws(BodyProblem) -> JSONReader.Text {
        do {
            return try string(try json.peek())
        } catch {
            throw error.inside("value")
        }
    }
}

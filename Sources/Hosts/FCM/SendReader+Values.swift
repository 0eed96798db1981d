/// Values of each kind. `next` is what a look at the value's first character told.
extension SendReader {
    mutating func scalar(_ field: SendSchema.Field, _ next: JSONReader.Next) throws(BodyProblem) {
        if next == .array { throw BodyProblem(.unexpectedList(name: field.snake.description)) }
        switch field.kind {
        case .text: try note(try string(next), as: field)
        case .flag: try flag(next, field)
        case .integer: try number(next, type: "TYPE_INT32", isWhole: true)
        case .real: try number(next, type: "TYPE_FLOAT", isWhole: false)
        case .duration: try duration(next, field)
        case .timestamp: _ = try string(next, type: "type.googleapis.com/google.protobuf.Timestamp")
        case .word(let words): try word(next, words)
        case .texts, .durations, .textMap, .structure, .object: preconditionFailure("\(field.kind) is no scalar")
        }
    }

    mutating func list(_ field: SendSchema.Field, _ next: JSONReader.Next) throws(BodyProblem) {
        guard next == .array else { throw mismatch(next, type: "TYPE_STRING") }
        try json.expect(UInt8(ascii: "["))
        if json.take(UInt8(ascii: "]")) { return }
        var index = 0
        repeat {
            do {
                let next = try json.peek()
                if case .durations = field.kind { try duration(next, field) } else { _ = try string(next) }
            } catch {
                throw error.inside("[\(index)]")
            }
            index += 1
        } while try json.continues(until: UInt8(ascii: "]"))
    }

    mutating func string(
        _ next: JSONReader.Next,
        type: @autoclosure () -> String = "TYPE_STRING"
    ) throws(BodyProblem) -> JSONReader.Text {
        guard next == .string else { throw mismatch(next, type: type()) }
        return try json.string()
    }

    private mutating func flag(_ next: JSONReader.Next, _ field: SendSchema.Field) throws(BodyProblem) {
        guard next == .bool else { throw mismatch(next, type: "TYPE_BOOL") }
        let value = try json.bool()
        if field.role == .validateOnly { request.validateOnly = value }
    }

    /// A number, or its digits as a string, as protobuf's JSON allows.
    private mutating func number(_ next: JSONReader.Next, type: String, isWhole: Bool) throws(BodyProblem) {
        let digits: Range<Int>
        switch next {
        case .number: digits = try json.number()
        case .string: digits = try json.string().bytes
        case .object, .array, .bool, .null: throw mismatch(next, type: type)
        }
        let text = String(decoding: json.text[digits], as: UTF8.self)
        guard let value = Double(text), !isWhole || Int32(exactly: value) != nil else {
            throw BodyProblem(.invalidValue(type: type, value: text))
        }
    }

    private mutating func word(_ next: JSONReader.Next, _ words: SendSchema.Words) throws(BodyProblem) {
        if next == .number {
            let digits = try json.number()
            guard let index = json.text[digits].bytes.decimal, index < words.known.count else {
                throw BodyProblem(.invalidValue(type: words.typeName, value: text(digits)))
            }
            return
        }
        let value = try string(next, type: words.typeName)
        let bytes = json.text[value.bytes].bytes
        guard !value.isEscaped, words.known.contains(where: { bytes.equalsIgnoringCase($0) }) else {
            throw BodyProblem(.invalidValue(type: words.typeName, value: "\"\(quotable(value))\""))
        }
    }

    /// Seconds as text, `"3.5s"`: at most nine digits after the point (protobuf's Duration).
    private mutating func duration(_ next: JSONReader.Next, _ field: SendSchema.Field) throws(BodyProblem) {
        let type = "type.googleapis.com/google.protobuf.Duration"
        let value = try string(next, type: type)
        let bytes = json.text[value.bytes].bytes
        guard let seconds = Seconds(bytes) else {
            throw BodyProblem(.invalidValue(type: type, value: "\"\(quotable(value))\""))
        }
        if field.role == .lifetime, !seconds.isLifetime {
            throw BodyProblem(.rule("Invalid TTL: it must be between 0 and 2419200 seconds"))
        }
    }

    /// The problem that a value is of another kind than the field.
    ///
    /// Steps over the value, to quote it.
    mutating func mismatch(_ next: JSONReader.Next, type: String) -> BodyProblem {
        switch next {
        case .object: return BodyProblem(.invalidValue(type: type, value: "Starting an object on a scalar field"))
        case .array: return BodyProblem(.invalidValue(type: type, value: "Starting a list on a scalar field"))
        case .string, .number, .bool, .null:
            let start = json.at
            do {
                try json.skipValue()
            } catch {
                return error
            }
            return BodyProblem(.invalidValue(type: type, value: text(start..<json.at)))
        }
    }

    /// What a string says, short enough for an error message.
    func quotable(_ string: JSONReader.Text) -> String {
        String(decoding: json.unescaped(string).prefix(200), as: UTF8.self)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: json.text[range].prefix(200), as: UTF8.self)
    }
}

extension Slice where Base == UnsafeRawBufferPointer {
    /// The slice as a buffer of its own.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}

/// A span of time in protobuf's JSON form.
struct Seconds: Equatable {
    private static let longestLifetime: Int64 = 2_419_200

    let whole: Int64
    let hasFraction: Bool
    let isNegative: Bool

    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count >= 2, text[text.count - 1] == UInt8(ascii: "s") else { return nil }
        isNegative = text[0] == UInt8(ascii: "-")
        let number = text.part(isNegative ? 1 : 0, text.count - 1)
        guard let point = number.firstIndex(of: UInt8(ascii: ".")) else {
            guard let whole = number.decimal else { return nil }
            self.whole = whole
            hasFraction = false
            return
        }
        let fraction = number.part(point + 1, number.count)
        guard let whole = number.part(0, point).decimal, fraction.count <= 9, let parts = fraction.decimal else {
            return nil
        }
        self.whole = whole
        hasFraction = parts > 0
    }

    /// Whether it is a time to live that FCM takes: 0 to four weeks.
    var isLifetime: Bool {
        let isZero = whole == 0 && !hasFraction
        if isNegative { return isZero }
        return whole < Self.longestLifetime || (whole == Self.longestLifetime && !hasFraction)
    }
}

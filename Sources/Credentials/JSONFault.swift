/// A decoding error as a field and a reason in one line; the decoder's own text spans lines and names Swift types.
struct JSONFault: Equatable {
    /// The path of the field, such as `private_key`; nil for the text as a whole.
    let field: String?
    let reason: Reason

    enum Reason: Equatable {
        case missing
        case wrongType(wanted: String)
        case corrupted(String)
    }

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            field = Self.path(context.codingPath + [key])
            reason = .missing
        case DecodingError.valueNotFound(_, let context):
            field = Self.path(context.codingPath)
            reason = .missing
        case DecodingError.typeMismatch(let type, let context):
            field = Self.path(context.codingPath)
            reason = .wrongType(wanted: Self.name(of: type))
        case DecodingError.dataCorrupted(let context):
            field = Self.path(context.codingPath)
            // For the text as a whole the decoder gives no place, and no reason but this one.
            reason = .corrupted(field == nil ? "it is not valid JSON" : context.debugDescription)
        default:
            field = nil
            reason = .corrupted("it cannot be decoded")
        }
    }

    var text: String {
        let subject = field.map { "field \"\($0)\"" } ?? "the text"
        return switch reason {
        case .missing: "\(subject) is missing"
        case .wrongType(let wanted): "\(subject) is not \(wanted)"
        case .corrupted(let detail): field == nil ? detail : "\(subject): \(detail)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String? {
        keys.isEmpty
            ? nil : keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any FixedWidthInteger.Type, is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String].Type: "an array of strings"
        default: "an object"
        }
    }
}

/// A stranger's text cut and cleaned for a one-line message.
func displayable(_ text: String, limit: Int = 200) -> String {
    let line = text.unicodeScalars.prefix(limit).map { $0.properties.isWhitespace ? " " : $0 }
    let shown = String(String.UnicodeScalarView(line.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    return text.unicodeScalars.count > limit ? shown + "..." : shown
}

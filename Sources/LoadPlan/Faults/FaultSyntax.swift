/// How a value of a fault is written.
package enum FaultSyntax: Sendable, Equatable {
    /// Nothing but the option's name.
    case flag
    /// A whole number.
    case number(ClosedRange<Int64>)
    case time(ClosedRange<Int64>)
    /// A share, or in percent.
    case share
    /// One of a few words.
    case word([String])
    /// Up to 200 bytes without a comma.
    case text
    /// `20ms`, `10ms..50ms` (uniform) or `20ms~30ms` (log-normal by median and 99th percentile).
    case times
    /// An HTTP/2 error code, by name or number.
    case code

    /// What stands for a value in the table.
    package var word: String {
        switch self {
        case .flag: ""
        case .number: "N"
        case .time: "TIME"
        case .share: "SHARE"
        case .word(let words): words.count <= 4 ? words.joined(separator: "|") : "WORD"
        case .text: "TEXT"
        case .times: "TIMES"
        case .code: "CODE"
        }
    }

    /// What is allowed, for an error's one line.
    package var allowed: String {
        switch self {
        case .flag: "nothing after its name"
        case .number(let range):
            "a whole number from \(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
        case .time(let range):
            "a time such as 250ms, from \(Quantity.text(duration: range.lowerBound)) to "
                + Quantity.text(duration: range.upperBound)
        case .share: "a share such as 0.05 or 5%, from 0 to 1"
        case .word(let words): words.joined(separator: ", ")
        case .text: "a text of at most 200 bytes"
        case .times: "a time such as 20ms, a range such as 10ms..50ms, or a median and a 99th percentile: 20ms~30ms"
        case .code: "an HTTP/2 error code such as REFUSED_STREAM, or its number"
        }
    }

    /// The value that a text stands for; nil if it is none.
    func read(_ text: String) -> FaultValue? {
        switch self {
        case .flag: text.isEmpty ? .flag : nil
        case .number(let range): Self.number(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .time(let range): Quantity.duration(text).flatMap { range.contains($0) ? .time($0) : nil }
        case .share: Self.share(text).map { .share($0) }
        case .word(let words): words.contains(text) ? .word(text) : nil
        case .text: text.utf8.count <= 200 ? .text(text) : nil
        case .times: Self.times(text).map { .times($0) }
        case .code: HTTP2Code.number(text).map { .code($0) }
        }
    }

    private static func number(_ text: String) -> Int64? {
        if text.hasPrefix("-") { return Quantity.whole(text.dropFirst()).flatMap { Int64(exactly: $0) }.map { -$0 } }
        return Quantity.whole(text).flatMap { Int64(exactly: $0) }
    }

    private static func share(_ text: String) -> Double? {
        guard let (digits, divisor, rest) = Quantity.decimal(text), rest.isEmpty || rest == "%" else { return nil }
        let share = Double(digits) / Double(divisor) / (rest.isEmpty ? 1 : 100)
        return share <= 1 ? share : nil
    }

    private static func times(_ text: String) -> Distribution? {
        func ends(_ separator: String) -> (Int64, Int64)? {
            guard let range = text.firstRange(of: separator), let low = Quantity.duration(text[..<range.lowerBound]),
                let high = Quantity.duration(text[range.upperBound...]), low <= high, high <= Nanoseconds.hour
            else { return nil }
            return (low, high)
        }
        if let (from, to) = ends("..") { return .uniform(from: from, to: to) }
        if let (median, p99) = ends("~"), median > 0 { return .lognormal(median: median, p99: p99) }
        return Quantity.duration(text).flatMap { $0 <= Nanoseconds.hour ? .constant($0) : nil }
    }
}

/// A value of a fault.
package enum FaultValue: Sendable, Equatable {
    case flag
    case number(Int64)
    /// In nanoseconds.
    case time(Int64)
    case share(Double)
    case word(String)
    case text(String)
    case times(Distribution)
    case code(UInt32)
}

/// The error codes of HTTP/2 by name (RFC 9113, section 7).
enum HTTP2Code {
    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    static func number(_ text: String) -> UInt32? {
        names.firstIndex(of: text.uppercased()).map { UInt32($0) } ?? UInt32(text)
    }
}

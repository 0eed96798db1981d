import Histogram

/// Numbers as people read them: two or three significant digits and a unit for times, separators in counts.
///
/// For terminals and sentences only; files carry exact numbers. Integer arithmetic throughout, so texts are the same on
/// every machine.
package enum HumanUnits {
    private static let timeUnits: [(name: String, nanoseconds: Int64)] = [
        ("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ]

    /// A time, rounded half up.
    ///
    /// Worked examples: 312 ns is `312 ns`, 9,960 ns is `10 µs`, 1,240,000 ns is `1.2 ms`,
    /// 27,451,000 ns is `27 ms`, 83 s is `83 s`.
    package static func time(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let value = Int64(clamping: nanoseconds.magnitude)
        // A value that rounds up to a thousand belongs to the next unit.
        let unit = timeUnits.last { value >= $0.nanoseconds - $0.nanoseconds / 2_000 } ?? timeUnits[0]
        let tenths = rounded(value, by: unit.nanoseconds, times: 10)
        guard tenths < 100, unit.nanoseconds > 1 else {
            return "\(sign)\(count(UInt64(rounded(value, by: unit.nanoseconds, times: 1)))) \(unit.name)"
        }
        return "\(sign)\(tenths / 10).\(tenths % 10) \(unit.name)"
    }

    /// A time with three significant digits or more, for comparing: `249.6 ms`, `12.34 µs`, `312 ns`.
    package static func exactTime(_ nanoseconds: Int64) -> String {
        let unit = timeUnits.last { nanoseconds >= $0.nanoseconds } ?? timeUnits[0]
        guard unit.nanoseconds > 1 else { return "\(nanoseconds) ns" }
        let digits = nanoseconds >= unit.nanoseconds * 100 ? 1 : nanoseconds >= unit.nanoseconds * 10 ? 2 : 3
        let number = FixedDecimal(Int128(nanoseconds), over: Int128(unit.nanoseconds), digits: digits)
        return "\(number?.description ?? "0") \(unit.name)"
    }

    /// A round time as an axis shows it: `500 µs`, `20 ms`, `1 s`.
    static func axisTime(_ nanoseconds: Int64) -> String {
        let unit = timeUnits.last { nanoseconds >= $0.nanoseconds } ?? timeUnits[0]
        return "\(count(UInt64(nanoseconds / unit.nanoseconds))) \(unit.name)"
    }

    /// A length of time such as a phase's: `18 s`, `1.5 s`, `10 min`, `500 ms`.
    package static func duration(_ nanoseconds: Int64) -> String {
        let minute: Int64 = 60_000_000_000
        if nanoseconds == 0 { return "0 s" }
        if nanoseconds >= minute, nanoseconds % minute == 0 { return "\(nanoseconds / minute) min" }
        guard nanoseconds >= 1_000_000_000 else { return time(nanoseconds) }
        let tenths = rounded(nanoseconds, by: 1_000_000_000, times: 10)
        let fraction = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
        return "\(count(UInt64(tenths / 10)))\(fraction) s"
    }

    /// A count with separators: `1,000,000`.
    package static func count(_ number: UInt64) -> String {
        var groups: [Substring] = []
        var digits = Substring(String(number))
        while digits.utf8.count > 3 {
            groups.append(digits.suffix(3))
            digits = digits.dropLast(3)
        }
        groups.append(digits)
        return groups.reversed().joined(separator: ",")
    }

    /// How many a second, whole: `9,998`; `0` for no time at all.
    package static func perSecond(_ number: UInt64, in nanoseconds: Int64) -> String {
        guard nanoseconds > 0 else { return "0" }
        let scaled = UInt128(number) * 1_000_000_000
        return count(UInt64(clamping: (scaled + UInt128(nanoseconds) / 2) / UInt128(nanoseconds)))
    }

    /// A part of a whole: `1.00%`; `0.00%` for a part of nothing.
    package static func percent(_ part: UInt64, of whole: UInt64, digits: Int = 2) -> String {
        let percent = FixedDecimal(Int128(part) * 100, over: Int128(max(1, whole)), digits: digits)
        return "\(percent?.description ?? "0")%"
    }

    /// A share as whole percent, or with as many digits as it needs up to two: `99%`, `99.5%`.
    package static func percent(_ share: Double) -> String {
        let hundredths = Int64((share * 10_000).rounded())
        let text = FixedDecimal(Int128(hundredths), over: 100, digits: 2)?.description ?? "0"
        guard text.hasSuffix("0") else { return text + "%" }
        return (text.hasSuffix("00") ? text.dropLast(3) : text.dropLast(1)) + "%"
    }

    /// Text that came from outside, made fit for one line of a terminal: no control characters, at most `limit` long.
    package static func line(_ text: String, limit: Int = 60) -> String {
        let printable = String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isPrintable ? $0 : "\u{FFFD}" })
        )
        return printable.count <= limit ? printable : printable.prefix(limit - 1) + "…"
    }

    private static func rounded(_ value: Int64, by divisor: Int64, times factor: Int64) -> Int64 {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return whole * factor + (rest * factor + divisor / 2) / divisor
    }
}

extension Unicode.Scalar.Properties {
    /// Whether a terminal shows the scalar and does not act on it.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

/// Reads and writes the quantities of a profile: "1_000_000", "10000/s", "250ms".
///
/// All arithmetic is on integers; a text that has no exact value in the unit asked for is refused.
package enum Quantity {
    /// Units of time, the longest first.
    private static let timeUnits: [(name: String, nanoseconds: UInt64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("m", 60_000_000_000),
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
    ]

    /// A whole number: "42", "1_000_000", "600k", "2.5M".
    static func whole(_ text: some StringProtocol) -> UInt64? {
        guard let (number, rest) = Decimal.read(text), let scale = scale(of: rest) else { return nil }
        return number.times(scale)
    }

    /// A time in nanoseconds: "250ms", "1.5s", "10m", "1h30m".
    package static func duration(_ text: some StringProtocol) -> Int64? {
        var rest = Substring(text)
        var total: UInt64 = 0
        var longest = UInt64.max
        repeat {
            guard let (number, tail) = Decimal.read(rest) else { return nil }
            let unitName = tail.prefix { $0.isLetter }
            // "1h30m" but not "30m1h" or "1s1s".
            guard let unit = timeUnits.first(where: { $0.name == unitName }), unit.nanoseconds < longest,
                let part = number.times(unit.nanoseconds)
            else { return nil }
            let sum = total.addingReportingOverflow(part)
            guard !sum.overflow else { return nil }
            (total, longest) = (sum.partialValue, unit.nanoseconds)
            rest = tail[unitName.endIndex...]
        } while !rest.isEmpty
        return Int64(exactly: total)
    }

    /// A rate: "10000/s", "600k/min", "0.5/s", "1/90s".
    package static func rate(_ text: some StringProtocol) -> Rate? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let (number, rest) = Decimal.read(parts[0]), let scale = scale(of: rest),
            let time = duration(parts[1].first?.isNumber == true ? String(parts[1]) : "1" + parts[1]), time > 0
        else { return nil }
        let pushes = number.digits.multipliedReportingOverflow(by: scale)
        let nanoseconds = UInt64(time).multipliedReportingOverflow(by: number.divisor)
        guard !pushes.overflow, !nanoseconds.overflow else { return nil }
        return Rate(pushes: pushes.partialValue, nanoseconds: nanoseconds.partialValue)
    }

    /// A decimal number as an exact fraction, and what follows it: "0.5%" is 5 over 10 and "%".
    static func decimal(_ text: some StringProtocol) -> (digits: UInt64, divisor: UInt64, rest: Substring)? {
        Decimal.read(text).map { ($0.0.digits, $0.0.divisor, $0.1) }
    }

    private static func scale(of suffix: some StringProtocol) -> UInt64? {
        switch suffix {
        case "": 1
        case "k", "K": 1000
        case "M": 1_000_000
        default: nil
        }
    }

    /// The shortest text of a time: "250ms", "90s", "10m".
    package static func text(duration nanoseconds: Int64) -> String {
        guard nanoseconds > 0 else { return "0s" }
        let value = UInt64(nanoseconds)
        for unit in timeUnits where unit.name != "min" && value % unit.nanoseconds == 0 {
            return "\(value / unit.nanoseconds)\(unit.name)"
        }
        return "\(value)ns"
    }

    /// The text of a rate: per second where that is whole, otherwise per minute or hour, otherwise per its own time.
    static func text(_ rate: Rate) -> String {
        for (name, nanoseconds) in [("s", 1_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000)]
            as [(String, UInt64)]
        where nanoseconds % rate.nanoseconds == 0 {
            let pushes = rate.pushes.multipliedReportingOverflow(by: nanoseconds / rate.nanoseconds)
            if !pushes.overflow { return "\(pushes.partialValue)/\(name)" }
        }
        return "\(rate.pushes)/\(text(duration: Int64(rate.nanoseconds)))"
    }
}

/// A decimal number as an exact fraction.
private struct Decimal {
    var digits: UInt64 = 0
    /// A power of ten.
    var divisor: UInt64 = 1

    /// The number at the start of a text, and what follows it; `_` may stand between digits.
    static func read(_ text: some StringProtocol) -> (Decimal, Substring)? {
        var number = Decimal()
        var inFraction = false
        var afterDigit = false
        var rest = Substring(text)
        while let character = rest.first {
            if character.isASCII, let digit = character.wholeNumberValue {
                guard number.append(UInt64(digit), inFraction: inFraction) else { return nil }
                afterDigit = true
            } else if character == "_" || (character == "." && !inFraction) {
                let next = rest.dropFirst().first
                guard afterDigit, next?.isASCII == true, next?.isNumber == true else { return nil }
                inFraction = inFraction || character == "."
                afterDigit = false
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        return afterDigit ? (number, rest) : nil
    }

    private mutating func append(_ digit: UInt64, inFraction: Bool) -> Bool {
        let tenfold = digits.multipliedReportingOverflow(by: 10)
        let sum = tenfold.partialValue.addingReportingOverflow(digit)
        guard !tenfold.overflow, !sum.overflow else { return false }
        digits = sum.partialValue
        guard inFraction else { return true }
        let moved = divisor.multipliedReportingOverflow(by: 10)
        divisor = moved.partialValue
        return !moved.overflow
    }

    /// The product, when it is whole and fits.
    func times(_ factor: UInt64) -> UInt64? {
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        guard !overflow, product % divisor == 0 else { return nil }
        return product / divisor
    }
}

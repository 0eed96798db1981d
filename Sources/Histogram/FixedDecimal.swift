/// A number with a fixed count of decimals, made by integer arithmetic.
///
/// Result files are compared byte for byte, so no number in them passes through floating point: the same run gives the same
/// digits on every machine. Rounds half away from zero. Worked examples: 20,480,000 ns as microseconds is `20480.000`;
/// 2 of 3 as a share is `0.666667`; 149,999 pushes in 15 s are `9999.933` per second.
package struct FixedDecimal: Sendable, Equatable, CustomStringConvertible {
    /// The number times 10 to the power of `digits`.
    private let units: Int128
    private let digits: Int

    /// The quotient of two whole numbers; nil where there is nothing to divide by.
    package init?(_ numerator: Int128, over denominator: Int128, digits: Int) {
        guard denominator > 0 else { return nil }
        let (quotient, remainder) = (numerator * Self.power(digits)).quotientAndRemainder(dividingBy: denominator)
        let away: Int128 = remainder.magnitude * 2 >= denominator.magnitude ? (numerator < 0 ? -1 : 1) : 0
        self.init(units: quotient + away, digits: digits)
    }

    /// A double rounded as C's `printf("%.*f")` does: exactly, ties to even; nil for one that has no 63 bits before its point.
    ///
    /// Exact because it works on the binary fraction in 128-bit integers: `value × 10^digits` needs at most 53 + 40 bits.
    ///
    /// - Parameter digits: 0 ... 12.
    package init?(_ value: Double, digits: Int) {
        guard value.magnitude < 0x1p63 else { return nil }
        let units = Int128(value.magnitude.rounded(timesTen: UInt128(Self.power(digits))))
        self.init(units: value < 0 ? -units : units, digits: digits)
    }

    /// The same as text; a number that doesn't fit as Swift prints it.
    package static func text(_ value: Double, digits: Int) -> String {
        FixedDecimal(value, digits: digits)?.description ?? "\(value)"
    }

    private init(units: Int128, digits: Int) {
        self.units = units
        self.digits = digits
    }

    /// Nanoseconds as microseconds, exactly.
    package static func microseconds(_ nanoseconds: Int64) -> FixedDecimal {
        FixedDecimal(units: Int128(nanoseconds), digits: 3)
    }

    /// Nanoseconds as seconds, to the microsecond.
    package static func seconds(_ nanoseconds: Int64) -> FixedDecimal {
        rounded(nanoseconds, by: 1_000, digits: 6)
    }

    /// Nanoseconds as milliseconds, to the microsecond.
    package static func milliseconds(_ nanoseconds: Int64) -> FixedDecimal {
        rounded(nanoseconds, by: 1_000, digits: 3)
    }

    /// How many a second, to the thousandth; nil for no time at all.
    package static func perSecond(_ count: UInt64, in nanoseconds: Int64) -> FixedDecimal? {
        FixedDecimal(Int128(count) * 1_000_000_000, over: Int128(nanoseconds), digits: 3)
    }

    /// `part` of `whole`, as a number from 0 to 1; nil for a part of nothing.
    package static func share(_ part: UInt64, of whole: UInt64, digits: Int = 6) -> FixedDecimal? {
        FixedDecimal(Int128(part), over: Int128(whole), digits: digits)
    }

    /// Whether the number is below zero.
    package var isNegative: Bool { units < 0 }

    /// The number without its sign.
    package var magnitude: FixedDecimal { FixedDecimal(units: units < 0 ? -units : units, digits: digits) }

    /// The number as a whole one in units of its last digit; nil where it doesn't fit.
    package var scaled: Int64? { Int64(exactly: units) }

    private static func rounded(_ value: Int64, by divisor: Int64, digits: Int) -> FixedDecimal {
        let half = value < 0 ? -divisor / 2 : divisor / 2
        return FixedDecimal(units: (Int128(value) + Int128(half)) / Int128(divisor), digits: digits)
    }

    private static func power(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    package var description: String {
        let text = String(units.magnitude)
        let padded = text.leftPadded(to: digits + 1, with: "0")
        let sign = units < 0 ? "-" : ""
        guard digits > 0 else { return sign + padded }
        return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}

extension String {
    /// The text with `fill` in front, up to a width; unchanged when it is as wide already.
    func leftPadded(to width: Int, with fill: Character = " ") -> String {
        String(repeating: fill, count: Swift.max(0, width - utf8.count)) + self
    }
}

extension Double {
    /// `self × scale` to the nearest integer, ties to even.
    fileprivate func rounded(timesTen scale: UInt128) -> UInt128 {
        guard self > 0 else { return 0 }
        // self = fraction × 2^shift, with a fraction of 53 bits.
        let fraction = UInt128(significand * 0x1p52)
        let shift = Int(exponent) - 52
        let product = fraction * scale
        guard shift < 0 else { return product << UInt128(shift) }
        guard shift > -127 else { return 0 }
        let quotient = product >> UInt128(-shift)
        let remainder = product & ((1 << UInt128(-shift)) - 1)
        let half = UInt128(1) << UInt128(-shift - 1)
        let roundsUp = remainder > half || (remainder == half && quotient & 1 == 1)
        return quotient + (roundsUp ? 1 : 0)
    }
}

extension String {
    /// A number with a fixed count of decimals, rounded as C's `printf("%.*f")` does: exactly, ties to even.
    ///
    /// Exact because it works on the binary fraction in 128-bit integers: `value × 10^decimals` needs at most 53 + 40 bits.
    ///
    /// - Parameters:
    ///   - value: not negative and below 2^63; anything else is printed as Swift prints it.
    ///   - decimals: 0 ... 12.
    package init(_ value: Double, decimals: Int) {
        guard value >= 0, value < 0x1p63 else {
            self = "\(value)"
            return
        }
        let scale = (0..<decimals).reduce(UInt128(1)) { power, _ in power * 10 }
        self.init(scaled: value.rounded(timesTen: scale), scale: scale, decimals: decimals)
    }

    /// `numerator / denominator` with a fixed count of decimals, rounded half up, without a detour through `Double`.
    package init(_ numerator: Int64, over denominator: Int64, decimals: Int) {
        let scale = (0..<decimals).reduce(UInt128(1)) { power, _ in power * 10 }
        let scaled = (UInt128(numerator) * scale * 2 + UInt128(denominator)) / (2 * UInt128(denominator))
        self.init(scaled: scaled, scale: scale, decimals: decimals)
    }

    private init(scaled: UInt128, scale: UInt128, decimals: Int) {
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: scale)
        guard decimals > 0 else {
            self = "\(whole)"
            return
        }
        self = "\(whole)." + String(fraction).leftPadded(to: decimals, with: "0")
    }

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

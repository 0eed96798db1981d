// Our own logarithm, exponential and normal quantile, because the C library's differ in the last bit from version to
// version: with these, a seed gives the same plan and the same service times on every machine. They use only IEEE 754
// additions, multiplications, divisions and square roots, which are exact to the bit everywhere.

/// The natural logarithm of a positive, normal number; relative error below 1e-15.
///
/// With x = m * 2^e, m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1): ln x = e ln 2 + 2 (s + s^3/3 + s^5/5 + ...).
@inlinable
package func naturalLogarithm(_ x: Double) -> Double {
    // Moves the exponent's turning point from 1 to sqrt(1/2).
    let shifted = x.bitPattern &+ (0x3FF0_0000_0000_0000 &- 0x3FE6_A09E_667F_3BCD)
    let exponent = Int64(shifted >> 52) &- 1023
    let mantissa = Double(bitPattern: (shifted & 0x000F_FFFF_FFFF_FFFF) &+ 0x3FE6_A09E_667F_3BCD)
    let s = (mantissa - 1) / (mantissa + 1)
    let z = s * s
    let z2 = z * z
    let z4 = z2 * z2
    // s is at most 0.172, so the term z^11 / 23 is below 1e-18. Grouped in pairs so that the products overlap.
    let low = (1.0 / 3 + z * (1.0 / 5)) + z2 * (1.0 / 7 + z * (1.0 / 9))
    let middle = (1.0 / 11 + z * (1.0 / 13)) + z2 * (1.0 / 15 + z * (1.0 / 17))
    let high = (1.0 / 19 + z * (1.0 / 21))
    let series = z * (low + z4 * (middle + z4 * high))
    let e = Double(exponent)
    // ln 2 in two parts: the first has so few bits that its product with e is exact.
    return e * 0x1.62e42fee00000p-1 + (2 * s + (2 * s * series + e * 0x1.a39ef35793c76p-33))
}

/// The exponential function; relative error below 1e-15; 0 below -745 and infinity above 709.78.
///
/// With x = k ln 2 + r and |r| at most ln 2 / 2: e^x = 2^k * (1 + r + r^2/2 + ...).
package func exponential(_ x: Double) -> Double {
    if x < -745 { return 0 }
    if x > 709.78 { return .infinity }
    // Adding 1.5 * 2^52 and taking it away again leaves the nearest whole number.
    let k = (x * 1.442_695_040_888_963_4 + 0x1.8p52) - 0x1.8p52
    let r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33
    // 1/n! up to n = 13, for r^14 / 14! is below 1e-17; in groups of four, so that the products overlap.
    let r2 = r * r
    let r4 = r2 * r2
    let first = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6))
    let second = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040))
    let third = (1.0 / 40_320 + r * (1.0 / 362_880)) + r2 * (1.0 / 3_628_800 + r * (1.0 / 39_916_800))
    let fourth = 1.0 / 479_001_600 + r * (1.0 / 6_227_020_800)
    let sum = first + r4 * (second + r4 * (third + r4 * fourth))
    // 2^k by its bits; in two halves, because k may lie beyond the exponents of normal numbers.
    let half = Int64(k) / 2
    return sum * powerOfTwo(half) * powerOfTwo(Int64(k) - half)
}

/// 2^k for -1022 <= k <= 1023.
private func powerOfTwo(_ k: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: k + 1023) << 52)
}

/// The quantile of the standard normal distribution for 0 < p < 1; relative error about 1e-15.
///
/// Source: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37
/// (1988), routine PPND16.
package func normalQuantile(_ p: Double) -> Double {
    let q = p - 0.5
    if abs(q) <= 0.425 {
        let r = 0.180625 - q * q
        return q * polynomial(r, Wichura.a) / polynomial(r, Wichura.b)
    }
    let tail = (-naturalLogarithm(q < 0 ? p : 1 - p)).squareRoot()
    let value =
        tail <= 5
        ? polynomial(tail - 1.6, Wichura.c) / polynomial(tail - 1.6, Wichura.d)
        : polynomial(tail - 5, Wichura.e) / polynomial(tail - 5, Wichura.f)
    return q < 0 ? -value : value
}

private typealias Coefficients = (Double, Double, Double, Double, Double, Double, Double, Double)

/// Horner's scheme; the first coefficient is the constant one.
private func polynomial(_ x: Double, _ c: Coefficients) -> Double {
    ((((((c.7 * x + c.6) * x + c.5) * x + c.4) * x + c.3) * x + c.2) * x + c.1) * x + c.0
}

/// The coefficients of AS 241, named as there.
private enum Wichura {
    static let a: Coefficients = (
        3.387_132_872_796_366_608, 1.331_416_678_917_843_774_5e2, 1.971_590_950_306_551_442_7e3,
        1.373_169_376_550_946_112_5e4, 4.592_195_393_154_987_145_7e4, 6.726_577_092_700_870_085_3e4,
        3.343_057_558_358_812_810_5e4, 2.509_080_928_730_122_672_7e3
    )
    static let b: Coefficients = (
        1, 4.231_333_070_160_091_125_2e1, 6.871_870_074_920_579_083e2, 5.394_196_021_424_751_107_7e3,
        2.121_379_430_158_659_586_7e4, 3.930_789_580_009_271_061e4, 2.872_908_573_572_194_267_4e4,
        5.226_495_278_852_854_561e3
    )
    static let c: Coefficients = (
        1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_9, 5.769_497_221_460_691_405_5,
        3.647_848_324_763_204_605_04, 1.270_458_252_452_368_382_58, 2.417_807_251_774_506_117_7e-1,
        2.272_384_498_926_918_458_33e-2, 7.745_450_142_783_414_076_4e-4
    )
    static let d: Coefficients = (
        1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_4, 6.897_673_349_851_000_045_5e-1,
        1.481_039_764_274_800_745_9e-1, 1.519_866_656_361_645_719_66e-2, 5.475_938_084_995_344_946e-4,
        1.050_750_071_644_416_843_24e-9
    )
    static let e: Coefficients = (
        6.657_904_643_501_103_777_2, 5.463_784_911_164_114_369_9, 1.784_826_539_917_291_335_8,
        2.965_605_718_285_048_912_3e-1, 2.653_218_952_657_612_309_3e-2, 1.242_660_947_388_078_438_6e-3,
        2.711_555_568_743_487_578_15e-5, 2.010_334_399_292_288_132_65e-7
    )
    static let f: Coefficients = (
        1, 5.998_322_065_558_879_376_9e-1, 1.369_298_809_227_358_053_1e-1, 1.487_536_129_085_061_485_25e-2,
        7.868_691_311_456_132_591e-4, 1.846_318_317_510_054_681_8e-5, 1.421_511_758_316_445_888_7e-7,
        2.044_263_103_389_939_785_64e-15
    )
}

/// 2^64 divided by the golden ratio, odd: adding it again and again visits every 64-bit number once.
let goldenGamma: UInt64 = 0x9E37_79B9_7F4A_7C15

/// Scrambles 64 bits; a bijection, so different inputs never meet.
///
/// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014;
/// constants are Stafford's variant 13).
@inline(__always)
func mix64(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
}

/// Maps 32 random bits evenly onto `0 ..< bound` without a division.
@inline(__always)
func scale(_ random: UInt32, below bound: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(random) &* UInt64(bound)) &>> 32)
}

/// Random words for text whose content does not matter.
///
/// One multiplication per word (wyrand, from Wang Yi's wyhash): half the price of ``mix64(_:)``.
struct FillerRandom {
    var state: UInt64

    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= 0xA076_1D64_78BD_642F
        let product = state.multipliedFullWidth(by: state ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}

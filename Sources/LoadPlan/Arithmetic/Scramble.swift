/// A bijection of 64 bits that scatters neighbouring values: the finaliser of SplitMix64.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
@inlinable
package func scramble(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
}

/// A stream of random numbers from a seed: SplitMix64.
@usableFromInline
struct RandomStream {
    @usableFromInline var state: UInt64

    @inlinable
    init(seed: UInt64) { state = seed }

    @inlinable
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return scramble(state)
    }
}

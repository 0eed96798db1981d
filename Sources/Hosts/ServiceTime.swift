package import LoadPlan

/// How long a host takes for each answer: a seeded sequence of times from one distribution.
package struct ServiceTime: Sendable {
    private let sampler: Sampler
    private var numbers: SplitMix

    package init(_ distribution: Distribution, seed: UInt64) {
        sampler = distribution.sampler
        numbers = SplitMix(seed: seed)
    }

    /// The next answer's time in nanoseconds.
    @inline(__always)
    package mutating func next() -> Int64 { sampler.sample(numbers.next()) }
}

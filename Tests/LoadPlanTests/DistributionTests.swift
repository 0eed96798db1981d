import Testing

@testable import LoadPlan

@Suite("Distributions")
struct DistributionTests {
    private static let ms = Nanoseconds.millisecond

    @Test("A constant is always the same")
    func constant() {
        #expect(Distribution.constant(7).sample(0) == 7)
        #expect(Distribution.constant(7).sample(.max) == 7)
    }

    @Test("A uniform distribution reaches both ends and gives each value the same chance")
    func uniform() {
        let distribution = Distribution.uniform(from: 10, to: 13)
        #expect(distribution.sample(0) == 10)
        #expect(distribution.sample(.max) == 13)
        let quarter = UInt64(1) << 62
        #expect((0..<4).map { distribution.sample(quarter * $0) } == [10, 11, 12, 13])
        #expect((1..<4).map { distribution.sample(quarter * $0 - 1) } == [10, 11, 12])
        #expect(Distribution.uniform(from: 5, to: 5).sample(.max) == 5)
        #expect(Distribution.uniform(from: .min, to: .max).sample(1) == 1)
    }

    @Test(
        "A lognormal distribution has the quantiles of its definition",
        arguments: [
            (0.5, 20_000_000), (0.99, 30_000_000), (0.01, 13_333_333), (0.9, 25_005_534), (0.999, 34_272_276),
        ] as [(Double, Int64)]
    )
    func lognormal(probability: Double, expected: Int64) {
        let distribution = Distribution.lognormal(median: 20 * Self.ms, p99: 30 * Self.ms)
        let value = distribution.sample(UInt64(probability * 0x1p64))
        #expect(abs(value - expected) <= 1)
    }

    @Test("The quantiles of a large random sample are the distribution's")
    func largeSample() {
        let sampler = Distribution.lognormal(median: 20 * Self.ms, p99: 30 * Self.ms).sampler
        var random = RandomStream(seed: 42)
        let values = (0..<200_000).map { _ in sampler.sample(random.next()) }.sorted()
        // The standard errors of these quantiles are about 10 and 44 microseconds.
        #expect(abs(values[100_000] - 20 * Self.ms) < 40_000)
        #expect(abs(values[198_000] - 30 * Self.ms) < 150_000)
    }

    @Test("The extremes stay finite, positive and within a day")
    func extremes() {
        let narrow = Distribution.lognormal(median: 20 * Self.ms, p99: 20 * Self.ms)
        #expect(narrow.sample(0) == 20 * Self.ms)
        #expect(narrow.sample(.max) == 20 * Self.ms)
        let wild = Distribution.lognormal(median: 1, p99: Nanoseconds.day)
        #expect(wild.sample(0) == 0)
        #expect(wild.sample(.max) == Nanoseconds.day)
    }
}

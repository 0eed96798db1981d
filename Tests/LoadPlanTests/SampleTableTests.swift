import Testing

@testable import LoadPlan

@Suite("Samples from a table")
struct SampleTableTests {
    private static let ms = Nanoseconds.millisecond

    private static let distributions: [Distribution] = [
        .constant(7), .uniform(from: 10, to: 1_000_000), .lognormal(median: 20 * ms, p99: 30 * ms),
        .lognormal(median: 50 * ms, p99: 50 * ms), .lognormal(median: 100 * ms, p99: 900 * ms),
        .lognormal(median: 1, p99: 9), .lognormal(median: 1000 * ms, p99: 9900 * ms),
        .lognormal(median: 1, p99: Nanoseconds.day),
    ]

    @Test("They are the exact ones, to a part in 10^8 or a nanosecond", arguments: distributions)
    func exact(distribution: Distribution) {
        let (table, sampler) = (SampleTable(distribution), distribution.sampler)
        var random = RandomStream(seed: 3)
        var bits = (0..<200_000).map { _ in random.next() }
        // Where octaves and cells meet, and both ends.
        for place in 0..<64 {
            let power = UInt64(1) << UInt64(place)
            bits += [power, power &- 1, power | power >> 5, ~power, ~(power &- 1), ~(power | power >> 5)]
        }
        bits += [0, .max, 1 << 63, 1 << 63 - 1]
        let wrong = bits.filter { bits in
            let exact = sampler.sample(bits)
            return abs(table.sample(bits) - exact) > max(1, exact / 100_000_000)
        }
        #expect(wrong.isEmpty, "\(wrong.count), such as \(wrong[0])")
    }

    @Test("Greater bits give no smaller value")
    func rising() {
        let table = SampleTable(.lognormal(median: 20 * Self.ms, p99: 30 * Self.ms))
        let step = UInt64.max / 100_000
        let values = (0..<100_000).map { table.sample($0 * step) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }
}

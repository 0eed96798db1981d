import Testing

@testable import LoadPlan

/// All figures are of fixed seeds, so nothing here can fail by chance.
@Suite("Poisson arrivals")
struct PoissonTests {
    private static func pacer(_ shape: PhaseShape, seconds: Int64, seed: UInt64) throws -> Pacer {
        var phase = Phase()
        (phase.shape, phase.duration) = (shape, seconds * Nanoseconds.second)
        let even = try Pacer.split(#require(try RateLines.total(of: phase)), weights: [1])[0]
        return even.withPoissonArrivals(seed: seed)
    }

    private static func dues(_ pacer: Pacer) throws -> [Int64] {
        var leaf = [UInt64](repeating: 0, count: PoissonTimes.largestLeaf)
        let poisson = try #require(pacer.poisson)
        var dues: [Int64] = []
        for number in 0...poisson.leaf(of: pacer.count - 1) {
            #expect(poisson.first(ofLeaf: number) == UInt64(dues.count))
            let size = poisson.fill(&leaf, leaf: number)
            dues += leaf[..<size].map(pacer.time(atPosition:))
        }
        return dues
    }

    @Test(
        "Counts are as planned, times rise, and each can be found by itself",
        arguments: [1, 2, 255, 256, 511, 512, 5000] as [UInt64]
    )
    func shape(count: UInt64) throws {
        let pacer = try Self.pacer(.constant(.total(.perSecond(count))), seconds: 1, seed: 7)
        let dues = try Self.dues(pacer)
        #expect(UInt64(dues.count) == count)
        #expect(zip(dues, dues.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(dues.allSatisfy { (0..<Nanoseconds.second).contains($0) })
        for n in stride(from: 0, to: count, by: 61) { #expect(pacer.due(of: n) == dues[Int(n)]) }
    }

    /// A Poisson process's counts have a variance equal to their mean in windows of every length: a scheme that keeps counts
    /// per cell fixed would fail for long windows, and one that only jitters even arrivals for short ones.
    @Test("Counts vary as they should over short and long windows")
    func dispersion() throws {
        let (rate, seconds) = (UInt64(2000), Int64(200))
        let dues = try Self.dues(try Self.pacer(.constant(.total(.perSecond(rate))), seconds: seconds, seed: 11))
        for milliseconds in [1, 10, 100, 1000] as [Int64] {
            let windows = Int(seconds * 1000 / milliseconds)
            var counts = [Double](repeating: 0, count: windows)
            for due in dues { counts[Int(due / (milliseconds * Nanoseconds.millisecond))] += 1 }
            let mean = Double(dues.count) / Double(windows)
            let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(windows - 1)
            // The index of dispersion has a standard error of sqrt(2 / windows); the total is fixed, which takes a little.
            let error = (2 / Double(windows)).squareRoot()
            #expect(abs(variance / mean - 1) < 4 * error, "\(milliseconds) ms: \(variance / mean)")
        }
    }

    @Test("Gaps are exponentially distributed")
    func gaps() throws {
        let dues = try Self.dues(try Self.pacer(.constant(.total(.perSecond(1000))), seconds: 200, seed: 3))
        let gaps = zip(dues, dues.dropFirst()).map { Double($1 - $0) / 1e6 }.sorted()
        // The largest distance between the sample's distribution and the exponential one (Kolmogorov and Smirnov).
        var distance = 0.0
        for (index, gap) in gaps.enumerated() {
            distance = max(distance, abs(Double(index) / Double(gaps.count) - (1 - exponential(-gap))))
        }
        #expect(distance < 1.63 / Double(gaps.count).squareRoot())
    }

    @Test("Arrivals of a ramp follow its rate")
    func ramp() throws {
        let pacer = try Self.pacer(.ramp(from: .zero, to: .perSecond(4000)), seconds: 100, seed: 5)
        let dues = try Self.dues(pacer)
        #expect(dues.count == 200_000)
        // A quarter of the area lies before half of the time; 200,000 points leave a standard error of 194.
        let early = dues.count { $0 < 50 * Nanoseconds.second }
        #expect(abs(early - 50_000) < 800)
        #expect(early != 50_000)
    }

    @Test("The same seed gives the same arrivals, another seed others")
    func seeds() throws {
        let shape = PhaseShape.constant(.total(.perSecond(1000)))
        let first = try Self.dues(try Self.pacer(shape, seconds: 2, seed: 1))
        #expect(try Self.dues(try Self.pacer(shape, seconds: 2, seed: 1)) == first)
        let second = try Self.dues(try Self.pacer(shape, seconds: 2, seed: 2))
        #expect(zip(first, second).count { $0 == $1 } < 10)
        // Pinned, so that a change of the scheme, which changes every plan, is noticed.
        #expect(first[..<3] == [1_454_970, 4_045_412, 5_364_966])
    }

    @Test("2^39 arrivals over a day: any of them at once")
    func huge() throws {
        let pacer = try Self.pacer(.constant(.total(.perSecond(6_362_914))), seconds: 86_400, seed: 9)
        let middle = pacer.due(of: pacer.count / 2)
        // The middle of N points in a span T has a standard deviation of T / (2 sqrt(N)): 58 milliseconds.
        #expect(abs(middle - Nanoseconds.day / 2) < 4 * 58_300_000)
        #expect(pacer.due(of: 0) < 2000 && pacer.due(of: pacer.count - 1) > Nanoseconds.day - 2000)
        let n = pacer.count / 3
        #expect(pacer.due(of: n) <= pacer.due(of: n + 1))
    }

    @Test(
        "Beta-distributed shares have their mean and variance",
        arguments: [(256, 256), (256, 300), (1000, 257), (5, 2), (1e9, 2e9)] as [(Double, Double)]
    )
    func beta(first: Double, second: Double) {
        var random = RandomStream(seed: 77)
        let draws = 20_000
        let values = (0..<draws).map { _ in random.beta(first, second) }
        let sum = first + second
        let mean = first / sum
        let variance = first * second / (sum * sum * (sum + 1))
        let sampleMean = values.reduce(0, +) / Double(draws)
        let sampleVariance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(draws)
        #expect(abs(sampleMean - mean) < 4 * (variance / Double(draws)).squareRoot())
        #expect(abs(sampleVariance / variance - 1) < 0.05)
    }
}

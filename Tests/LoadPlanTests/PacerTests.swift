import Testing

@testable import LoadPlan

@Suite("Pacers: from a push's number to its due time and back")
struct PacerTests {
    private static let second = Nanoseconds.second

    private static func pacer(_ shape: PhaseShape, _ duration: Int64) throws -> Pacer {
        try split(shape, duration, weights: [1])[0]
    }

    private static func split(_ shape: PhaseShape, _ duration: Int64, weights: [UInt64]) throws -> [Pacer] {
        var phase = Phase()
        (phase.shape, phase.duration) = (shape, duration)
        return try Pacer.split(#require(try RateLines.total(of: phase)), weights: weights)
    }

    private static func constant(_ rate: Rate) -> PhaseShape { .constant(.total(rate)) }

    @Test("Constant rates at the edges")
    func constantTable() throws {
        let cases: [(rate: Rate, duration: Int64, count: UInt64, dues: [(UInt64, Int64)])] = [
            (.perSecond(10_000), 15 * Self.second, 150_000, [(0, 0), (1, 100_000), (149_999, 14_999_900_000)]),
            // Half a push is left at the end, and its start is within the phase.
            (.perSecond(7), Self.second / 2, 4, [(0, 0), (1, 142_857_142), (2, 285_714_285), (3, 428_571_428)]),
            (.perSecond(1), 1, 1, [(0, 0)]), (.perSecond(10_000), 1_000_000, 10, [(9, 900_000)]),
            (Rate(pushes: 1, nanoseconds: 90 * 1_000_000_000), Self.second, 1, [(0, 0)]),
            (.perSecond(10_000_000), (1 << 40) * 100, 1 << 40, [((1 << 40) - 1, ((1 << 40) - 1) * 100)]),
            // A third of a nanosecond is never rounded twice.
            (Rate(pushes: 3, nanoseconds: 1000), 3 << 40, 9_895_604_650, [(9_895_604_649, 3_298_534_883_000)]),
            (.perSecond(0), Self.second, 0, []),
        ]
        for (rate, duration, count, dues) in cases where rate.isUsable {
            let pacer = try Self.pacer(Self.constant(rate), duration)
            #expect(pacer.count == count)
            for (n, due) in dues { #expect(pacer.due(of: n) == due, "push \(n) at \(rate)") }
        }
    }

    @Test("The n-th due time is exact after a day, at a rate that no binary fraction hits")
    func noDrift() throws {
        let pacer = try Self.pacer(Self.constant(.perSecond(9_999)), Nanoseconds.day)
        #expect(pacer.count == 9_999 * 86_400)
        for n in stride(from: UInt64(0), to: pacer.count, by: 99_991) {
            #expect(pacer.due(of: n) == Int64(UInt128(n) * 1_000_000_000 / 9_999))
        }
    }

    @Test("A ramp's counts are its exact integral")
    func rampIntegral() throws {
        let cases: [(from: Rate, to: Rate, duration: Int64, count: UInt64)] = [
            (.zero, .perSecond(100), 10 * Self.second, 500), (.perSecond(100), .zero, 10 * Self.second, 500),
            (.perSecond(100), .perSecond(300), 10 * Self.second, 2000),
            (.perSecond(100), .perSecond(100), 10 * Self.second, 1000),
            (.zero, .perMinute(600_000), Nanoseconds.hour, 18_000_000),
            (.perSecond(1), .perSecond(2), Self.second, 2), (.zero, .perSecond(1), Self.second, 1),
            (.zero, .perSecond(10_000_000), Nanoseconds.day, 432_000_000_000),
        ]
        for (from, to, duration, count) in cases {
            #expect(try Self.pacer(.ramp(from: from, to: to), duration).count == count)
        }
    }

    @Test("A ramp from zero reaches push n after the root of n")
    func rampFromZero() throws {
        // At 2 pushes a second more each second, the area after t seconds is t^2.
        let pacer = try Self.pacer(.ramp(from: .zero, to: .perSecond(2000)), 1000 * Self.second)
        #expect(pacer.count == 1_000_000)
        for root in [UInt64(0), 1, 2, 3, 500, 999] { #expect(pacer.due(of: root * root) == Int64(root) * Self.second) }
        #expect(pacer.due(of: 2) == 1_414_213_562)
        #expect(pacer.due(of: 3) == 1_732_050_807)
        // And the same backwards: push n + 1 from the end comes the root of n + 1 before the end.
        let falling = try Self.pacer(.ramp(from: .perSecond(2000), to: .zero), 1000 * Self.second)
        #expect(falling.count == 1_000_000)
        #expect(falling.due(of: 999_999) == 999 * Self.second)
        #expect(falling.due(of: 999_998) == 1000 * Self.second - 1_414_213_563)
        #expect(falling.due(of: 0) == 0)
    }

    @Test(
        "Ramps are exact to the nanosecond wherever they are asked",
        arguments: [
            (.zero, .perSecond(9_999), Nanoseconds.day), (.perSecond(9_999), .zero, Nanoseconds.day),
            (.perSecond(10_000_000), .perSecond(9_999_999), Nanoseconds.day),
            (Rate(pushes: 1, nanoseconds: 700_001), .perMinute(600_001), 12_345_678_901),
            (.perSecond(3), .perSecond(1), 1_000_003), (.zero, .perSecond(10_000_000), 1000),
        ] as [(Rate, Rate, Int64)]
    )
    func rampProperty(from: Rate, to: Rate, duration: Int64) throws {
        for (lane, pacer) in try Self.split(.ramp(from: from, to: to), duration, weights: [9, 1, 10]).enumerated() {
            guard let segment = pacer.segments.first, pacer.count > 0 else { continue }
            var numbers = (0..<200).map { scramble(UInt64($0)) % pacer.count }
            numbers += [0, pacer.count / 2, pacer.count - 1]
            for n in numbers {
                let due = pacer.due(of: n)
                let area = UInt128(n) * segment.push + segment.offset
                #expect(Self.isArea(segment, at: due, atMost: area), "lane \(lane), push \(n) is due before \(due)")
                #expect(
                    due == duration - 1 || !Self.isArea(segment, at: due + 1, atMost: area),
                    "lane \(lane), push \(n) is due after \(due)"
                )
            }
        }
    }

    /// Whether the area under a segment's first `time` nanoseconds is at most `area`: as the trapezium's formula has it.
    private static func isArea(_ segment: Segment, at time: Int64, atMost area: UInt128) -> Bool {
        let (a, b, l, t) = (UInt128(segment.from), UInt128(segment.to), UInt128(segment.length), UInt128(time))
        // The rate at t over L, then the mean of both ends, times t, all over 2 Q L.
        let rate = a * (l - t) + b * t
        return product(UInt64(t), a * l + rate) <= product(UInt64(l), area)
    }

    @Test("Steps and spikes")
    func stepsAndSpikes() throws {
        let steps = try Self.pacer(.steps(from: .perSecond(10), to: .perSecond(40), count: 4), 8 * Self.second)
        #expect(steps.count == 200)
        #expect(steps.due(of: 19) == 1_900_000_000)
        #expect(steps.due(of: 20) == 2 * Self.second)
        #expect(steps.due(of: 21) == 2_050_000_000)
        #expect(steps.due(of: 199) == 7_975_000_000)
        // Levels of a third of the phase: nothing is lost at their borders.
        let thirds = try Self.pacer(.steps(from: .perSecond(3), to: .perSecond(1), count: 3), Self.second)
        #expect(thirds.count == 2)
        #expect((0..<2).map(thirds.due) == [0, 333_333_333])
        let spike = try Self.pacer(
            .spike(base: .perSecond(1), peak: .perSecond(100), at: 2 * Self.second, length: Self.second),
            5 * Self.second
        )
        #expect(spike.count == 104)
        #expect(spike.due(of: 2) == 2 * Self.second && spike.due(of: 3) == 2_010_000_000)
        #expect(spike.due(of: 102) == 3 * Self.second && spike.due(of: 103) == 4 * Self.second)
        let lonely = try Self.pacer(
            .spike(base: .zero, peak: .perSecond(100), at: 0, length: Self.second),
            5 * Self.second
        )
        #expect(lonely.count == 100 && lonely.due(of: 99) == 990_000_000)
    }

    @Test("Lanes split a rate exactly, and their counts sum to the whole")
    func lanes() throws {
        let split = try Self.split(Self.constant(.perSecond(10_000)), 15 * Self.second, weights: [9, 1, 10])
        #expect(split.map(\.count) == [67_500, 7_500, 75_000])
        #expect(split[0].due(of: 67_499) == Int64(67_499 * 1_000_000_000 / 4500))
        let shapes: [PhaseShape] = [
            Self.constant(.perSecond(1)), Self.constant(.perSecond(7)), Self.constant(.perSecond(9_999)),
            .ramp(from: .zero, to: .perSecond(37)), .steps(from: .perSecond(2), to: .perSecond(5), count: 3),
            .spike(base: .perSecond(1), peak: .perSecond(31), at: 100, length: 77_777_777),
        ]
        for shape in shapes {
            for duration in [1, 1000, 333_333_333, Self.second, 7 * Self.second + 1] where duration > 77_777_877 {
                let whole = try Self.pacer(shape, duration).count
                for weights in [[9, 1, 10], [0, 1, 2], [1, 0, 0], [3333, 3333, 3334], [7, 11, 13]] as [[UInt64]] {
                    let counts = try Self.split(shape, duration, weights: weights).map(\.count)
                    #expect(counts.reduce(0, +) == whole, "\(shape) for \(duration) ns by \(weights)")
                }
            }
        }
    }

    @Test("Counting and due times are each other's inverse")
    func inverse() throws {
        let shapes: [PhaseShape] = [
            Self.constant(.perSecond(9_999)), .ramp(from: .perSecond(10), to: .perSecond(2_000)),
            .steps(from: .perSecond(100), to: .perSecond(3_000), count: 7),
        ]
        for shape in shapes {
            let even = try Self.split(shape, Self.second, weights: [2, 3])[1]
            for pacer in [even, even.withPoissonArrivals(seed: 5)] {
                #expect(pacer.count(atElapsed: -1) == 0)
                #expect(pacer.count(atElapsed: Self.second - 1) == pacer.count)
                var before: Int64 = 0
                for n in 0..<pacer.count where n % 17 == 0 || n + 1 == pacer.count {
                    let due = pacer.due(of: n)
                    #expect(before <= due && due < Self.second)
                    #expect(pacer.count(atElapsed: due) > n)
                    #expect(pacer.count(atElapsed: due - 1) <= n)
                    before = due
                }
            }
        }
    }

    @Test("Rates that have no common denominator are refused, not rounded")
    func tooFine() {
        let odd = Rate(pushes: 1, nanoseconds: 1_000_000_007)
        let other = Rate(pushes: 1, nanoseconds: 1_000_000_000_039)
        #expect(throws: RateLines.TooFine.self) { try Self.pacer(.ramp(from: odd, to: other), Self.second) }
        #expect(throws: RateLines.TooFine.self) { try Self.pacer(Self.constant(Rate(pushes: 1, nanoseconds: 1)), 1) }
        #expect(throws: RateLines.TooFine.self) {
            try Self.split(Self.constant(odd), Self.second, weights: [1 << 40, 1])
        }
    }
}

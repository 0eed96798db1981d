import Testing

@testable import LoadPlan

@Suite("Quantities")
struct QuantityTests {
    @Test(
        "Whole numbers",
        arguments: [
            ("0", 0), ("42", 42), ("1_000_000", 1_000_000), ("600k", 600_000), ("2.5M", 2_500_000),
            ("18446744073709551615", .max), ("1.0", 1), ("", nil), ("_1", nil), ("1_", nil), ("1__0", nil),
            ("1.5", nil),
            ("-1", nil), ("18446744073709551616", nil), ("1e3", nil), ("1 000", nil), ("1.", nil), ("0.0001k", nil),
            ("٣", nil), ("k", nil), ("20000000000000000k", nil),
        ] as [(String, UInt64?)]
    )
    func whole(text: String, expected: UInt64?) {
        #expect(Quantity.whole(text) == expected)
    }

    @Test(
        "Times",
        arguments: [
            ("250ms", 250_000_000), ("5s", 5_000_000_000), ("10m", 600_000_000_000), ("10min", 600_000_000_000),
            ("1h", 3_600_000_000_000), ("1d", 86_400_000_000_000), ("1.5s", 1_500_000_000),
            ("1h30m", 5_400_000_000_000),
            ("0s", 0), ("7us", 7000), ("3ns", 3), ("1_000ms", 1_000_000_000), ("", nil), ("5", nil), ("s", nil),
            ("5 s", nil), ("-5s", nil), ("5S", nil), ("1s1s", nil), ("1m1h", nil), ("0.5ns", nil), ("1e3s", nil),
            ("999999999999d", nil), ("5s!", nil),
        ] as [(String, Int64?)]
    )
    func duration(text: String, expected: Int64?) {
        #expect(Quantity.duration(text) == expected)
    }

    @Test(
        "Rates",
        arguments: [
            ("10000/s", Rate.perSecond(10_000)), ("10_000/s", .perSecond(10_000)), ("600k/min", .perSecond(10_000)),
            ("600k/m", .perSecond(10_000)), ("0.5/s", Rate(pushes: 1, nanoseconds: 2_000_000_000)),
            ("1.5k/s", .perSecond(1500)), ("36/h", Rate(pushes: 1, nanoseconds: 100_000_000_000)),
            ("3/250ms", .perSecond(12)), ("1/90s", Rate(pushes: 1, nanoseconds: 90_000_000_000)), ("0/s", .zero),
            ("10000", nil), ("/s", nil), ("10/", nil), ("10/0s", nil), ("10/x", nil), ("ten/s", nil), ("-1/s", nil),
            ("10/s/s", nil), ("10 /s", nil), ("18446744073709551615M/s", nil),
        ] as [(String, Rate?)]
    )
    func rate(text: String, expected: Rate?) {
        #expect(Quantity.rate(text) == expected)
    }

    @Test("A time's text reads back to the same time")
    func durationRoundTrip() {
        let expected: [(Int64, String)] = [
            (0, "0s"), (1, "1ns"), (1000, "1us"), (250_000_000, "250ms"), (5_000_000_000, "5s"),
            (90_000_000_000, "90s"), (600_000_000_000, "10m"), (5_400_000_000_000, "90m"), (86_400_000_000_000, "1d"),
            (1_234_567_891, "1234567891ns"),
        ]
        for (nanoseconds, text) in expected {
            #expect(Quantity.text(duration: nanoseconds) == text)
            #expect(Quantity.duration(text) == nanoseconds)
        }
    }

    @Test("A rate's text reads back to the same rate")
    func rateRoundTrip() {
        let expected: [(Rate, String)] = [
            (.perSecond(10_000), "10000/s"), (Rate(pushes: 1, nanoseconds: 2_000_000_000), "30/min"),
            (Rate(pushes: 1, nanoseconds: 100_000_000_000), "36/h"), (.zero, "0/s"),
            (Rate(pushes: 1, nanoseconds: 7_000_000_000), "1/7s"), (Rate(pushes: 3, nanoseconds: 700), "3/700ns"),
        ]
        for (rate, text) in expected {
            #expect(Quantity.text(rate) == text)
            #expect(Quantity.rate(text) == rate)
        }
    }
}

import Histogram
import Testing

@testable import Report

@Suite("Numbers as text")
struct NumberTextTests {
    @Test(
        arguments: [
            (20_480_000, "20480.000"), (1, "0.001"), (0, "0.000"), (-1_500, "-1.500"),
            (Int64.max, "9223372036854775.807"),
        ] as [(Int64, String)]
    )
    func microseconds(nanoseconds: Int64, text: String) {
        #expect(FixedDecimal.microseconds(nanoseconds).description == text)
    }

    @Test(
        arguments: [
            (0, "0.000000"), (1_499, "0.000001"), (1_500, "0.000002"), (-1_500, "-0.000002"),
            (15_000_000_000, "15.000000"),
        ] as [(Int64, String)]
    )
    func seconds(nanoseconds: Int64, text: String) {
        #expect(FixedDecimal.seconds(nanoseconds).description == text)
    }

    @Test(
        arguments: [
            (149_999, 15_000_000_000, "9999.933"), (0, 1, "0.000"), (1, 0, nil),
            (UInt64.max, 1, "18446744073709551615000000000.000"),
        ] as [(UInt64, Int64, String?)]
    )
    func perSecond(count: UInt64, nanoseconds: Int64, text: String?) {
        #expect(FixedDecimal.perSecond(count, in: nanoseconds)?.description == text)
    }

    @Test(
        arguments: [
            (2, 3, "0.666667"), (1, 1, "1.000000"), (0, 7, "0.000000"), (1, 0, nil),
        ] as [(UInt64, UInt64, String?)]
    )
    func share(part: UInt64, whole: UInt64, text: String?) {
        #expect(FixedDecimal.share(part, of: whole)?.description == text)
    }

    @Test(
        arguments: [
            (0, "0 ns"), (312, "312 ns"), (999, "999 ns"), (1_000, "1.0 µs"), (9_949, "9.9 µs"), (9_960, "10 µs"),
            (999_499, "999 µs"), (999_500, "1.0 ms"), (1_240_000, "1.2 ms"), (27_451_000, "27 ms"),
            (999_999_999, "1.0 s"), (83_000_000_000, "83 s"), (86_400_000_000_000, "86,400 s"), (-2_500_000, "-2.5 ms"),
        ] as [(Int64, String)]
    )
    func humanTime(nanoseconds: Int64, text: String) {
        #expect(HumanUnits.time(nanoseconds) == text)
    }

    @Test(
        arguments: [
            (0, "0 s"), (500_000_000, "500 ms"), (1_500_000_000, "1.5 s"), (18_000_000_000, "18 s"),
            (90_000_000_000, "90 s"), (600_000_000_000, "10 min"), (86_400_000_000_000, "1440 min"),
        ] as [(Int64, String)]
    )
    func humanDuration(nanoseconds: Int64, text: String) {
        #expect(HumanUnits.duration(nanoseconds) == text)
    }

    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (1_000_000, "1,000,000"),
            (UInt64.max, "18,446,744,073,709,551,615"),
        ] as [(UInt64, String)]
    )
    func humanCount(number: UInt64, text: String) {
        #expect(HumanUnits.count(number) == text)
    }

    @Test(
        arguments: [(0.99, "99%"), (0.995, "99.5%"), (0.9817, "98.17%"), (1, "100%"), (0, "0%")] as [(Double, String)]
    )
    func humanShare(share: Double, text: String) {
        #expect(HumanUnits.percent(share) == text)
    }

    @Test func foreignTextCannotSteerTheTerminal() {
        #expect(HumanUnits.line("a\u{1B}[31mb\nc\u{202E}d") == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d")
        #expect(HumanUnits.line("grün 你好") == "grün 你好")
        #expect(HumanUnits.line("12345678", limit: 5) == "1234…")
    }
}

@Suite("UTC times")
struct UTCTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000000Z"),
            (1_796_030_400_125_000_000, "2026-11-30T09:20:00.125000000Z"),
            (951_827_696_000_000_001, "2000-02-29T12:34:56.000000001Z"),
            (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999999999Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000000Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (Int64.max, "2262-04-11T23:47:16.854775807Z"),
        ] as [(Int64, String)]
    )
    func thereAndBack(nanoseconds: Int64, text: String) {
        #expect(UTCTime(nanoseconds: nanoseconds).description == text)
        #expect(UTCTime(text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-02-30T00:00:00.000000000Z", "2026-11-30T24:00:00.000000000Z",
        "2026-11-30T09:20:00.125000000", "2026-11-30t09:20:00.125000000Z", "9999-11-30T09:20:00.125000000Z",
        "2026-11-30T09:20:00.12500000xZ",
    ])
    func refused(text: String) {
        #expect(UTCTime(text) == nil)
    }

    @Test func folderName() {
        #expect(UTCTime(nanoseconds: 1_796_030_400_125_000_000).compact == "2026-11-30T092000Z")
    }
}

@Suite("Ordered JSON")
struct OrderedJSONTests {
    private struct Inner: Encodable {
        var z: [Int]
        var a: String?
    }

    private struct Outer: Encodable {
        var second: Inner
        var first: [Inner]
        var flag = false
        var number: FixedDecimal?
    }

    private static let value = Outer(
        second: Inner(z: [], a: "say \"hi\"\\\n\u{1}ü"),
        first: [Inner(z: [3, -1], a: nil), Inner(z: [], a: "")],
        number: .microseconds(20_480_000)
    )

    @Test func oneLine() {
        let text = ResultText.collect { OrderedJSON.write(Self.value, to: $0, brokenDepth: 0) }
        let expected =
            #"{"second":{"z":[],"a":"say \"hi\"\\\n\u0001ü"},"first":[{"z":[3,-1]},{"z":[],"a":""}],"flag":false,"#
            + #""number":20480.000}"# + "\n"
        #expect(text == expected)
    }

    @Test func brokenLines() {
        let text = ResultText.collect { OrderedJSON.write(Self.value, to: $0, brokenDepth: 2) }
        let expected = #"""
            {
              "second": {
                "z": [],
                "a": "say \"hi\"\\\n\u0001ü"
              },
              "first": [
                {"z":[3,-1]},
                {"z":[],"a":""}
              ],
              "flag": false,
              "number": 20480.000
            }

            """#
        #expect(text == expected)
    }

    @Test func piecesAreHandedOverInOrder() {
        var pieces: [[UInt8]] = []
        let text = ResultText { pieces.append($0) }
        let line = String(repeating: "x", count: 1_000)
        for _ in 0..<200 { text.append(line) }
        text.flush()
        #expect(pieces.count > 1)
        #expect(pieces.reduce(0) { $0 + $1.count } == 200_000)
    }
}

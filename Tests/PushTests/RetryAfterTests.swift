import Testing

@testable import Push

@Suite("retry-after")
struct RetryAfterTests {
    private func read(_ text: String) -> RetryAfter? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { RetryAfter($0) }
    }

    @Test(
        "Seconds and dates; nothing else",
        arguments: [
            ("0", RetryAfter.seconds(0)), ("120", .seconds(120)), ("999999999", .seconds(999_999_999)),
            ("1234567890", nil), ("", nil), ("-1", nil), ("1.5", nil), ("10 ", nil), ("soon", nil),
            // RFC 9110's own example, the epoch, a leap day, and the day after it.
            ("Sun, 06 Nov 1994 08:49:37 GMT", .date(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .date(0)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", .date(1_709_251_199)),
            ("Fri, 01 Mar 2024 00:00:00 GMT", .date(1_709_251_200)),
            ("Mon, 30 Nov 2026 12:00:00 GMT", .date(1_796_040_000)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 PST", nil),
        ] as [(String, RetryAfter?)]
    )
    func reading(text: String, value: RetryAfter?) {
        #expect(read(text) == value)
    }

    @Test("A wait counts from now, is never negative and at most a day")
    func wait() {
        let second: Int64 = 1_000_000_000
        #expect(RetryAfter.seconds(7).wait(wall: 5 * second) == 7 * second)
        #expect(RetryAfter.date(1000).wait(wall: 990 * second) == 10 * second)
        #expect(RetryAfter.date(1000).wait(wall: 2000 * second) == 0)
        #expect(RetryAfter.seconds(999_999_999).wait(wall: 0) == 86_400 * second)
    }
}

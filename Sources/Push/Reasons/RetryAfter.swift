/// The value of a `retry-after` header: so many seconds, or a date (RFC 9110, section 10.2.3).
package enum RetryAfter: Sendable, Equatable {
    case seconds(Int64)
    /// Seconds since 1970.
    case date(Int64)

    /// Reads a value; nil for anything else, such as a negative number or a date in one of the obsolete forms.
    package init?(_ value: UnsafeRawBufferPointer) {
        if let seconds = Self.number(value[...]) {
            self = .seconds(seconds)
        } else if let date = Self.date(value) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// How many nanoseconds from now, where it is `wall` nanoseconds since 1970; never negative, at most a day.
    package func wait(wall: Int64) -> Int64 {
        let day: Int64 = 86_400
        switch self {
        case .seconds(let seconds): return min(seconds, day) * 1_000_000_000
        case .date(let date): return min(max(0, date - wall / 1_000_000_000), day) * 1_000_000_000
        }
    }

    /// One to nine digits and nothing else.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard (1...9).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 48)
        }
        return number
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that is sent today (RFC 9110, section 5.6.7).
    private static func date(_ value: UnsafeRawBufferPointer) -> Int64? {
        guard value.count == 29, value[26] == UInt8(ascii: "G"), let month = month(value),
            let day = number(value[5..<7]), let year = number(value[12..<16]), let hour = number(value[17..<19]),
            let minute = number(value[20..<22]), let second = number(value[23..<25]),
            (1...31).contains(day), hour < 24, minute < 60, second < 61, year >= 1970
        else { return nil }
        return (days(year: year, month: month, day: day) * 24 + hour) * 3600 + minute * 60 + second
    }

    private static func month(_ value: UnsafeRawBufferPointer) -> Int64? {
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        let known = UnsafeRawBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
        for index in 0..<12 where known[3 * index..<3 * index + 3].elementsEqual(value[8..<11]) {
            return Int64(index) + 1
        }
        return nil
    }

    /// Days from 1970-01-01 in the Gregorian calendar; years begin in March, so that the leap day is their last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

/// A date as HTTP writes it (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that is sent today; nil for anything else.
    ///
    /// - Returns: seconds since 1970.
    package static func seconds(_ value: UnsafeRawBufferPointer) -> Int64? {
        guard value.count == 29, value[26] == UInt8(ascii: "G"), let month = month(value),
            let day = number(value[5..<7]), let year = number(value[12..<16]), let hour = number(value[17..<19]),
            let minute = number(value[20..<22]), let second = number(value[23..<25]),
            (1...31).contains(day), hour < 24, minute < 60, second < 61, year >= 1970
        else { return nil }
        return (days(year: year, month: month, day: day) * 24 + hour) * 3600 + minute * 60 + second
    }

    /// One to nine digits and nothing else.
    static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard (1...9).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 48)
        }
        return number
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

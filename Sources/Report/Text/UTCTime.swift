/// A wall-clock time in UTC, to the nanosecond, as ISO 8601 text and back.
///
/// Foundation's dates are floating-point seconds and lose the last digits of a nanosecond count; a record must come back
/// from its file exactly as it went in.
package struct UTCTime: Sendable, Equatable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted, as the system clock has it.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads `2026-11-30T09:20:00.123456789Z`; nil for any other shape or a date that no calendar has.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let shape = Array("0000-00-00T00:00:00.000000000Z".utf8)
        guard bytes.count == shape.count else { return nil }
        var numbers: [Int64] = [0]
        for (byte, expected) in zip(bytes, shape) {
            if expected == UInt8(ascii: "0") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
            } else {
                guard byte == expected else { return nil }
                numbers.append(0)
            }
        }
        let days = Self.days(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
        let (whole, overflow) = (days * 86_400 + seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        self.init(nanoseconds: whole + numbers[6])
        // A 31st of February would come back as a day in March.
        guard description == text else { return nil }
    }

    /// As in a folder's name: `2026-11-30T092000Z`.
    package var compact: String {
        let text = description
        return text.prefix(11) + text.dropFirst(11).prefix(8).filter { $0 != ":" } + "Z"
    }

    /// Days since 1970 of a date in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms":
    /// years begin in March, so that the leap day is the last of its year).
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of `days`.
    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension UTCTime: CustomStringConvertible {
    package var description: String {
        let second = 1_000_000_000 as Int64
        let day = 86_400 * second
        let days = nanoseconds >= 0 ? nanoseconds / day : (nanoseconds - day + 1) / day
        let rest = nanoseconds - days * day
        let date = Self.date(days: days)
        func padded(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let clock = rest / second
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(clock / 3_600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
            + ".\(padded(rest % second, 9))Z"
    }
}

extension UTCTime: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = UTCTime(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "is not a UTC time such as 2026-11-30T09:20:00.000000000Z"
            )
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

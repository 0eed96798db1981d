/// Writes dates as HTTP does: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Every date has as many characters.
    package static let length = 29

    private static let days: [StaticString] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Writes a time of the years 1970 to 9999, in seconds since 1970, into at least ``length`` bytes.
    package static func write(_ seconds: Int64, into buffer: UnsafeMutableRawBufferPointer) {
        let (day, time) = (seconds / 86_400, seconds % 86_400)
        let date = civil(day)
        var writer = ByteWriter(buffer)
        writer.append(days[Int(day % 7)])
        writer.append(", ")
        writer.append(twoDigits: date.day)
        writer.append(" ")
        writer.append(months[Int(date.month) - 1])
        writer.append(" ")
        writer.append(decimal: date.year)
        writer.append(" ")
        writer.append(twoDigits: time / 3600)
        writer.append(":")
        writer.append(twoDigits: time / 60 % 60)
        writer.append(":")
        writer.append(twoDigits: time % 60)
        writer.append(" GMT")
    }

    /// Writes a number of seconds, as Retry-After may have it too; returns its length, at most 19.
    package static func write(seconds: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var writer = ByteWriter(buffer)
        writer.append(decimal: seconds)
        return writer.count
    }

    /// The date of a day since 1970, counted in years that begin in March, which puts the leap day at the end.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let isLate = month >= 10
        return (era * 400 + year + (isLate ? 1 : 0), isLate ? month - 9 : month + 3, ofYear - (153 * month + 2) / 5 + 1)
    }
}

extension ByteWriter {
    fileprivate mutating func append(twoDigits value: Int64) {
        if value < 10 { append("0") }
        append(decimal: value)
    }
}

/// The value of a `retry-after` header: so many seconds, or a date (RFC 9110, section 10.2.3).
package enum RetryAfter: Sendable, Equatable {
    case seconds(Int64)
    /// Seconds since 1970.
    case date(Int64)

    /// Reads a value; nil for anything else, such as a negative number or a date in one of the obsolete forms.
    package init?(_ value: UnsafeRawBufferPointer) {
        if let seconds = HTTPDate.number(value[...]) {
            self = .seconds(seconds)
        } else if let date = HTTPDate.seconds(value) {
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
}

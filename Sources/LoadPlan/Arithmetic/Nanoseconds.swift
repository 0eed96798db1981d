/// Spans of time in nanoseconds.
package enum Nanoseconds {
    package static let microsecond: Int64 = 1000
    package static let millisecond: Int64 = 1_000_000
    package static let second: Int64 = 1_000_000_000
    package static let minute: Int64 = 60 * second
    package static let hour: Int64 = 60 * minute
    package static let day: Int64 = 24 * hour
}

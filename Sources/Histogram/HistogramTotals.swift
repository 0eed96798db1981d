/// What is known exactly about all recorded values, whatever the width of their buckets.
@usableFromInline
package struct HistogramTotals: Sendable, Equatable {
    /// How many values were recorded.
    @usableFromInline package internal(set) var count: UInt64 = 0

    /// The sum of all values.
    ///
    /// 128 bits, because a billion pushes each ten seconds late pass 2^63 ns.
    @usableFromInline package internal(set) var sum: UInt128 = 0

    /// How many of the values were above the range (24 h): counted in the last bucket, and here.
    @usableFromInline package internal(set) var overflowed: UInt64 = 0

    /// `Int64.max` while nothing was recorded, so that recording needs no test for the first value.
    @usableFromInline var smallest: Int64 = .max

    @usableFromInline var largest: Int64 = 0

    @inlinable
    init() {}

    /// The smallest value recorded, exactly as recorded; 0 when there is none.
    package var min: Int64 { count == 0 ? 0 : smallest }

    /// The largest value recorded, exactly as recorded; 0 when there is none.
    package var max: Int64 { largest }

    /// The mean of the values as recorded (not of their buckets); 0 when there is none.
    package var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    @inlinable
    @inline(__always)
    mutating func record(_ value: Int64) {
        count &+= 1
        sum &+= UInt128(truncatingIfNeeded: value)
        smallest = Swift.min(smallest, value)
        largest = Swift.max(largest, value)
        if value > BucketLayout.highestValue { overflowed &+= 1 }
    }

    mutating func record(_ value: Int64, times: UInt64) {
        count &+= times
        sum &+= UInt128(value) &* UInt128(times)
        smallest = Swift.min(smallest, value)
        largest = Swift.max(largest, value)
        if value > BucketLayout.highestValue { overflowed &+= times }
    }

    mutating func merge(_ other: HistogramTotals) {
        count &+= other.count
        sum &+= other.sum
        overflowed &+= other.overflowed
        smallest = Swift.min(smallest, other.smallest)
        largest = Swift.max(largest, other.largest)
    }
}

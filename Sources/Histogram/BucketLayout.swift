/// Where a value is counted: the bucket arithmetic of HdrHistogram for three significant digits and a unit of 1 ns.
///
/// Values below 2,048 have a bucket each. Above that every power of two is cut into 1,024 buckets, so a bucket is never
/// wider than 1/1,024 of the values in it. Same buckets as the reference's with (lowest 1, highest 24 h, 3 digits):
///
///     value                 bucket    values that share it
///     0                          0    0
///     2,047                  2,047    2,047
///     2,048                  2,048    2,048 ... 2,049
///     1,000,000             11,169    999,936 ... 1,000,447
///     24 h                  38,121    24 h less 35 s ... 24 h plus 33 s, and everything above
@usableFromInline
package enum BucketLayout {
    /// Buckets per power of two; half of the values that have a bucket of their own.
    @usableFromInline static let halfCount = 1_024

    /// Its binary logarithm.
    @usableFromInline static let halfCountMagnitude = 10

    /// The highest value told apart from larger ones: 24 hours in nanoseconds.
    @usableFromInline package static let highestValue: Int64 = 86_400_000_000_000

    /// The bucket that holds `highestValue` and everything above it.
    @usableFromInline static let lastIndex = 38_121

    /// Digits kept of every value, as the encodings state it.
    static let significantDigits: UInt32 = 3

    /// The binary logarithm of the number of values that share a bucket with `value`: 0 below 2,048.
    @inlinable
    @inline(__always)
    static func magnitude(of value: Int64) -> Int64 {
        53 &- Int64(truncatingIfNeeded: (value | 2_047).leadingZeroBitCount)
    }

    /// The bucket that counts `value`, which must not be negative.
    @inlinable
    @inline(__always)
    static func index(of value: Int64) -> Int {
        guard value <= highestValue else { return lastIndex }
        let magnitude = magnitude(of: value)
        return Int(truncatingIfNeeded: (magnitude &<< Int64(halfCountMagnitude)) &+ (value &>> magnitude))
    }

    /// The smallest value counted in a bucket.
    static func lowestValue(at index: Int) -> Int64 {
        index < 2 * halfCount ? Int64(index) : Int64(index % halfCount + halfCount) << magnitude(at: index)
    }

    /// The largest value counted in a bucket; for the last one, of those in range.
    static func highestValue(at index: Int) -> Int64 {
        lowestValue(at: index) + (1 << magnitude(at: index)) - 1
    }

    /// The middle of a bucket as the reference takes it: the lowest value plus half the number of values.
    static func middleValue(at index: Int) -> Int64 {
        lowestValue(at: index) + (1 << magnitude(at: index)) / 2
    }

    private static func magnitude(at index: Int) -> Int64 {
        Int64(max(0, index / halfCount - 1))
    }
}

/// Pushes per time as an exact fraction: `pushes` in every `nanoseconds`, in lowest terms.
///
/// No rate is ever a floating-point number, so the n-th due time of a plan is the same after a second and after hours.
package struct Rate: Sendable, Equatable {
    package let pushes: UInt64
    /// Never zero.
    package let nanoseconds: UInt64

    /// A rate in lowest terms.
    ///
    /// Precondition: `nanoseconds` is not zero.
    package init(pushes: UInt64, nanoseconds: UInt64) {
        precondition(nanoseconds > 0, "Rate: no time for \(pushes) pushes")
        let divisor = greatestCommonDivisor(pushes, nanoseconds)
        self.pushes = pushes / divisor
        self.nanoseconds = nanoseconds / divisor
    }

    package static let zero = Rate(pushes: 0, nanoseconds: 1)
    package static func perSecond(_ pushes: UInt64) -> Rate { Rate(pushes: pushes, nanoseconds: 1_000_000_000) }
    package static func perMinute(_ pushes: UInt64) -> Rate { Rate(pushes: pushes, nanoseconds: 60_000_000_000) }

    /// For display only.
    package var perSecond: Double { Double(pushes) / Double(nanoseconds) * 1e9 }
}

/// Euclid's algorithm; the greatest common divisor of 0 and n is n.
func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (larger, smaller) = (first, second)
    while smaller != 0 {
        (larger, smaller) = (smaller, larger % smaller)
    }
    return larger
}

extension Rate {
    /// The highest rate that a profile may ask for; far above what one machine can send.
    package static let highest = Rate.perSecond(10_000_000)

    /// Whether the rate is at most ``highest`` and its fraction is coarse enough for exact plans.
    var isUsable: Bool {
        guard nanoseconds <= 1 << 50 else { return false }
        let (left, overflow) = pushes.multipliedReportingOverflow(by: Rate.highest.nanoseconds)
        return !overflow && left <= nanoseconds * Rate.highest.pushes
    }
}

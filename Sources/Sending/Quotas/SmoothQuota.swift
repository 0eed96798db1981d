package import LoadPlan

/// A leaky bucket: pushes leave at an even pace.
///
/// A worker that woke late may catch up with ``slack``, so that a busy machine doesn't send less than the quota; there is
/// no other credit for times in which none was due.
package struct SmoothQuota: Sendable, Equatable {
    package static let slack = 10 * Nanoseconds.millisecond

    private let interval: Int64
    /// When the next push leaves at an even pace; `Int64.min` before the first.
    private var next = Int64.min

    /// - Parameter parts: how many workers share the quota.
    package init(_ section: QuotaSection, parts: Int) {
        let pushes = Double(section.limit) * (1 - section.reserve) / Double(parts)
        // Rounded up: never faster than asked.
        interval = Int64((Double(section.per) / pushes).rounded(.up))
    }

    /// Asks for one push: the time from which it may go; at or before `now` it was given.
    package mutating func take(at now: Int64) -> Int64 {
        guard next <= now else { return next }
        next = (next == .min ? now : max(next, now - Self.slack)) + interval
        return now
    }
}

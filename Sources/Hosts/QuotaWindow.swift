/// A limit that is refilled in full at the start of each window of time.
///
/// The windows are all of one length and not aligned to the clock: their phase is the quota's own. So a burst may
/// spend a whole window's worth in a moment, and then nothing goes through until the next one begins.
///
/// Source: Firebase, "Throttling and quotas".
package struct QuotaWindow: Sendable, Equatable {
    /// A limit and what it is counted over.
    package struct Limit: Sendable, Equatable {
        package var most: Int
        /// In nanoseconds.
        package var window: Int64

        package init(_ most: Int, per window: Int64) {
            precondition(most >= 0 && window > 0, "a quota of \(most) in \(window) ns")
            self.most = most
            self.window = window
        }
    }

    package let limit: Limit
    /// Where in each multiple of the window's length a window begins, in nanoseconds.
    package let phase: Int64
    private var end = Int64.min
    /// How much of this window is spent.
    package private(set) var used = 0

    package init(_ limit: Limit, phase: Int64 = 0) {
        self.limit = limit
        self.phase = phase % limit.window
    }

    /// Spends one; false if this window has none left.
    @inline(__always)
    package mutating func take(at now: Int64) -> Bool {
        if now >= end { begin(at: now) }
        guard used < limit.most else { return false }
        used &+= 1
        return true
    }

    /// How long it takes from `now` until the next window begins, in nanoseconds.
    package func untilRefill(at now: Int64) -> Int64 { max(0, end - now) }

    private mutating func begin(at now: Int64) {
        let since = now - phase
        let index = since >= 0 ? since / limit.window : (since + 1) / limit.window - 1
        end = (index + 1) * limit.window + phase
        used = 0
    }
}

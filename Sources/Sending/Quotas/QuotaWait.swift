/// Adds up how long a lane's quota keeper has held its backlog up, so that each push's own wait for the quota is a
/// difference of two readings.
package struct QuotaWait: Sendable, Equatable {
    private var total: Int64 = 0
    private var since: Int64?

    package init() {}

    /// The push whose turn it is has to wait for the quota.
    package mutating func blocked(at now: Int64) {
        if since == nil { since = now }
    }

    /// It has to wait no more.
    package mutating func opened(at now: Int64) {
        guard let since else { return }
        total += max(0, now - since)
        self.since = nil
    }

    /// Nanoseconds until now.
    package func reading(at now: Int64) -> Int64 {
        guard let since else { return total }
        return total + max(0, now - since)
    }
}

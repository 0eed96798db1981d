/// How a lane keeps below its host's quotas by itself.
package struct QuotaSection: Sendable, Equatable {
    package var keeper: QuotaKeeping = .none
    /// Pushes in each `per`; 600,000 a minute is an FCM project's.
    package var limit = 600_000
    /// Nanoseconds.
    package var per = Nanoseconds.minute
    /// The share of the quota that is left unused.
    package var reserve = 0.01
    /// At most two limits for each device; FCM's are 240 a minute and 5,000 an hour.
    package var perDevice: [DeviceLimit] = []
    /// For messages with a collapse key, to each device; FCM's is 20 at once, then one in three minutes.
    package var collapsible: CollapsibleLimit?
    /// How many devices are remembered.
    package var devices = 65_536

    package init() {}
}

/// How the quota is kept.
package enum QuotaKeeping: String, Sendable, Equatable, CaseIterable {
    case none
    /// At an even pace.
    case smooth
    /// As fast as pushes come, up to the limit in each window.
    case window
}

/// So many pushes to one device in so many nanoseconds.
package struct DeviceLimit: Sendable, Equatable {
    package var limit: Int
    package var per: Int64

    package init(limit: Int, per: Int64) {
        self.limit = limit
        self.per = per
    }
}

/// So many pushes to one device at once, then one in every so many nanoseconds.
package struct CollapsibleLimit: Sendable, Equatable {
    package var burst: Int
    package var every: Int64

    package init(burst: Int, every: Int64) {
        self.burst = burst
        self.every = every
    }
}

/// What a plan is asked that a run is not: how many, by when, with what is left of the quotas, and at what cost.
///
/// `run` takes no notice of it, so that one file can be planned and run.
package struct CampaignSection: Sendable, Equatable {
    /// How many pushes; nil: one for each device of the fleet.
    package var devices: UInt64?
    /// The even rate at which they fall due.
    package var rate: Rate?
    /// When the last one is to be answered, in nanoseconds from the start; without a rate, pushes are spread over it.
    package var deadline: Int64?
    /// The FCM project's quota; nil: the mock hosts'.
    package var quota: DeviceLimit?
    /// The share of the FCM project's quota that other traffic uses already.
    package var quotaUsed = 0.0
    /// Whether a rate above what is left of the quota is an error.
    package var withinQuota = false
    /// How long after the start the quota is first refilled, in nanoseconds; nil: nobody knows, so it differs by seed.
    package var quotaPhase: Int64?
    /// The way to the hosts and back, in nanoseconds.
    package var roundTrip: Int64 = 0
    /// What a push costs a worker, in nanoseconds of CPU; nil: not known, so that no worker is ever busy.
    package var cpuPerPush: Int64?
    /// Bytes on the wire for each attempt; nil: estimated from the messages.
    package var bytesPerPush: BytesPerPush?
    /// What is added to connections and streams beyond Little's law, as a share.
    package var margin = 0.25
    /// How often the campaign is simulated; nil: as often as its size allows.
    package var seeds: Int?

    package init() {}

    /// Whether the campaign says itself what falls due when; else the profile's load does.
    package var hasLoad: Bool { devices != nil || rate != nil || deadline != nil }
}

/// Bytes on the wire for one attempt, TLS included.
package struct BytesPerPush: Sendable, Equatable {
    package var out: Int
    package var `in`: Int

    package init(out: Int, in: Int) {
        self.out = out
        self.in = `in`
    }
}

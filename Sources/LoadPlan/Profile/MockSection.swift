/// How the mock hosts behave.
package struct MockSection: Sendable, Equatable {
    package var policy: MockPolicy = .faithful
    /// From a request's end to its answer, unless the lane has its own in `serviceTimes`.
    package var serviceTime: Distribution = .lognormal(
        median: 20 * Nanoseconds.millisecond,
        p99: 30 * Nanoseconds.millisecond
    )
    /// Service times of single lanes, by lane name.
    package var serviceTimes: [String: Distribution] = [:]
    /// SETTINGS_MAX_CONCURRENT_STREAMS by lane name; see ``streamLimit(of:)`` for the others.
    package var streamLimits: [String: Int] = [:]
    /// The streams that an APNs connection may have until a provider token was accepted on it.
    package var unauthenticatedStreamLimit = 1
    /// Divides the provider tokens' 20 and 60 minutes and the OAuth tokens' lifetime, so that a refresh shows within
    /// seconds; 1: real time.
    package var tokenClockScale = 1
    /// What goes wrong, and when.
    package var faults: [Fault] = []

    package init() {}

    /// What divides the lives of tokens: a fault's word, or the section's own.
    package var tokenScale: Int64 {
        faults.last { $0.knob == .tokenClock }?.number() ?? Int64(max(1, tokenClockScale))
    }

    /// How far the hosts' clock is ahead, in nanoseconds.
    package var clockSkew: Int64 {
        (faults.last { $0.knob == .clockSkew }?.number() ?? 0) * Nanoseconds.second
    }

    package func serviceTime(of lane: String) -> Distribution { serviceTimes[lane] ?? serviceTime }

    /// 1,000 for APNs and 100 for FCM unless the profile says otherwise: what senders have seen of the real hosts.
    package func streamLimit(of lane: String) -> Int {
        streamLimits[lane] ?? (LaneName.isAPNs(lane) ? 1000 : 100)
    }
}

/// How a mock host decides on its answers.
package enum MockPolicy: String, Sendable, Equatable, CaseIterable {
    /// Checks everything that the real host checks.
    case faithful
    /// Accepts everything at once: for finding the generator's own ceiling.
    case canned
}

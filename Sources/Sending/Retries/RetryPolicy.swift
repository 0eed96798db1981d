package import Fleet
package import LoadPlan

/// Decides whether, and when, a push that was not taken is tried again.
///
/// A wait is a floor plus exponential back-off with full jitter. The floors are the services' own rules:
/// - FCM: 10 seconds; 60 for a 429 without `retry-after` (Firebase, "Best practices when sending FCM messages at scale").
/// - APNs: 15 minutes after a 5xx (Apple, "Handling notification responses from APNs").
/// - Either: what `retry-after` says, where that is longer than the service's floor or there is none.
///
/// `clockScale` of the profile divides the floors and the back-off, not what a host says in `retry-after`.
package struct RetryPolicy: Sendable, Equatable {
    /// How an attempt ended that may be tried again.
    package enum Ending: Sendable, Equatable {
        /// With an answer whose disposition is `retryLater`.
        ///
        /// `retryAfter` is the header's wait in nanoseconds; nil without one.
        case answered(status: Int, retryAfter: Int64?)
        /// Without one: the host may have taken the push, so trying again may deliver it twice.
        case failed(LocalFailure)
    }

    /// FCM gives a message up about an hour after it was due.
    private static let fcmLifetime = 60 * Nanoseconds.minute

    private let provider: Provider
    private let attempts: Int
    private let causes: [RetryCause]
    private let backoff: Backoff
    private let scale: Int64

    package init(_ section: RetrySection, provider: Provider) {
        self.provider = provider
        attempts = section.attempts
        causes = section.on
        scale = Int64(section.clockScale)
        backoff = Backoff(first: max(1, section.first / scale), longest: max(1, section.longest / scale))
    }

    /// Whether anything is ever tried again.
    package var isActive: Bool { attempts > 1 }

    /// When the push is to be tried again; nil where the ending counts.
    ///
    /// - Parameters:
    ///   - attempts: how many times it was tried.
    ///   - due: when the plan wanted it.
    ///   - end: when the run ends; no retry outlives it.
    package func retry(
        after ending: Ending,
        attempts: Int,
        due: Int64,
        at now: Int64,
        end: Int64,
        jitter: UInt64
    ) -> Int64? {
        guard attempts < self.attempts, covers(ending) else { return nil }
        let at = now + floor(ending) + backoff.wait(attempts - 1, jitter)
        let last = provider == .fcm ? min(end, due + Self.fcmLifetime / scale) : end
        return at < last ? at : nil
    }

    private func covers(_ ending: Ending) -> Bool {
        switch ending {
        case .answered: causes.contains(.retryLater)
        case .failed(.timedOut): causes.contains(.timedOut)
        case .failed(.streamReset): causes.contains(.streamReset)
        case .failed(.connectionLost): causes.contains(.connectionLost)
        // Streams that were refused are tried again without being asked; see `RetryRule`.
        case .failed: false
        }
    }

    private func floor(_ ending: Ending) -> Int64 {
        let least = provider == .fcm ? 10 * Nanoseconds.second / scale : 0
        guard case .answered(let status, let retryAfter) = ending else { return least }
        if let retryAfter { return max(retryAfter, least) }
        switch provider {
        case .fcm: return status == 429 ? 60 * Nanoseconds.second / scale : least
        case .apns: return (500...599).contains(status) ? 15 * Nanoseconds.minute / scale : least
        }
    }
}

/// How FCM writes its refusals where senders have seen it differ.
package struct FCMBodyStyle: Sendable, Equatable {
    /// Whether `details` begins with the FcmError, as eladnava/fcm-v1-http2 takes for granted; else it ends with it, as
    /// bodies posted in public reports do.
    package var putsFcmErrorFirst = false
    /// Whether a 429 of the messaging service says in a QuotaFailure which of its quotas is spent.
    package var tellsQuotaFailure = true

    package init() {}
}

extension FCMHost {
    /// How the host differs from another one, and its limits.
    package struct Configuration: Sendable {
        /// The project that the access tokens may send for.
        package var projectID: String
        /// The same project's number, which a path may name instead.
        package var projectNumber = "123456789012"
        package var seed: UInt64
        /// What the project may send: 600,000 in a minute; nil for no limit.
        ///
        /// Source: Firebase, "Throttling and quotas".
        package var quota: QuotaWindow.Limit? = QuotaWindow.Limit(600_000, per: 60_000_000_000)
        /// Where in the minute the quota is refilled, in nanoseconds; nil for a place that the seed decides.
        package var quotaPhase: Int64?
        /// What one device may get; nil for no limit.
        package var deviceLimits: DeviceLimits? = .fcm
        /// How many devices the limits are kept for at one time, at 32 bytes each.
        package var deviceCapacity = 1 << 18
        /// What may be sent to topics and conditions; nil for no limit, because Firebase names none for sends.
        package var topicLimit: QuotaWindow.Limit?
        /// Whether the project has a good credential for APNs and web push; without, messages with options for them are
        /// refused.
        package var hasThirdPartyCredential = true
        package var style = FCMBodyStyle()

        package init(projectID: String, seed: UInt64) {
            self.projectID = projectID
            self.seed = seed
        }
    }
}

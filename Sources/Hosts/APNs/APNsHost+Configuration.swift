package import Fleet

extension APNsHost {
    /// How the host differs from another one, and the lengths and limits of its rules.
    package struct Configuration: Sendable {
        /// How a key of the other environment is called.
        package enum EnvironmentKeySpelling: Sendable {
            /// `BadEnvironmentKeyIdInToken`.
            case documented
            /// `BadEnvironmentKeyInToken`, as the live service has been seen to say (kylebrowning/APNSwift#229).
            case live
        }

        package var environment: Environment
        package var keys: [ProviderKey]
        /// The bundle ids that the keys may send to.
        package var bundleIDs: [String]
        /// "only one stream until you post a request with a valid token".
        package var unauthenticatedStreamLimit: UInt32 = 1
        /// As announced by the production host in 2021 (jchambers/pushy#878).
        package var streamLimit: UInt32 = 1000
        /// A provider token older than this is expired: one hour, in nanoseconds.
        package var longestTokenAge: Int64 = 3_600_000_000_000
        /// At most one new provider token in this time on a connection: 20 minutes, in nanoseconds.
        package var tokenUpdateInterval: Int64 = 1_200_000_000_000
        package var environmentKeySpelling = EnvironmentKeySpelling.live
        /// A connection that was idle for longer, in nanoseconds, gets `IdleTimeout`; nil for never.
        ///
        /// Apple names the reason but no time; senders report connections that live for hours.
        package var idleTimeout: Int64?
        /// Above it a device gets `TooManyRequests`; nil for no limit, because Apple names none.
        package var deviceLimit: QuotaWindow.Limit?
        /// How many devices the limit is kept for at one time, at 32 bytes each.
        package var deviceCapacity = 1 << 18
        /// Of the tokens whose app is gone, the share that is answered `ExpiredToken` instead of `Unregistered`.
        package var expiredTokenShare = 0.0
        /// Apps with the broadcast capability; nil for all.
        package var broadcastApps: [String]?
        /// Channels that one app may have in one environment.
        package var mostChannels = 10_000
        /// Above it broadcasts and channel requests get `TooManyRequests`; nil for no limit, because Apple names none.
        package var broadcastLimit: QuotaWindow.Limit?
        /// When the host started, in nanoseconds since 1970: the dates in its 410 answers lie before.
        package var startedAt: Int64
        package var seed: UInt64

        package init(
            environment: Environment,
            keys: [ProviderKey],
            bundleIDs: [String],
            startedAt: Int64,
            seed: UInt64
        ) {
            self.environment = environment
            self.keys = keys
            self.bundleIDs = bundleIDs
            self.startedAt = startedAt
            self.seed = seed
        }
    }
}

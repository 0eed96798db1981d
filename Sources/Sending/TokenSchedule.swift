/// How long a bearer token lives, and how often a new one may be made.
///
/// All times in nanoseconds.
///
/// The defaults stand for real hosts. `scaled(by:)` shrinks them together, for hosts whose clocks are shrunk alike.
package struct TokenPolicy: Sendable, Equatable {
    /// How long a token may be used; nil where its issuer says so with each token (`expires_in`).
    package var lifetime: Int64?
    /// How long before its end a token is renewed.
    ///
    /// Never more than a sixth of its lifetime, so that a short-lived
    /// token is not renewed all the time.
    package var lead: Int64
    /// The least time between two new tokens.
    package var spacing: Int64
    /// How long to wait after a first failure; each further one doubles it up to `longestRetry`.
    package var firstRetry: Int64
    package var longestRetry: Int64

    package init(lifetime: Int64?, lead: Int64, spacing: Int64, firstRetry: Int64, longestRetry: Int64) {
        precondition(lifetime ?? 1 > 0 && lead >= 0 && spacing >= 0, "a token policy with negative times")
        precondition(firstRetry > 0 && longestRetry >= firstRetry, "a token policy that retries without pause")
        self.lifetime = lifetime
        self.lead = lead
        self.spacing = spacing
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
    }

    /// Provider tokens: valid for 60 minutes, renewed after 50, never twice within 20 (Apple, "Establishing a
    /// token-based connection to APNs").
    package static let apns = TokenPolicy(
        lifetime: 60 * minute,
        lead: 10 * minute,
        spacing: 20 * minute,
        firstRetry: second,
        longestRetry: minute
    )

    /// Access tokens: valid for as long as the token endpoint says, renewed 5 minutes before.
    package static let oauth = TokenPolicy(
        lifetime: nil,
        lead: 5 * minute,
        spacing: second,
        firstRetry: second,
        longestRetry: minute
    )

    /// The same policy with every time multiplied by `scale`, but no shorter than a nanosecond.
    package func scaled(by scale: Double) -> TokenPolicy {
        precondition(scale > 0 && scale <= 1e3, "a scale of \(scale)")
        func scaled(_ time: Int64) -> Int64 { time == 0 ? 0 : max(1, Int64((Double(time) * scale).rounded())) }
        return TokenPolicy(
            lifetime: lifetime.map(scaled),
            lead: scaled(lead),
            spacing: scaled(spacing),
            firstRetry: scaled(firstRetry),
            longestRetry: scaled(longestRetry)
        )
    }

    private static let second: Int64 = 1_000_000_000
    private static let minute: Int64 = 60 * second
}

/// When the times of one token are.
package struct TokenWindow: Sendable, Equatable {
    /// What its age counts from: the `iat` claim, or the moment before it was asked for.
    package var issuedAt: Int64
    /// From here on a new one is wanted.
    package var refreshAt: Int64
    /// From here on it must not be used.
    package var expiresAt: Int64

    /// The window that a policy gives to a token; `lifetime` is the issuer's, where the policy leaves it to them.
    package init(issuedAt: Int64, lifetime: Int64?, policy: TokenPolicy) {
        guard let lifetime = policy.lifetime ?? lifetime, lifetime > 0 else {
            preconditionFailure("a token without a lifetime")
        }
        self.issuedAt = issuedAt
        self.expiresAt = issuedAt + lifetime
        self.refreshAt = expiresAt - min(policy.lead, lifetime / 6)
    }
}

/// What to do about a token now.
package enum TokenDecision: Sendable, Equatable {
    /// The current token is good.
    case use
    /// The current token is good, and whoever got this answer makes the next one.
    case useAndRefresh
    /// There is no good token, and whoever got this answer makes one.
    case refresh
    /// There is no good token; ask again at this time, or (nil) when the refresh that is under way has ended.
    case wait(until: Int64?)
}

/// Decides when one credential's bearer token is renewed.
///
/// Times are monotonic nanoseconds; it reads no clock.
///
/// At most one refresh is under way: the answer that starts one is given once, then not again until `refreshed`
/// or `refreshFailed`. A failed refresh keeps the old token until it expires and is tried again with growing
/// pauses. A token that the host calls expired is renewed at once, but never within `spacing` of the last new one.
package struct TokenSchedule: Sendable, Equatable {
    package let policy: TokenPolicy
    /// The current token's times; nil before the first.
    package private(set) var window: TokenWindow?
    /// Counts the tokens so far: 0 before the first.
    package private(set) var generation: UInt64 = 0
    package private(set) var isRefreshing = false
    /// Refreshes that failed since the last good one.
    package private(set) var failures = 0

    private var isRejected = false
    /// No new token before this: the spacing after a good refresh, the pause after a failed one.
    private var notBefore = Int64.min

    package init(policy: TokenPolicy) {
        self.policy = policy
    }

    /// Asks for a token at `now`.
    package mutating func decide(at now: Int64) -> TokenDecision {
        let isUsable = isUsable(at: now)
        if let next = nextRefresh, now >= next {
            isRefreshing = true
            return isUsable ? .useAndRefresh : .refresh
        }
        return isUsable ? .use : .wait(until: nextRefresh)
    }

    /// Whether the current token may be used at `now`.
    package func isUsable(at now: Int64) -> Bool {
        guard let window else { return false }
        return now < window.expiresAt && !isRejected
    }

    /// When `decide` will start the next refresh; nil while one is under way.
    package var nextRefresh: Int64? {
        guard !isRefreshing else { return nil }
        guard let window, !isRejected else { return notBefore }
        return max(window.refreshAt, notBefore)
    }

    /// The refresh brought a token at `now`, whose age counts from `issuedAt`.
    ///
    /// `lifetime` is what the issuer said, needed where the policy has none.
    package mutating func refreshed(issuedAt: Int64, lifetime: Int64? = nil, at now: Int64) {
        precondition(isRefreshing, "a token that no refresh was started for")
        window = TokenWindow(issuedAt: issuedAt, lifetime: lifetime, policy: policy)
        notBefore = now + policy.spacing
        isRefreshing = false
        isRejected = false
        failures = 0
        generation += 1
    }

    /// The refresh failed at `now`.
    package mutating func refreshFailed(at now: Int64) {
        precondition(isRefreshing, "a failure of a refresh that was not started")
        isRefreshing = false
        notBefore = max(notBefore, now + retryPause)
        failures += 1
    }

    /// The pause after the next failure: `firstRetry` doubled once per failure before it, at most `longestRetry`.
    ///
    /// With 1 s and 60 s: 1, 2, 4, 8, 16, 32, 60, 60, ... seconds.
    private var retryPause: Int64 {
        let doublings = min(failures, 40)
        return policy.firstRetry > policy.longestRetry >> Int64(doublings)
            ? policy.longestRetry : policy.firstRetry << Int64(doublings)
    }

    /// What became of a host's complaint about a token.
    package enum Rejection: Sendable, Equatable {
        /// A newer token has come meanwhile, or one is on its way.
        case alreadyRenewed
        /// A new token may be made from this time on; the old one is no longer used.
        case renewing(from: Int64)
    }

    /// A host called the token of `generation` expired.
    ///
    /// However many pushes meet that, one token is renewed once.
    package mutating func rejected(generation: UInt64) -> Rejection {
        guard generation == self.generation, !isRejected, !isRefreshing else { return .alreadyRenewed }
        isRejected = true
        return .renewing(from: notBefore)
    }
}

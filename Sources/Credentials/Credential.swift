package import Sending
import Synchronization

/// One credential's current token, shared by every worker that sends with it.
///
/// Workers read it through a `TokenReader`; a thread of its own renews it, so no push ever waits for a signature
/// or an exchange while the old token is good.
package final class Credential: Sendable {
    package let source: any TokenSource
    package let policy: TokenPolicy

    /// Changes whenever `snapshot` does; what a reader compares before anything else.
    let version = Atomic<UInt64>(0)
    let cancellation = Cancellation()
    /// Wakes the refreshing thread before its time.
    let alarm = Alarm()

    private let clock: CredentialClock
    private let changed: Alarm
    private let onFailure: @Sendable (Credential, TokenFailure) -> Void
    private let state: Mutex<State>

    private struct State {
        var schedule: TokenSchedule
        var snapshot = TokenSnapshot.none
        var counts = CredentialStatistics()
        var signingTimes: [Int64] = []
        /// When the tokens were there, on the monotonic clock.
        var madeAt: [Int64] = []
    }

    init(
        source: any TokenSource,
        policy: TokenPolicy,
        clock: CredentialClock,
        changed: Alarm,
        onFailure: @escaping @Sendable (Credential, TokenFailure) -> Void
    ) {
        self.source = source
        self.policy = policy
        self.clock = clock
        self.changed = changed
        self.onFailure = onFailure
        self.state = Mutex(State(schedule: TokenSchedule(policy: policy)))
    }

    /// Makes a new token if one is due and nobody else is making it; returns when to ask again, or nil when the
    /// refresh of another thread must end first.
    @discardableResult
    func refreshIfDue() -> Int64? {
        let now = clock.monotonic()
        switch state.withLock({ $0.schedule.decide(at: now) }) {
        case .use, .wait: break
        case .useAndRefresh, .refresh: refresh()
        }
        return state.withLock { $0.schedule.nextRefresh }
    }

    private func refresh() {
        do {
            publish(try source.makeToken(clock: clock, cancellation: cancellation))
        } catch {
            note(error)
        }
        changed.ring()
    }

    private func publish(_ token: MadeToken) {
        let now = clock.monotonic()
        state.withLock { state in
            state.schedule.refreshed(issuedAt: token.issuedAt, lifetime: token.lifetime, at: now)
            guard let window = state.schedule.window else { preconditionFailure("a refreshed schedule has a window") }
            state.snapshot = TokenSnapshot(
                bytes: token.bytes,
                generation: state.schedule.generation,
                issuedAt: window.issuedAt,
                expiresAt: window.expiresAt
            )
            state.counts.signed += 1
            state.counts.refreshed += state.schedule.generation > 1 ? 1 : 0
            state.counts.lastFailure = nil
            state.signingTimes.append(token.signingTime)
            state.madeAt.append(now)
            version.add(1, ordering: .releasing)
        }
    }

    private func note(_ failure: TokenFailure) {
        let now = clock.monotonic()
        state.withLock { state in
            state.schedule.refreshFailed(at: now)
            state.counts.failures += 1
            state.counts.lastFailure = failure
        }
        if !cancellation.isCancelled { onFailure(self, failure) }
    }
}

extension Credential {
    /// The token now, and the version it came with.
    func current() -> (snapshot: TokenSnapshot, version: UInt64) {
        state.withLock { ($0.snapshot, version.load(ordering: .relaxed)) }
    }

    /// Whether a token is there that may be used now.
    package var isReady: Bool {
        let now = clock.monotonic()
        return state.withLock { $0.schedule.isUsable(at: now) }
    }

    /// Tells that a host called the token of `generation` expired; it is renewed once, however many pushes say so.
    package func rejected(generation: UInt64) -> TokenSchedule.Rejection {
        let answer = state.withLock { state in
            let answer = state.schedule.rejected(generation: generation)
            if case .renewing = answer {
                state.snapshot = .none
                version.add(1, ordering: .releasing)
            }
            return answer
        }
        if case .renewing = answer { alarm.ring() }
        return answer
    }

    /// The columns of `credentials.csv`.
    ///
    /// Readers add what they served when they report or go.
    package var statistics: CredentialStatistics {
        state.withLock { state in
            var counts = state.counts
            let times = state.signingTimes.sorted()
            counts.medianSigningTime = times.isEmpty ? 0 : times[(times.count - 1) / 2]
            counts.longestSigningTime = times.last ?? 0
            counts.madeAt = state.madeAt
            return counts
        }
    }

    func add(served: UInt64, oldestUsed: Int64) {
        state.withLock { state in
            state.counts.servedFromCache += served
            state.counts.oldestUsed = max(state.counts.oldestUsed, oldestUsed)
        }
    }
}

/// A token as readers copy it; the array is shared, never changed.
struct TokenSnapshot: Sendable {
    var bytes: [UInt8]
    var generation: UInt64
    var issuedAt: Int64
    var expiresAt: Int64

    /// Nothing to send with: it expired before time began.
    static let none = TokenSnapshot(bytes: [], generation: 0, issuedAt: .min, expiresAt: .min)
}

/// What one credential did in a run.
///
/// Times in nanoseconds.
package struct CredentialStatistics: Sendable, Equatable {
    /// Tokens (or assertions exchanged for one) that were signed.
    package var signed: UInt64 = 0
    /// Tokens that replaced an older one.
    package var refreshed: UInt64 = 0
    /// Pushes that were given a token already there: all of them, unless a worker had to wait.
    package var servedFromCache: UInt64 = 0
    /// Attempts that brought no token.
    package var failures: UInt64 = 0
    /// The last of them, unless a token came since.
    package var lastFailure: TokenFailure?
    package var medianSigningTime: Int64 = 0
    package var longestSigningTime: Int64 = 0
    /// When each token was there to be used, on the monotonic clock.
    package var madeAt: [Int64] = []
    /// The greatest age of a token when a push took it.
    package var oldestUsed: Int64 = 0

    package init() {}
}

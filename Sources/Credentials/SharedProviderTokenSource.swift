package import Sending
import Synchronization

/// Provider tokens for APNs that are the same in every shard that has the key: same times, same bytes.
///
/// The tokens of shards that agreed on no start, and those after one that a host refused, are the shard's own.
package final class SharedProviderTokenSource: TokenSource {
    private struct State {
        var times: SharedTokenTimes?
        /// The newest token that was made, counted from 0.
        var newest: Int64 = -1
    }

    private let own: ProviderTokenSource
    private let state = Mutex(State())

    package init(_ own: ProviderTokenSource) {
        self.own = own
    }

    package var name: String { own.name }
    package var fingerprint: String { own.fingerprint }

    /// Tells what the shards have agreed on; before the first token is made.
    package func share(_ times: SharedTokenTimes) { state.withLock { $0.times = times } }

    package func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
        let start = clock.monotonic()
        let planned = state.withLock { state -> (times: SharedTokenTimes, number: Int64)? in
            guard let times = state.times else { return nil }
            let number = times.number(at: start)
            // Asked for twice, it was refused.
            guard number > state.newest else { return nil }
            state.newest = number
            return (times, number)
        }
        guard let (times, number) = planned else {
            return try own.makeToken(clock: clock, cancellation: cancellation)
        }
        do {
            let bytes = try ProviderToken.make(
                key: own.key,
                identity: own.identity,
                issuedAt: times.claim(of: number),
                repeatably: true
            )
            return MadeToken(
                bytes: bytes,
                issuedAt: times.issue(of: number),
                lifetime: nil,
                signingTime: clock.monotonic() - start
            )
        } catch {
            throw .signing(error)
        }
    }
}

/// When the provider tokens are issued that all shards with one key share: known from the start that the shards agreed on, so
/// each of them makes the same tokens without asking another.
///
/// Times are nanoseconds; it reads no clock.
package struct SharedTokenTimes: Sendable, Equatable {
    /// When the first token is issued, on a whole second: since 1970, and on the monotonic clock of this process.
    package let wall: Int64
    package let monotonic: Int64
    /// From each token to the next.
    package let period: Int64

    /// - Parameters:
    ///   - agreedStart: since 1970, by the clock that the shards agree on.
    ///   - monotonic: the same instant on the monotonic clock of this process.
    ///   - policy: one whose tokens live equally long.
    package init(agreedStart: Int64, monotonic: Int64, policy: TokenPolicy) {
        // The claim has whole seconds: the token is as old as the fraction that is cut off.
        let fraction = agreedStart % 1_000_000_000
        wall = agreedStart - fraction
        self.monotonic = monotonic - fraction
        period = max(1, TokenWindow(issuedAt: 0, lifetime: nil, policy: policy).refreshAt)
    }

    /// Which token is to be used at a time of the monotonic clock, counted from 0; before the start it is the first.
    package func number(at now: Int64) -> Int64 { max(0, now - monotonic) / period }

    /// The `iat` claim of a token, in seconds since 1970.
    package func claim(of number: Int64) -> Int64 { (wall + number * period) / 1_000_000_000 }

    /// When a token is issued, on the monotonic clock.
    package func issue(of number: Int64) -> Int64 { monotonic + number * period }
}

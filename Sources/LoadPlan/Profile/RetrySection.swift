/// Whether and when a lane tries a push again that its host did not take.
package struct RetrySection: Sendable, Equatable {
    /// Tries of one push, the first included; 1: none is repeated.
    package var attempts = 1
    package var on: [RetryCause] = [.retryLater]
    /// Back-off doubles from here with full jitter, in nanoseconds.
    package var first = Nanoseconds.second
    package var longest = 10 * Nanoseconds.minute
    /// Divides the services' own waits and the back-off, so that they show in a short run; 1: real time.
    package var clockScale = 1

    package init() {}
}

/// What a try may end with that is followed by another.
///
/// All but `retryLater` are ends without an answer: the host may have taken the push, and it may then arrive twice.
package enum RetryCause: String, Sendable, Equatable, CaseIterable {
    /// An answer that says so: 429, 5xx.
    case retryLater
    case timedOut
    case streamReset
    case connectionLost
}

/// What a host's `date` header tells of this machine's clock.
package enum HostClock {
    private static let second: Int64 = 1_000_000_000

    /// By how much our clock is ahead of the host's, in nanoseconds: to within half a second and half the question's time, since
    /// the header has whole seconds.
    ///
    /// - Parameters:
    ///   - date: what the host said, in seconds since 1970.
    ///   - asked: when it was asked, by our clock, in nanoseconds since 1970.
    ///   - answered: when its answer was there.
    package static func ahead(date: Int64, asked: Int64, answered: Int64) -> Int64 {
        asked + (answered - asked) / 2 - (date * second + second / 2)
    }
}

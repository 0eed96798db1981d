/// The accounting of pushes in one lane and phase.
///
/// `planned = delivered + rejected + failed + skipped + unanswered` at the end of every run, however it ended; see
/// ``holds``. Attempts count streams, first tries and retries together.
package struct PushCounts: Sendable, Equatable, Codable {
    /// Pushes whose due time came.
    package var planned: UInt64 = 0
    /// The host said yes.
    package var delivered: UInt64 = 0
    /// The host said no.
    package var rejected: UInt64 = 0
    /// A local or connection cause.
    package var failed: UInt64 = 0
    /// Never sent.
    package var skipped: UInt64 = 0
    /// In flight when the drain time ran out.
    package var unanswered: UInt64 = 0
    /// Requests whose HEADERS were written, first tries and retries together.
    package var attempts: UInt64 = 0
    /// Those of them that were not their push's first.
    package var retries: UInt64 = 0

    package init() {}

    /// Pushes that were sent, each counted once however often it was tried.
    package var sent: UInt64 { attempts - retries }

    /// Pushes that a host answered, yes or no; throughput counts only these.
    package var answered: UInt64 { delivered + rejected }

    /// Pushes that reached one of the five ends.
    package var ended: UInt64 { answered + failed + skipped + unanswered }

    /// Whether the accounting identity holds.
    package var holds: Bool { planned == ended }

    package static func += (left: inout PushCounts, right: PushCounts) {
        left.planned += right.planned
        left.delivered += right.delivered
        left.rejected += right.rejected
        left.failed += right.failed
        left.skipped += right.skipped
        left.unanswered += right.unanswered
        left.attempts += right.attempts
        left.retries += right.retries
    }
}

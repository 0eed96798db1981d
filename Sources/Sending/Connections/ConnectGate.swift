/// Decides when a lane may open a connection, so that a pool refills without a gap and without a storm.
///
/// Once the load has begun, one connection is opened at a time. A host that lets go of connections in good order gets its
/// new ones without a wait; after a failure the whole lane backs off, so a host that is down sees one try at a time however
/// large the pool is. What ends a back-off for good is a push that was answered: a host that accepts connections only to end
/// them is met less and less often.
package struct ConnectGate: Sendable, Equatable {
    /// How an open connection came to its end.
    package enum Ending: Sendable, Equatable {
        /// By GOAWAY without an error, after it had been of use.
        case rotated
        /// Otherwise, after it had been of use: the host may be in trouble, so that its peers wait a little.
        case lost
        /// Without having been of use.
        case useless
    }

    /// Before the load begins more than one connection is opened at a time: large pools on far hosts come up in seconds.
    package static let mostAtOnceBeforeLoad = 16

    /// How many tries may be under way.
    package private(set) var mostAtOnce = Self.mostAtOnceBeforeLoad
    private let backoff: Backoff
    private var underWay = 0
    /// Failures since a push was last answered; those that fall into one wait count as one.
    package private(set) var failures = 0
    private var notBefore = Int64.min

    package init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// The load begins: from here on one at a time.
    package mutating func beginLoad() { mostAtOnce = 1 }

    /// Whether a connection may be opened now; if so, the try is under way.
    package mutating func enter(at now: Int64) -> Bool {
        guard underWay < mostAtOnce, notBefore <= now else { return false }
        underWay += 1
        return true
    }

    /// When ``enter(at:)`` can next say yes; `Int64.max` while it waits for a try to end.
    package var opensAt: Int64 { underWay < mostAtOnce ? notBefore : .max }

    /// A try ended with a connection that is ready.
    package mutating func succeeded() { leave() }

    /// A try ended without.
    package mutating func failed(at now: Int64, jitter: UInt64) {
        leave()
        backOff(at: now, jitter: jitter)
    }

    /// A push was answered: the host is well.
    package mutating func proved() { failures = 0 }

    /// A connection that had been ready has ended.
    package mutating func ended(_ ending: Ending, at now: Int64, jitter: UInt64) {
        switch ending {
        case .rotated: break
        case .lost: notBefore = max(notBefore, now + backoff.wait(0, jitter))
        case .useless: backOff(at: now, jitter: jitter)
        }
    }

    /// Several failures at one time, as of a pool whose host went away, are one reason to wait, not many.
    private mutating func backOff(at now: Int64, jitter: UInt64) {
        guard notBefore <= now else { return }
        notBefore = now + backoff.wait(failures, jitter)
        failures += 1
    }

    private mutating func leave() {
        precondition(underWay > 0, "a try to connect ended that had not begun")
        underWay -= 1
    }
}

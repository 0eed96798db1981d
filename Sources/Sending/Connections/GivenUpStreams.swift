import LoadPlan

/// Counts the streams of a connection that were reset from this side and that the peer may still count as open.
///
/// A peer frees a stream when it has seen the reset, and says so only by what it answers after it: a PING is sent behind the
/// resets, and its PONG, which comes after them, frees their streams here too (RFC 9113, sections 5.1 and 6.7; senders have
/// run into limits of APNs otherwise: pushy#807). Hosts don't like many PINGs, so there is one a second at most; and a peer that
/// answers none holds streams up for a while, not for ever.
package struct GivenUpStreams: Sendable, Equatable {
    /// Nanoseconds from one PING of ours to the next.
    package static let pause = Nanoseconds.second

    /// Not yet covered by a PING.
    private var fresh = 0
    /// Covered by the PING with the number ``awaited``.
    private var covered = 0
    private var awaited: UInt64?
    private var pings: UInt64 = 0
    private var pongs: UInt64 = 0
    private var nextPing: Int64 = 0
    /// When ``timerFired(at:)`` is due; `Int64.max` for never.
    package private(set) var deadline = Int64.max

    package init() {}

    /// How many streams are to be left free.
    package var held: Int { fresh + covered }

    /// A stream was reset.
    package mutating func add() {
        fresh += 1
        if awaited == nil { deadline = nextPing }
    }

    /// The time named by ``deadline`` has come; whether a PING is to be sent, behind the resets.
    package mutating func timerFired(at now: Int64) -> Bool {
        guard deadline <= now else { return false }
        if awaited != nil { release() }
        return fresh > 0 && nextPing <= now
    }

    /// A PING was sent, for whatever reason; PONGs come in the order of PINGs.
    ///
    /// - Parameter limit: how long the peer may take to answer.
    package mutating func pinged(at now: Int64, limit: Int64) {
        pings += 1
        guard fresh > 0, awaited == nil else { return }
        (covered, fresh) = (fresh, 0)
        (awaited, deadline, nextPing) = (pings, now + limit, now + Self.pause)
    }

    /// A PONG came; true where it frees streams.
    package mutating func ponged() -> Bool {
        pongs += 1
        guard let awaited, pongs >= awaited else { return false }
        release()
        return true
    }

    private mutating func release() {
        (covered, awaited) = (0, nil)
        deadline = fresh > 0 ? nextPing : .max
    }
}

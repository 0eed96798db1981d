/// Decides what one connection does next; performs no I/O and reads no clock.
///
/// A connection is `connecting` until TCP and TLS are up and the peer's SETTINGS are in, then `open` while streams may
/// be started, `draining` after GOAWAY until its last stream ends, and `waiting` between a loss and the next try.
/// `closed` is for good.
package struct ConnectionState: Sendable, Equatable {
    /// Where the connection stands.
    package enum Phase: Sendable, Equatable {
        /// TCP, TLS and the peer's SETTINGS are on their way, until `deadline`. Then: open, or waiting.
        case connecting(deadline: Int64)
        /// Streams may be started. Then: draining, waiting or closed.
        case open
        /// The peer said GOAWAY: no new streams; those below its last id finish. Then: waiting or closed.
        case draining
        /// The next try is at `until`. Then: connecting or closed.
        case waiting(until: Int64)
        /// For good.
        case closed
    }

    /// What the driver has to do after an event.
    package enum Action: Sendable, Equatable {
        case none
        /// Open a socket and start the handshakes.
        case connect
        /// Close the socket; its streams are lost.
        case close
    }

    package private(set) var phase: Phase
    /// Tries in a row that did not reach `open`.
    package private(set) var failures = 0
    private let limit: Int64
    private let backoff: Backoff

    /// A connection that wants to connect at once.
    ///
    /// - Parameters:
    ///   - limit: nanoseconds that connect, handshake and SETTINGS may take together.
    ///   - backoff: the wait between tries.
    package init(connectLimit limit: Int64, backoff: Backoff, at now: Int64) {
        self.limit = limit
        self.backoff = backoff
        phase = .connecting(deadline: now + limit)
    }

    /// Whether a new stream may be started.
    package var acceptsStreams: Bool { phase == .open }

    /// When ``timerFired(at:)`` is due, or nil.
    package var timer: Int64? {
        switch phase {
        case .connecting(let deadline): deadline
        case .waiting(let until): until
        case .open, .draining, .closed: nil
        }
    }

    /// The peer's SETTINGS came: the connection is ready.
    package mutating func becameReady() {
        guard case .connecting = phase else { preconditionFailure("ready while \(phase)") }
        failures = 0
        phase = .open
    }

    /// The peer said that it takes no more streams.
    ///
    /// - Parameter openStreams: streams that are still to end; with none the connection closes at once.
    package mutating func goAwayReceived(openStreams: Int, at now: Int64) -> Action {
        switch phase {
        case .open, .connecting, .draining:
            phase = .draining
            return streamEnded(openStreams: openStreams, at: now)
        case .waiting, .closed:
            return .none
        }
    }

    /// A stream ended.
    package mutating func streamEnded(openStreams: Int, at now: Int64) -> Action {
        guard phase == .draining, openStreams == 0 else { return .none }
        // The peer asked for a new connection, which is no failure: it comes without a wait.
        phase = .waiting(until: now)
        return .close
    }

    /// The socket closed or broke, or the peer broke the protocol.
    package mutating func lost(at now: Int64, jitter: UInt64) {
        switch phase {
        case .connecting, .open, .draining:
            phase = .waiting(until: now + backoff.wait(failures, jitter))
            failures += 1
        case .waiting, .closed:
            break
        }
    }

    /// The time named by ``timer`` has come.
    ///
    /// - Parameter jitter: a random number that spreads the waits of several connections.
    package mutating func timerFired(at now: Int64, jitter: UInt64) -> Action {
        switch phase {
        case .connecting(let deadline) where deadline <= now:
            lost(at: now, jitter: jitter)
            return .close
        case .waiting(let until) where until <= now:
            phase = .connecting(deadline: now + limit)
            return .connect
        case .connecting, .waiting, .open, .draining, .closed:
            return .none
        }
    }

    /// The run is over.
    package mutating func shutDown() { phase = .closed }
}

/// The wait before a lost connection is tried again: exponential with full jitter.
///
/// `wait(n) = random in (0, min(longest, first · 2ⁿ)]`. With 100 ms and 10 s: try 1 up to 200 ms, 3 up to 800 ms, from
/// the 7th up to 10 s.
package struct Backoff: Sendable, Equatable {
    /// Nanoseconds before the first further try.
    package var first: Int64
    /// The longest wait in nanoseconds.
    package var longest: Int64

    package init(first: Int64, longest: Int64) {
        self.first = first
        self.longest = longest
    }

    /// The wait after `failures` failed tries in a row.
    package func wait(_ failures: Int, _ jitter: UInt64) -> Int64 {
        // Capped before the shift can overflow.
        let most = failures > 30 ? longest : min(longest, first << Int64(failures))
        return 1 + Int64(jitter % UInt64(max(most, 1)))
    }
}

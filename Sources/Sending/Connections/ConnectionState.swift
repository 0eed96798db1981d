/// Decides what one connection does next; performs no I/O and reads no clock.
///
/// A connection is `vacant` until its seat in the pool needs it, `waiting` until the pool lets it connect (this is where
/// back-off is spent), `connecting` while TCP comes up, `handshaking` until TLS and the peer's SETTINGS are in, `open`
/// while streams may be started, and `draining` after GOAWAY until its last stream ends. When its socket is gone it is
/// `vacant` again; `closed` is for good.
package struct ConnectionState: Sendable, Equatable {
    /// Where the connection stands.
    package enum Phase: Sendable, Equatable {
        /// No socket, and none is wanted. Then: waiting or closed.
        case vacant
        /// A socket is wanted; the pool says when. Then: connecting or closed.
        case waiting
        /// TCP is on its way. Then: handshaking, vacant or closed.
        case connecting(deadline: Int64)
        /// TLS and the peer's SETTINGS are on their way. Then: open, vacant or closed.
        case handshaking(deadline: Int64)
        /// Streams may be started. Then: draining, vacant or closed.
        case open
        /// The peer said GOAWAY: no new streams; those below its last id finish. Then: vacant or closed.
        case draining
        /// For good.
        case closed
    }

    /// Time limits in nanoseconds.
    package struct Limits: Sendable, Equatable {
        /// From `connect` to an established TCP connection.
        package var connect: Int64
        /// From there to a finished TLS handshake and the peer's SETTINGS.
        package var handshake: Int64
        /// How long the peer may say nothing before it is asked by a PING.
        package var keepAlive: Int64
        /// How long it may then go on saying nothing.
        package var pong: Int64
        /// How long an open connection may be without a stream before it is closed; `Int64.max` to keep it.
        package var idle: Int64

        package init(connect: Int64, handshake: Int64, keepAlive: Int64, pong: Int64, idle: Int64 = .max) {
            self.connect = connect
            self.handshake = handshake
            self.keepAlive = keepAlive
            self.pong = pong
            self.idle = idle
        }
    }

    /// Why a connection has to be closed from this side.
    package enum Cause: Sendable, Equatable {
        /// The peer asked for it by GOAWAY, and the last stream has ended.
        case drained
        case connectTimedOut
        case handshakeTimedOut
        /// No push has needed it for long enough.
        case idle
        /// A PING was not answered.
        case silent
        /// The peer is there, but answers no push any more.
        case wedged
    }

    /// What the driver has to do after an event.
    package enum Action: Sendable, Equatable {
        case none
        /// Send a PING.
        case ping
        /// Close the socket; streams that are still open are lost.
        case close(Cause)
    }

    /// So many pushes in a row time out, with nothing answered that was sent after them, before the connection counts as
    /// wedged.
    ///
    /// A host that answers some streams and forgets others (pushy#816) never gets there; one that has stopped to answer on
    /// this connection, which only a new one cures (pushy#476, #811), does with the first burst that it leaves unanswered.
    package static let mostTimeOutsInARow = 5

    package private(set) var phase = Phase.vacant
    /// When a connection last became ready.
    package private(set) var openedAt: Int64 = 0
    private let limits: Limits
    private var heardAt: Int64 = 0
    private var answeredAt: Int64 = .min
    private var pongDeadline: Int64?
    /// When it is to be closed unless a stream begins before; `Int64.max` for never.
    private var idleDeadline = Int64.max
    private var timeOutsInARow = 0

    package init(limits: Limits) {
        self.limits = limits
    }

    /// Whether a new stream may be started.
    package var acceptsStreams: Bool { phase == .open }

    /// Whether there is a socket.
    package var isConnected: Bool {
        switch phase {
        case .connecting, .handshaking, .open, .draining: true
        case .vacant, .waiting, .closed: false
        }
    }

    /// Whether a push was answered on this connection.
    package var hasAnswered: Bool { answeredAt != .min }

    /// When ``timerFired(at:)`` is due; `Int64.max` for never.
    package var timer: Int64 {
        switch phase {
        case .connecting(let deadline), .handshaking(let deadline): deadline
        case .open, .draining: min(pongDeadline ?? (heardAt + limits.keepAlive), idleDeadline)
        case .vacant, .waiting, .closed: .max
        }
    }

    // MARK: Coming up

    /// The connection's seat in the pool needs it.
    package mutating func want() {
        guard phase == .vacant else { preconditionFailure("wanted while \(phase)") }
        phase = .waiting
    }

    /// The pool lets it connect.
    package mutating func connect(at now: Int64) {
        guard phase == .waiting else { preconditionFailure("connecting while \(phase)") }
        phase = .connecting(deadline: now + limits.connect)
        heardAt = now
        answeredAt = .min
        pongDeadline = nil
        idleDeadline = .max
        timeOutsInARow = 0
    }

    /// TCP is up; hearing it again does no harm.
    package mutating func tcpOpened(at now: Int64) {
        guard case .connecting = phase else { return }
        phase = .handshaking(deadline: now + limits.handshake)
    }

    /// The peer's SETTINGS came; true for the first that made the connection ready.
    package mutating func settingsReceived(at now: Int64) -> Bool {
        switch phase {
        case .handshaking:
            phase = .open
            openedAt = now
            return true
        case .open, .draining:
            return false
        case .vacant, .waiting, .connecting, .closed:
            preconditionFailure("SETTINGS while \(phase)")
        }
    }

    // MARK: While it lives

    /// Bytes came from the peer: whatever they say, it lives.
    package mutating func heard(at now: Int64) {
        heardAt = now
        pongDeadline = nil
    }

    /// A stream begins.
    package mutating func streamBegan() { idleDeadline = .max }

    /// No stream is open any more, or the load begins and none is yet.
    package mutating func becameIdle(at now: Int64) {
        guard phase == .open, limits.idle < .max else { return }
        idleDeadline = now + limits.idle
    }

    /// The peer answered a push; true for the connection's first.
    package mutating func answered(at now: Int64) -> Bool {
        let isFirst = !hasAnswered
        answeredAt = now
        timeOutsInARow = 0
        return isFirst
    }

    /// A push was given up for want of an answer.
    ///
    /// - Parameter start: when it was handed to the session or, where it got so far, written.
    package mutating func pushTimedOut(startedAt start: Int64, at now: Int64) -> Action {
        guard phase == .open || phase == .draining else { return .none }
        timeOutsInARow = answeredAt < start ? timeOutsInARow + 1 : 0
        if timeOutsInARow >= Self.mostTimeOutsInARow { return .close(.wedged) }
        guard heardAt < start, pongDeadline == nil else { return .none }
        return ask(at: now)
    }

    private mutating func ask(at now: Int64) -> Action {
        pongDeadline = now + limits.pong
        return .ping
    }

    /// The peer said that it takes no more streams, or the session has no stream identifiers left.
    ///
    /// - Parameter openStreams: streams that are still to end; with none the connection closes at once.
    package mutating func goAwayReceived(openStreams: Int) -> Action {
        switch phase {
        case .open, .draining:
            phase = .draining
            return streamEnded(openStreams: openStreams)
        case .handshaking:
            // Before its SETTINGS: it never came up.
            return .close(.drained)
        case .vacant, .waiting, .connecting, .closed:
            return .none
        }
    }

    /// A stream ended.
    package mutating func streamEnded(openStreams: Int) -> Action {
        phase == .draining && openStreams == 0 ? .close(.drained) : .none
    }

    /// The time named by ``timer`` has come.
    package mutating func timerFired(at now: Int64) -> Action {
        guard timer <= now else { return .none }
        switch phase {
        case .connecting: return .close(.connectTimedOut)
        case .handshaking: return .close(.handshakeTimedOut)
        case .open where idleDeadline <= now: return .close(.idle)
        case .open, .draining: return pongDeadline == nil ? ask(at: now) : .close(.silent)
        case .vacant, .waiting, .closed: return .none
        }
    }

    // MARK: Ends

    /// The socket is gone.
    package mutating func ended() {
        guard phase != .closed else { return }
        phase = .vacant
    }

    /// The run is over.
    package mutating func shutDown() { phase = .closed }
}

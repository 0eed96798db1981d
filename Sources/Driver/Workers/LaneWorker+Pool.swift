import HTTP2
import LoadPlan
import Push
import Sending
import Transport

/// How connections come up, time out and go.
extension LaneWorker {
    // MARK: Coming up

    /// Asks for a connection at a place.
    func want(_ place: Int) {
        if place == connections.count {
            // It takes a seat over from a connection that drains, and proves itself as that does.
            let usesCertificate = connections[seating.seat(of: place)].usesCertificate
            connections.append(
                PushConnection(place: place, worker: worker, setup: setup, usesCertificate: usesCertificate)
            )
        }
        // A halted lane has nothing more to send, and its host is left alone.
        guard !halt.isHalted else { return }
        connections[place].state.want()
        wanting += 1
    }

    /// Opens the connections that are wanted, as far as the gate lets them through.
    func openWanted(at now: Int64) {
        guard gate.opensAt <= now else { return }
        for connection in connections where connection.state.phase == .waiting {
            guard gate.enter(at: now) else { return }
            wanting -= 1
            connect(connection, at: now)
        }
    }

    private func connect(_ connection: PushConnection<Session>, at now: Int64) {
        connection.state.connect(at: now)
        let number = nextNumber
        nextNumber += 1
        do throws(ConnectionFailure) {
            try connection.open(number: number, address: addresses.take(), on: poller, at: now)
            arm(connection)
        } catch {
            drop(connection, because: error, at: now)
        }
    }

    /// The poller says that a connection can go on.
    func ready(_ place: Int, at now: Int64) {
        let connection = connections[place]
        do throws(ConnectionFailure) {
            if connection.session == nil {
                guard connection.socket != nil, try shakeHands(connection, at: now) else { return }
            }
            try readAll(of: connection)
            connection.needsFlush = true
        } catch {
            drop(connection, because: error, at: now)
        }
    }

    private func shakeHands(_ connection: PushConnection<Session>, at now: Int64) throws(ConnectionFailure) -> Bool {
        let isDone = try connection.shakeHands(authorization: authorization, keyNumber: keyNumber)
        if let connected = connection.socket?.timings.connected, connected > 0 {
            connection.state.tcpOpened(at: connected)
            arm(connection)
        }
        try connection.updateInterest(on: poller)
        return isDone
    }

    /// The peer's SETTINGS came, the first or others.
    func settingsChanged(_ connection: PushConnection<Session>, streamLimit limit: Int, at now: Int64) {
        guard let socket = connection.socket else { return }
        if connection.state.settingsReceived(at: now) {
            gate.succeeded()
            addresses.succeeded(connection.address)
            failedTries = 0
            let timings = socket.timings
            recorder.connected(handshake: timings.secured - timings.started)
            connection.measurement.opened = now
            connection.measurement.handshake = timings.secured - timings.connected
            connection.measurement.peerLimitMin = limit
            connection.measurement.peerLimitMax = limit
            if start != 0 { connection.state.becameIdle(at: now) }
            arm(connection)
        }
        connection.measurement.peerLimitMin = min(connection.measurement.peerLimitMin, limit)
        connection.measurement.peerLimitMax = max(connection.measurement.peerLimitMax, limit)
    }

    // MARK: Time

    /// Sees to it that a connection's timer is looked at when it is due.
    func arm(_ connection: PushConnection<Session>) { nextTimer = min(nextTimer, connection.timer) }

    /// Acts on the timers that are due.
    func fireTimers(at now: Int64) {
        nextTimer = .max
        for connection in connections {
            if connection.state.timer <= now {
                perform(connection.state.timerFired(at: now), on: connection, at: now)
            }
            if connection.overdueAt <= now { giveUpOverdue(on: connection, at: now) }
            if connection.givenUp.timerFired(at: now) { ping(connection, at: now) }
            arm(connection)
        }
    }

    /// Gives up the pushes whose answer is overdue; their slots are free when the session says so.
    private func giveUpOverdue(on connection: PushConnection<Session>, at now: Int64) {
        var oldest = Int64.max
        for slot in 0..<UInt32(connection.slots.count) {
            let record = connection.slots.pointer(slot)
            guard record.pointee.isTaken, !record.pointee.timedOut else { continue }
            let start = record.pointee.startedAt
            guard now - start >= setup.timeouts.push else {
                oldest = min(oldest, start)
                continue
            }
            giveUp(slot, on: connection, startedAt: start, at: now)
            guard connection.session != nil else { return }
        }
        connection.overdueAt = oldest == .max ? .max : oldest + setup.timeouts.push
    }

    /// A push that was never written has not been sent: its stream's end puts it back into the backlog.
    private func giveUp(_ slot: UInt32, on connection: PushConnection<Session>, startedAt start: Int64, at now: Int64) {
        if connection.slots.pointer(slot).pointee.isWritten {
            connection.slots.pointer(slot).pointee.timedOut = true
            endFailed(slot, of: connection, cause: .timedOut, at: now)
        }
        connection.session?.reset(slot: slot, code: .cancel)
        connection.needsFlush = true
        perform(connection.state.pushTimedOut(startedAt: start, at: now), on: connection, at: now)
    }

    /// Carries out what a connection's state asks for.
    func perform(_ action: ConnectionState.Action, on connection: PushConnection<Session>, at now: Int64) {
        switch action {
        case .none:
            break
        case .ping:
            ping(connection, at: now)
        case .close(.drained):
            leaveDrained(connection, at: now)
        case .close(.idle):
            connection.sayGoodbye()
            rest(connection, at: now)
        case .close(.connectTimedOut):
            drop(connection, because: .connectTimedOut, at: now)
        case .close(.handshakeTimedOut):
            drop(connection, because: connection.session == nil ? .handshakeTimedOut : .settingsTimedOut, at: now)
        case .close(.silent):
            drop(connection, because: .silent, at: now)
        case .close(.wedged):
            drop(connection, because: .wedged, at: now)
        }
    }

    /// Asks the peer whether it is there, and what it has seen.
    func ping(_ connection: PushConnection<Session>, at now: Int64) {
        do throws(HTTP2Error) {
            try connection.ping(at: now)
        } catch {
            drop(connection, because: ConnectionFailure(error), at: now)
        }
    }

    // MARK: Going

    /// The peer said GOAWAY.
    func goAway(_ event: ClientEvent, on connection: PushConnection<Session>, at now: Int64) {
        connection.measurement.goAwayCode = event.code.rawValue
        connection.measurement.goAwayLastStream = Int32(truncatingIfNeeded: event.number)
        connection.measurement.goAwayReason = String(decoding: event.bytes.prefix(256), as: UTF8.self)
        drain(connection, because: .goAway, at: now)
    }

    /// No more streams are started on the connection, and another takes its seat.
    func drain(_ connection: PushConnection<Session>, because cause: DrainCause, at now: Int64) {
        let wasOpen = connection.state.acceptsStreams
        let action = connection.state.goAwayReceived(openStreams: connection.slots.taken)
        // What the peer says comes last, whatever was begun here.
        if wasOpen || cause == .goAway { connection.drainCause = cause }
        if wasOpen {
            // What this side does says nothing about the host.
            if cause != .keyChange {
                let isOrderly = connection.measurement.goAwayCode ?? 0 == HTTP2ErrorCode.noError.rawValue
                gate.ended(ending(of: connection, isOrderly: isOrderly, at: now), at: now, jitter: jitter())
            }
            if let successor = seating.drains(connection.place) { want(successor) }
        }
        perform(action, on: connection, at: now)
    }

    /// A connection without load is of use too, if it was there for long.
    private func ending(
        of connection: PushConnection<Session>,
        isOrderly: Bool,
        at now: Int64
    ) -> ConnectGate.Ending {
        guard connection.state.hasAnswered || now - connection.state.openedAt >= setup.backoff.longest else {
            return .useless
        }
        return isOrderly ? .rotated : .lost
    }

    /// A connection is lost, and with it the streams that are still open.
    func drop(_ connection: PushConnection<Session>, because failure: ConnectionFailure, at now: Int64) {
        guard connection.state.isConnected else { return }
        for slot in 0..<UInt32(connection.slots.count) where connection.slots[slot].isTaken {
            streamEnded(slot, of: connection, as: failure.ending, at: now)
        }
        if failure.kind == .protocolError { connection.sayLastWords() }
        lastFailure = failure
        leave(connection, because: failure.description, at: now)
    }

    /// The last stream of a connection that takes no more has ended.
    private func leaveDrained(_ connection: PushConnection<Session>, at now: Int64) {
        // Where it was this side that ended it, it says so: RFC 9113, section 5.1.1.
        if connection.drainCause != .goAway { connection.sayGoodbye() }
        leave(connection, because: connection.drainCause.rawValue, at: now)
    }

    /// A connection ends, and its seat is filled again.
    private func leave(_ connection: PushConnection<Session>, because reason: String, at now: Int64) {
        switch connection.state.phase {
        case .connecting, .handshaking:
            failedTries += 1
            addresses.failed(connection.address)
            gate.failed(at: now, jitter: jitter())
        case .open:
            gate.ended(ending(of: connection, isOrderly: false, at: now), at: now, jitter: jitter())
        case .vacant, .waiting, .draining, .closed:
            // What a draining one means for the gate was said when it began to drain.
            break
        }
        close(connection, because: reason, at: now)
        connection.state.ended()
        if let place = seating.ended(connection.place) { want(place) }
    }

    /// A connection that nobody needs ends; its seat stays empty until pushes find no room elsewhere.
    private func rest(_ connection: PushConnection<Session>, at now: Int64) {
        close(connection, because: "idle", at: now)
        connection.state.ended()
        if seating.ended(connection.place) != nil { resting += 1 }
    }

    /// Pushes find no room: a seat that was left empty is filled again.
    func wakeResting() {
        for seat in 0..<seating.seats {
            let place = seating.current(seat)
            guard connections[place].state.phase == .vacant else { continue }
            resting -= 1
            return want(place)
        }
    }

    /// Lets go of the socket and keeps the connection's row.
    func close(_ connection: PushConnection<Session>, because reason: String, at now: Int64) {
        if !connection.usesCertificate { attemptsByKey[connection.keyNumber] += connection.attempts }
        connection.close(on: poller)
        // A turn's time may be a little older than that of what came in it.
        connection.measurement.closed = max(now, connection.measurement.opened)
        connection.measurement.closedBy = reason
        closedConnections.append(connection.measurement)
    }
}

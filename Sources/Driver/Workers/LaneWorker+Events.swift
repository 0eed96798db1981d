import HTTP2
import LoadPlan
import Push
import Sending
import Transport

extension LaneWorker {
    /// Opens a socket for a connection that wants one.
    func connect(_ connection: PushConnection<Session>, at now: Int64) {
        do throws(TransportError) {
            try connection.open(on: poller)
        } catch {
            drop(connection, because: ConnectionFailure(error), at: now)
        }
    }

    /// The poller says that a connection can go on.
    ///
    /// - Parameter buffer: at least one TLS record long; it serves every connection of the worker in turn.
    func ready(_ number: Int, at now: Int64, buffer: UnsafeMutableRawBufferPointer) {
        let connection = connections[number]
        do throws(ConnectionFailure) {
            if connection.session == nil {
                guard try connection.shakeHands(authorization: authorization) else {
                    return try connection.updateInterest(on: poller)
                }
                try connection.updateInterest(on: poller)
            }
            // The clock is read for each piece: what comes while others are handled was not here before.
            while try connection.read(into: buffer) { try handleEvents(of: connection, at: MonotonicClock.now()) }
            connection.needsFlush = true
        } catch {
            drop(connection, because: error, at: now)
        }
    }

    /// Writes what a connection has ready.
    func flush(_ connection: PushConnection<Session>, at now: Int64) {
        do throws(ConnectionFailure) {
            try connection.flush { () throws(ConnectionFailure) in
                // Just before the write: gathering a record of frames takes as long as answering one does.
                try handleEvents(of: connection, at: MonotonicClock.now())
            }
            try connection.updateInterest(on: poller)
        } catch {
            drop(connection, because: error, at: now)
        }
    }

    private func handleEvents(of connection: PushConnection<Session>, at now: Int64) throws(ConnectionFailure) {
        do throws(HTTP2Error) {
            while let event = try connection.session?.nextEvent() { handle(event, of: connection, at: now) }
        } catch {
            throw ConnectionFailure(error)
        }
    }

    private func handle(_ event: ClientEvent, of connection: PushConnection<Session>, at now: Int64) {
        switch event.kind {
        case .written:
            let record = connection.slots.pointer(event.slot)
            record.pointee.written = now
            recorder.written(
                phase: Int(record.pointee.phase),
                hash: record.pointee.hash,
                streamWait: now - record.pointee.submitted
            )
        case .headers:
            connection.slots.pointer(event.slot).pointee.status = event.status
        case .data:
            // A success's body says nothing that is counted.
            if connection.slots.pointer(event.slot).pointee.status != 200 {
                connection.slots.appendBody(event.slot, event.bytes)
            }
        case .closed:
            closed(event, of: connection, at: now)
        case .settings:
            settingsChanged(connection, at: now)
        case .goAway:
            goAway(event, on: connection, at: now)
        case .pong:
            break
        }
    }

    private func closed(_ event: ClientEvent, of connection: PushConnection<Session>, at now: Int64) {
        let record = connection.slots[event.slot]
        if event.code != .noError { connection.measurement.resets += 1 }
        if !record.timedOut {
            if event.code == .noError, record.status != 0 {
                endAnswered(record, body: connection.slots.body(event.slot), at: now)
            } else {
                endFailed(record, cause: LocalFailure(streamEndedWith: event.code), at: now)
            }
        }
        connection.slots.release(event.slot)
        perform(connection.state.streamEnded(openStreams: connection.slots.taken, at: now), on: connection, at: now)
    }

    private func endAnswered(_ record: PushSlot, body: UnsafeRawBufferPointer, at now: Int64) {
        let index = recorder.answered(
            phase: Int(record.phase),
            status: Int(record.status),
            body: body,
            response: now - record.due,
            service: now - record.written
        )
        ended(record, result: Int32(index), at: now)
    }

    /// Counts a push that failed for a local or connection cause.
    func endFailed(_ record: PushSlot, cause: LocalFailure, at now: Int64) {
        recorder.failed(phase: Int(record.phase), cause: cause)
        ended(record, result: -1, at: now)
    }

    private func ended(_ record: PushSlot, result: Int32, at now: Int64) {
        inFlight -= 1
        guard record.batch >= 0 else { return }
        let slot = Int(record.batch)
        if let batch = batches?.ended(slot: slot, position: Int(record.position), result: result, at: now),
            setup.isMeasured[Int(record.phase)]
        {
            recorder.batchEnded(duration: batch.duration)
        }
    }

    private func settingsChanged(_ connection: PushConnection<Session>, at now: Int64) {
        guard let session = connection.session, let socket = connection.socket else { return }
        let limit = session.streamLimit
        if case .connecting = connection.state.phase {
            connection.state.becameReady()
            let timings = socket.timings
            recorder.connected(handshake: timings.secured - timings.started)
            connection.measurement.opened = now - start
            connection.measurement.connect = timings.connected - timings.started
            connection.measurement.handshake = timings.secured - timings.connected
            connection.measurement.peerLimitMin = limit
            connection.measurement.peerLimitMax = limit
        }
        connection.measurement.peerLimitMin = min(connection.measurement.peerLimitMin, limit)
        connection.measurement.peerLimitMax = max(connection.measurement.peerLimitMax, limit)
    }

    private func goAway(_ event: ClientEvent, on connection: PushConnection<Session>, at now: Int64) {
        connection.measurement.goAwayCode = event.code.rawValue
        connection.measurement.goAwayLastStream = Int32(truncatingIfNeeded: event.number)
        connection.measurement.goAwayReason = String(decoding: event.bytes.prefix(256), as: UTF8.self)
        let action = connection.state.goAwayReceived(openStreams: connection.slots.taken, at: now)
        perform(action, on: connection, at: now)
    }

    private func perform(_ action: ConnectionState.Action, on connection: PushConnection<Session>, at now: Int64) {
        switch action {
        case .none, .connect: break
        case .close: close(connection, because: "peer's GOAWAY", at: now)
        }
    }

    /// A connection is lost: what was in flight on it has failed, and it tries again after a wait.
    func drop(_ connection: PushConnection<Session>, because failure: ConnectionFailure, at now: Int64) {
        connection.state.lost(at: now, jitter: jitter())
        let cause: LocalFailure = failure.isProtocolError ? .protocolError : .connectionLost
        for slot in 0..<UInt32(connection.slots.count) where connection.slots[slot].isTaken {
            if !connection.slots[slot].timedOut { endFailed(connection.slots[slot], cause: cause, at: now) }
            connection.slots.release(slot)
        }
        lastFailure = failure
        close(connection, because: failure.description, at: now)
    }

    /// Lets go of the socket and keeps the connection's row.
    func close(_ connection: PushConnection<Session>, because reason: String, at now: Int64) {
        let wasOpen = connection.measurement.streams > 0 || connection.measurement.handshake > 0
        connection.close(on: poller)
        guard wasOpen else { return }
        connection.measurement.closed = now - start
        connection.measurement.closedBy = reason
        closedConnections.append(connection.measurement)
        connection.measurement = ConnectionMeasurement(lane: setup.name, worker: worker, connection: connection.number)
    }
}

extension LocalFailure {
    /// Why a stream ended that was not answered.
    fileprivate init(streamEndedWith code: HTTP2ErrorCode) {
        switch code {
        case .noError: self = .protocolError
        case .refusedStream: self = .streamRefused
        default: self = .streamReset
        }
    }
}

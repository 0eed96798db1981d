import Fleet
import HTTP2
import LoadPlan
import Push
import Sending
import Transport

/// What connections say, and what it means for pushes.
extension LaneWorker {
    /// Reads and handles all that a connection has received.
    func readAll(of connection: PushConnection<Session>) throws(ConnectionFailure) {
        // The clock is read for each piece: what comes while others are handled was not here before.
        while try connection.read(into: buffer.bytes) {
            let now = MonotonicClock.now()
            connection.state.heard(at: now)
            try handleEvents(of: connection, at: now)
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
            if error.kind == .writeLost { readRest(of: connection) }
            drop(connection, because: error, at: now)
        }
    }

    /// Takes the answers, and a GOAWAY with its reason, that came before the connection broke.
    private func readRest(of connection: PushConnection<Session>) {
        do throws(ConnectionFailure) {
            try readAll(of: connection)
        } catch {
            // It is known already that the connection is lost.
        }
    }

    private func handleEvents(of connection: PushConnection<Session>, at now: Int64) throws(ConnectionFailure) {
        // The reference is counted once here, and not with every event. An event may end the connection.
        guard let session = connection.session else { return }
        do throws(HTTP2Error) {
            while connection.hasSession, let event = try session.nextEvent() { handle(event, of: connection, at: now) }
        } catch {
            throw ConnectionFailure(error)
        }
    }

    private func handle(_ event: ClientEvent, of connection: PushConnection<Session>, at now: Int64) {
        switch event.kind {
        case .written:
            written(connection.slots.pointer(event.slot), at: now)
            connection.attempts += 1
        case .headers:
            connection.slots.pointer(event.slot).pointee.status = event.status
            if !event.bytes.isEmpty { noteRetryAfter(event.bytes, of: event.slot, on: connection) }
            if connection.state.answered(at: now) { gate.proved() }
        case .data:
            // A success's body says nothing that is counted.
            if connection.slots.pointer(event.slot).pointee.status != 200 {
                connection.slots.appendBody(event.slot, event.bytes)
            }
        case .closed:
            closed(event, of: connection, at: now)
        case .settings:
            settingsChanged(connection, streamLimit: Int(event.number), at: now)
        case .goAway:
            goAway(event, on: connection, at: now)
        case .pong:
            if connection.givenUp.ponged() { arm(connection) }
        }
    }

    private func written(_ record: UnsafeMutablePointer<PushSlot>, at now: Int64) {
        record.pointee.startedAt = now
        record.pointee.isWritten = true
        record.pointee.attempts &+= 1
        recorder.written(
            phase: Int(record.pointee.phase),
            hash: record.pointee.hash,
            streamWait: now - record.pointee.submitted,
            isRetry: record.pointee.attempts > 1
        )
    }

    private func closed(_ event: ClientEvent, of connection: PushConnection<Session>, at now: Int64) {
        let record = connection.slots.pointer(event.slot)
        let wasGivenUp = record.pointee.timedOut && event.code == .cancel
        let ending: RetryRule.Ending
        switch event.code {
        case .noError where event.endStream && record.pointee.status != 0:
            ending = .answered
        case .refusedStream:
            ending = .refused
            // Those above the last stream of a GOAWAY are not reset, only left out.
            if connection.state.acceptsStreams { connection.measurement.resets += 1 }
        default:
            ending = .reset
            let code = min(event.code.rawValue, UInt32(LaneRecorder.resetCodes - 1))
            connection.slots.trouble(event.slot).pointee.resetCode = UInt8(code)
            if record.pointee.isWritten, !record.pointee.timedOut { connection.measurement.resets += 1 }
        }
        streamEnded(event.slot, of: connection, as: ending, at: now)
        if wasGivenUp { streamGivenUp(on: connection, at: now) }
        perform(connection.state.streamEnded(openStreams: connection.slots.taken), on: connection, at: now)
        if connection.slots.taken == 0, setup.timeouts.idle != nil {
            connection.state.becameIdle(at: now)
            arm(connection)
        }
    }

    /// A push timed out and its stream was reset: the peer has not let go of it before it says so.
    private func streamGivenUp(on connection: PushConnection<Session>, at now: Int64) {
        connection.givenUp.add()
        arm(connection)
    }

    // MARK: Ends of pushes

    /// A stream has ended: its push has its answer, has failed or is to be sent again, and its slot is free.
    func streamEnded(
        _ slot: UInt32,
        of connection: PushConnection<Session>,
        as ending: RetryRule.Ending,
        at now: Int64
    ) {
        // Not copied: parts of it were written a moment ago.
        let record = connection.slots.pointer(slot)
        // One that timed out was counted when it did.
        if !record.pointee.timedOut {
            let (attempts, wasWritten) = (Int(record.pointee.attempts), record.pointee.isWritten)
            switch RetryRule.fate(of: ending, attempts: attempts, wasWritten: wasWritten) {
            case .answered: endAnswered(slot, of: connection, at: now)
            case .back: putBack(record, from: connection)
            case .failed(let cause): endFailed(slot, of: connection, cause: cause, at: now)
            }
        }
        connection.slots.release(slot)
    }

    private func putBack(_ record: UnsafeMutablePointer<PushSlot>, from connection: PushConnection<Session>) {
        var waiting = waitingAgain(record)
        // The host has not seen it, so that it takes nothing from a quota again.
        waiting.hasLaneGrant = true
        waiting.hasDeviceGrant = true
        if record.pointee.isWritten { waiting.refusedAt = Int32(seating.seat(of: connection.place)) }
        backlog.putBack(waiting)
        inFlight -= 1
    }

    private func endAnswered(_ slot: UInt32, of connection: PushConnection<Session>, at now: Int64) {
        let record = connection.slots.pointer(slot)
        let index = recorder.index(status: Int(record.pointee.status), body: connection.slots.body(slot))
        inFlight -= 1
        guard counts(slot, of: connection, answer: index, at: now) else { return }
        recorder.answered(
            phase: Int(record.pointee.phase),
            index: index,
            response: now - record.pointee.due,
            service: now - record.pointee.startedAt
        )
        endInBatch(record, result: Int32(index), at: now)
    }

    /// Counts a push that failed for a local or connection cause.
    func endFailed(
        _ slot: UInt32,
        of connection: PushConnection<Session>,
        cause: LocalFailure,
        at now: Int64
    ) {
        let record = connection.slots.pointer(slot)
        inFlight -= 1
        if isTriedAgain(slot, of: connection, after: .failed(cause), policy: .failed(cause), at: now) { return }
        let code = Int(connection.slots.resetCode(slot))
        recorder.failed(phase: Int(record.pointee.phase), cause: cause, resetCode: code)
        endInBatch(record, result: -1, at: now)
    }

    private func endInBatch(_ record: UnsafeMutablePointer<PushSlot>, result: Int32, at now: Int64) {
        let (batch, position) = (Int32(record.pointee.batch), Int(record.pointee.position))
        endInBatch(batch, position: position, phase: Int(record.pointee.phase), result: result, at: now)
    }

    /// Notes the end of one push of a batch; nothing where `batch` is -1.
    func endInBatch(_ batch: Int32, position: Int, phase: Int, result: Int32, at now: Int64) {
        guard batch >= 0 else { return }
        if let batch = batches?.ended(slot: Int(batch), position: position, result: result, at: now),
            setup.isMeasured[phase]
        {
            recorder.batchEnded(duration: batch.duration)
        }
    }
}

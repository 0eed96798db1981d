import Credentials
import Fleet
import HTTP2
import LoadPlan
import Push
import Sending

extension LaneWorker {
    /// Takes pushes up whose time has come: from the plan, or in a closed phase as many as are wanted in flight.
    func takeDue(at now: Int64) {
        while cursor.nextDueOrMax <= now - start {
            let batch = cursor.takeBatch()
            take(batch, hashedDue: batch.due, at: now)
        }
        while let window = closed.window, window.end <= now - start { closed.leaveWindow() }
        hasMoreToTake = false
        guard let window = closed.window, window.start <= now - start, !halt.isHalted else { return }
        let batchSize = setup.batch?.size ?? 1
        var batches = Self.mostClosedBatchesATurn
        while inFlight + waiting + batchSize <= window.inFlight, batches > 0,
            let batch = closed.takeBatch(at: now - start)
        {
            // A closed loop's times are measured, not planned, so they have no part in the hash.
            take(batch, hashedDue: 0, at: now)
            batches -= 1
        }
        hasMoreToTake = batches == 0
    }

    /// Where pushes are left to others or refused, a closed loop could go on taking for ever.
    private static var mostClosedBatchesATurn: Int { 8192 }

    /// Puts pushes that are due into the backlog; a batch goes in whole or not at all.
    private func take(_ batch: PlannedBatch, hashedDue: Int64, at now: Int64) {
        let count = setup.selection.isActive ? ownPushes(of: batch) : batch.count
        // A backlog that is full while streams are free is only not emptied yet.
        if backlog.room < count, checkToken(at: now) { startWaiting(at: now) }
        let obstacle = obstacle(to: count)
        let mark = quotaWait.reading(at: now)
        var taken = 0
        for position in 0..<batch.count {
            let (push, ordinal) = push(position, of: batch)
            let device = setup.fleet.deviceIndex(lane: setup.lane, ordinal: ordinal)
            let standing = setup.selection.isActive ? standing(ordinal: ordinal, device: device) : .own
            if standing == .foreign { continue }
            let hash = LoadPlan.hash(lane: setup.hashNumber, push: push, device: device, due: hashedDue)
            if let obstacle = standing == .misshapen ? .misshapenToken : obstacle {
                recorder.plannedAndSkipped(phase: batch.phase, hash: hash, cause: obstacle)
                continue
            }
            var waiting = WaitingPush(
                push: push,
                ordinal: ordinal,
                device: device,
                hash: hash,
                due: start + batch.due,
                submitted: now,
                phase: batch.phase,
                position: taken,
                batchCount: count
            )
            waiting.quotaMark = mark
            taken += 1
            guard backlog.append(waiting) else { preconditionFailure("a backlog with room took no push") }
            recorder.submitted(phase: batch.phase, hash: hash, lag: now - waiting.due)
        }
    }

    /// The number of a push of a batch, and of its device within the lane.
    @inline(__always)
    private func push(_ position: Int, of batch: PlannedBatch) -> (push: UInt64, ordinal: UInt64) {
        let push = batch.firstPush + UInt64(position)
        return (push, batch.namesDevices ? cursor.ordinals[position] : push)
    }

    private func standing(ordinal: UInt64, device index: UInt64) -> DeviceSelection.Standing {
        let device = setup.fleet.device(lane: setup.lane, ordinal: ordinal, index: index)
        return setup.selection.standing(of: device, in: setup.fleet)
    }

    /// How many pushes of a batch this part of the lane sends.
    private func ownPushes(of batch: PlannedBatch) -> Int {
        (0..<batch.count)
            .count { position in
                let ordinal = push(position, of: batch).ordinal
                let device = setup.fleet.deviceIndex(lane: setup.lane, ordinal: ordinal)
                return standing(ordinal: ordinal, device: device) == .own
            }
    }

    /// Starts waiting pushes while a connection, and for FCM a batch, has room.
    func startWaiting(at now: Int64) {
        while let push = backlog.first, mayBegin(push) {
            guard let seat = seat(for: push) else {
                if resting > 0 { wakeResting() }
                break
            }
            let connection = connections[seating.current(seat)]
            guard keepsQuotas else {
                startRun(with: push, on: connection, at: now)
                continue
            }
            guard startWithinQuotas(push, on: connection, at: now) else { break }
        }
        if keepsQuotas { noteStreamWait(at: now) }
        rotation.endTurn()
    }

    /// Starts a push and those behind it, as many as go to the same connection.
    private func startRun(with first: WaitingPush, on connection: PushConnection<Session>, at now: Int64) {
        // The reference is counted once here, and not with every push.
        guard let session = connection.session else { return }
        begin(first, through: session, of: connection, at: now)
        while let push = backlog.first, push.refusedAt < 0, mayBegin(push),
            rotation.goesOn(room: connection.room(of: session))
        {
            begin(push, through: session, of: connection, at: now)
        }
    }

    /// Starts the push whose turn it is if the quotas let it through; false where those behind it have to wait too.
    private func startWithinQuotas(
        _ first: WaitingPush,
        on connection: PushConnection<Session>,
        at now: Int64
    ) -> Bool {
        guard let session = connection.session else { return false }
        var push = first
        switch quotaLetsThrough(&push, at: now) {
        case .notYet:
            return false
        case .later(let time):
            push.batch = batch(of: push)
            backlog.removeFirst()
            postpone(push, until: time, at: now)
        case .now:
            begin(push, through: session, of: connection, at: now)
        }
        return true
    }

    /// False for the first push of a batch while no further batch may be in flight.
    @inline(__always)
    private func mayBegin(_ push: WaitingPush) -> Bool {
        guard push.beginsBatch, setup.batch != nil else { return true }
        return batches?.hasRoom != false
    }

    private func seat(for push: WaitingPush) -> Int? {
        if push.refusedAt >= 0 {
            return rotation.next(avoiding: Int(push.refusedAt)) { connections[seating.current($0)].room }
        }
        return rotation.next { connections[seating.current($0)].room }
    }

    /// Hands the first of the backlog to a session that has room.
    private func begin(
        _ waiting: WaitingPush,
        through session: Session,
        of connection: PushConnection<Session>,
        at now: Int64
    ) {
        guard let slot = connection.slots.take() else {
            preconditionFailure("place \(connection.place) of \(setup.name) has no room after all")
        }
        backlog.removeFirst()
        let record = connection.slots.pointer(slot)
        record.pointee.push = waiting.push
        record.pointee.ordinal = waiting.ordinal
        record.pointee.hash = waiting.hash
        record.pointee.due = waiting.due
        // What it waited for a quota is no wait for a stream.
        record.pointee.submitted = waiting.submitted + waiting.quotaWait
        record.pointee.complaints = UInt8(truncatingIfNeeded: waiting.complaints)
        record.pointee.generation = UInt32(truncatingIfNeeded: token?.generation ?? 0)
        record.pointee.startedAt = now
        record.pointee.phase = UInt16(truncatingIfNeeded: waiting.phase)
        record.pointee.batch = Int16(truncatingIfNeeded: batch(of: waiting))
        record.pointee.position = UInt16(truncatingIfNeeded: waiting.position)
        record.pointee.attempts = UInt16(truncatingIfNeeded: waiting.attempts)
        let (template, variables) = layOut(record, slot, on: connection, device: waiting.device)
        inFlight += 1
        connection.state.streamBegan()
        do throws(HTTP2Error) {
            try session.submit(connection.templates[template], variables, slot: slot)
            connection.needsFlush = true
            connection.measurement.streams += 1
            connection.measurement.peakStreams = max(connection.measurement.peakStreams, session.openStreams)
            if connection.overdueAt == .max {
                connection.overdueAt = now + setup.timeouts.push
                arm(connection)
            }
        } catch {
            refused(slot, by: connection, because: error, at: now)
        }
    }

    /// The slot of a push's batch, which begins with its first push; -1 where the lane has no batches.
    @inline(__always)
    private func batch(of push: WaitingPush) -> Int32 {
        guard setup.batch != nil, push.batch < 0 else { return push.batch }
        if push.beginsBatch { feedingBatch = batches?.start(due: push.due, count: Int(push.batchCount)) ?? -1 }
        return Int32(feedingBatch)
    }

    /// The session takes no more, so that the push goes elsewhere.
    private func refused(
        _ slot: UInt32,
        by connection: PushConnection<Session>,
        because error: HTTP2Error,
        at now: Int64
    ) {
        streamEnded(slot, of: connection, as: .refused, at: now)
        switch error {
        case .goingAway: drain(connection, because: .goAway, at: now)
        case .streamIDsExhausted: drain(connection, because: .streamsUsedUp, at: now)
        case .violation, .library, .invalidSetting: drop(connection, because: ConnectionFailure(error), at: now)
        }
    }

    /// Writes what the push has of its own into its slot's memory.
    private func layOut(
        _ record: UnsafeMutablePointer<PushSlot>,
        _ slot: UInt32,
        on connection: PushConnection<Session>,
        device index: UInt64
    ) -> (template: Int, variables: RequestVariables) {
        let catalogue = setup.catalogue
        let device = setup.fleet.device(lane: setup.lane, ordinal: record.pointee.ordinal, index: index)
        let message = catalogue.message(hash: record.pointee.hash)
        let template = catalogue.template(app: device.app, message: message)
        let path = connection.slots.path(slot)
        switch setup.lane.provider {
        case .apns:
            let start = APNsMessage.writePathPrefix(into: path)
            let rest = UnsafeMutableRawBufferPointer(rebasing: path[start...])
            let length = start + setup.fleet.writeToken(of: device, into: rest)
            let id = connection.slots.id(slot)
            APNsID.write(seed: setup.seed, lane: setup.index, push: record.pointee.push, into: id)
            let token = UnsafeRawBufferPointer(rebasing: path[start..<length])
            let variables = RequestVariables(
                path: UnsafeRawBufferPointer(rebasing: path[..<length]),
                apnsID: UnsafeRawBufferPointer(rebasing: id[..<APNsID.length]),
                body: catalogue.body(message, of: device, token: token, in: connection.slots.requestBody(slot))
            )
            return (template, variables)
        case .fcm:
            let token = UnsafeRawBufferPointer(rebasing: path[..<setup.fleet.writeToken(of: device, into: path)])
            let variables = RequestVariables(
                path: token,
                body: catalogue.body(message, of: device, token: token, in: connection.slots.requestBody(slot))
            )
            return (template, variables)
        }
    }
}

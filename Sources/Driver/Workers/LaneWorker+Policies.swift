import Credentials
import Fleet
import LoadPlan
import Push
import Sending
import Transport

/// What becomes of an answer before it counts: another try, a new token, the end of the lane.
extension LaneWorker {
    /// Looks at an answer; false where the push is tried again, so that the answer doesn't count.
    func counts(_ slot: UInt32, of connection: PushConnection<Session>, answer index: Int, at now: Int64) -> Bool {
        let traits = recorder.traits(of: index)
        let retryAfter = connection.slots.retryAfter(slot)
        if quota.isActive {
            quota.answered(
                writtenAt: connection.slots.pointer(slot).pointee.startedAt,
                isRefused: traits.isLaneQuota,
                retryAfter: retryAfter,
                at: now
            )
        }
        if traits.asksForNewToken, goesOutUnderNewToken(slot, of: connection, answer: index, at: now) { return false }
        if traits.disposition == .retryLater {
            let status = Int(connection.slots.pointer(slot).pointee.status)
            let ending = RetryPolicy.Ending.answered(status: status, retryAfter: retryAfter)
            if isTriedAgain(slot, of: connection, after: .answered(Int32(index)), policy: ending, at: now) {
                return false
            }
        }
        if halt.answered(traits.disposition) { spreadHalt() }
        return true
    }

    /// The host calls the token expired: it is renewed once, however many pushes say so, and this one waits for the next.
    private func goesOutUnderNewToken(
        _ slot: UInt32,
        of connection: PushConnection<Session>,
        answer index: Int,
        at now: Int64
    ) -> Bool {
        let record = connection.slots.pointer(slot)
        guard !halt.isHalted, let rejection = rejection(of: record.pointee.generation, on: connection) else {
            return false
        }
        let complaints = Int(record.pointee.complaints) + 1
        guard TokenRenewal.fate(after: rejection, complaints: complaints, at: now) == .again else { return false }
        var waiting = waitingAgain(record)
        waiting.complaints = Int32(complaints)
        waiting.lastTry = lastTry(of: slot, on: connection, .answered(Int32(index)), at: now)
        recorder.retried(phase: Int(record.pointee.phase), after: .answered(Int32(index)))
        backlog.putBack(waiting)
        return true
    }

    /// Asks the lane's retry policy about an ended attempt; true where another follows.
    func isTriedAgain(
        _ slot: UInt32,
        of connection: PushConnection<Session>,
        after ending: LastTry.Ending,
        policy: RetryPolicy.Ending,
        at now: Int64
    ) -> Bool {
        let record = connection.slots.pointer(slot)
        guard retries.isActive, !halt.isHalted, start > 0,
            let time = retries.retry(
                after: policy,
                attempts: Int(record.pointee.attempts),
                due: record.pointee.due,
                at: now,
                end: start + lifetime,
                jitter: jitter()
            )
        else { return false }
        var waiting = waitingAgain(record)
        waiting.lastTry = lastTry(of: slot, on: connection, ending, at: now)
        guard delayed.insert(waiting, at: time) else { return false }
        recorder.retried(phase: Int(record.pointee.phase), after: ending)
        return true
    }

    private func lastTry(
        of slot: UInt32,
        on connection: PushConnection<Session>,
        _ ending: LastTry.Ending,
        at now: Int64
    ) -> LastTry {
        let record = connection.slots.pointer(slot)
        return LastTry(
            ending: ending,
            response: now - record.pointee.due,
            service: now - record.pointee.startedAt,
            resetCode: connection.slots.resetCode(slot)
        )
    }

    /// Keeps what the host says about when to come back.
    func noteRetryAfter(_ value: UnsafeRawBufferPointer, of slot: UInt32, on connection: PushConnection<Session>) {
        guard let retryAfter = RetryAfter(value) else { return }
        connection.slots.trouble(slot).pointee.retryAfter = retryAfter.wait(wall: WallClock.now())
    }

    // MARK: Halting

    private func spreadHalt() {
        haltSignal.give()
        skipWaiting(cause: .laneHalted)
    }

    /// Follows the other workers of the lane, and skips what comes back from a halted lane's connections.
    func followHalt() {
        if !halt.isHalted, haltSignal.isGiven { halt.halt() }
        if halt.isHalted, waiting > 0 { skipWaiting(cause: .laneHalted) }
    }

    /// Why a batch of so many pushes can't be taken up; nil where it can.
    func obstacle(to count: Int) -> SkipCause? {
        if halt.isHalted { return .laneHalted }
        if backlog.room >= count { return nil }
        return quotaOpensAt == .max ? .backlogFull : .quota
    }

    /// A push that waits gets no further turn: what its last attempt ended with counts, if it had one.
    func giveUp(_ waiting: WaitingPush, cause: SkipCause?) {
        let phase = Int(waiting.phase)
        switch waiting.lastTry {
        case .some(let last):
            switch last.ending {
            case .answered(let index):
                recorder.answered(phase: phase, index: Int(index), response: last.response, service: last.service)
            case .failed(let failure):
                recorder.failed(phase: phase, cause: failure, resetCode: Int(last.resetCode))
            }
        case nil where waiting.attempts > 0:
            // It was sent, and refused; the time for its retry is over.
            recorder.failed(phase: phase, cause: .streamRefused)
        case nil:
            // A quota that held pushes up is why they are left, not the time.
            let cause = cause == .loadEnded && quotaOpensAt != .max ? .quota : cause
            if let cause {
                recorder.skipped(phase: phase, cause: cause)
            } else {
                recorder.failed(phase: phase, cause: .unreachable)
            }
        }
    }

    /// A push that comes back from a connection.
    func waitingAgain(_ record: UnsafeMutablePointer<PushSlot>) -> WaitingPush {
        var waiting = WaitingPush(
            push: record.pointee.push,
            ordinal: record.pointee.ordinal,
            device: setup.fleet.deviceIndex(lane: setup.lane, ordinal: record.pointee.ordinal),
            hash: record.pointee.hash,
            due: record.pointee.due,
            submitted: record.pointee.submitted,
            phase: Int(record.pointee.phase),
            position: Int(record.pointee.position),
            batchCount: 1
        )
        waiting.batch = Int32(record.pointee.batch)
        waiting.attempts = Int32(record.pointee.attempts)
        waiting.complaints = Int32(record.pointee.complaints)
        return waiting
    }
}

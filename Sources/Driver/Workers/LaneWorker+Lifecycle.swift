import Credentials
import HTTP2
import LoadPlan
import Sending
import Transport

/// How a lane's run begins and ends.
extension LaneWorker {
    /// Begins to open every connection.
    func connectAll(at now: Int64) {
        _ = checkToken(at: now)
        for place in connections.indices { want(place) }
        openWanted(at: now)
    }

    /// The load begins; due times count from here.
    func begin(at start: Int64) {
        self.start = start
        isTaking = true
        gate.beginLoad()
        if let at = setup.credential?.next?.at { keyChangesAt = start + at }
        for connection in connections {
            connection.state.becameIdle(at: start)
            arm(connection)
        }
    }

    /// Takes up what is due by now, and nothing after it.
    func stopTaking(at now: Int64) {
        guard isTaking else { return }
        takeDue(at: now)
        isTaking = false
    }

    /// Whether the lane has nothing more to take in the run's last phase.
    var isExhausted: Bool { cursor.nextDue == nil && (!closed.hasNext || halt.isHalted) }

    /// Why pushes wait, at the end of the load: nothing where the host can't be reached.
    private func causeOfWaiting(at now: Int64) -> SkipCause? {
        if openConnections == 0 { return nil }
        if !checkToken(at: now) { return .noToken }
        let hasRoom = (0..<seating.seats).contains { connections[seating.current($0)].room > 0 }
        return hasRoom ? .loadEnded : .noStream
    }

    /// Gives up the pushes that wait; a batch that is cut short by it has no end that could be measured.
    ///
    /// - Parameter cause: why they were not sent; nil where the host can't be reached.
    func skipWaiting(cause: SkipCause?) {
        while let waiting = delayed.takeDue(at: .max) { giveUp(waiting, cause: cause) }
        while let waiting = backlog.first {
            backlog.removeFirst()
            giveUp(waiting, cause: cause)
        }
        quotaOpensAt = .max
    }

    /// A new second begins.
    func endSecond(_ next: Int, phase: Int) { recorder.endSecond(next, phase: phase, gauges: gauges) }

    /// The run is over for this lane: what waits is skipped, what is in flight stays unanswered, and all is closed.
    func end(at now: Int64) {
        isTaking = false
        // Before the streams that are open make room.
        let cause = causeOfWaiting(at: now)
        token?.report()
        for connection in connections { endStreams(of: connection) }
        skipWaiting(cause: cause)
        for connection in connections {
            if connection.state.isConnected {
                connection.sayGoodbye()
                close(connection, because: "run end", at: now)
            }
            connection.state.shutDown()
        }
        precondition(inFlight == 0, "\(inFlight) pushes of \(setup.name) are in flight on no connection")
    }

    /// Ends what is in flight on a connection: what was sent is unanswered, and what was not goes back to those that wait.
    private func endStreams(of connection: PushConnection<Session>) {
        for slot in 0..<UInt32(connection.slots.count) where connection.slots[slot].isTaken {
            let record = connection.slots[slot]
            if !record.isWritten {
                // Lest it go out with the last words.
                connection.session?.reset(slot: slot, code: .cancel)
                streamEnded(slot, of: connection, as: .connectionLost, at: 0)
                continue
            }
            if !record.timedOut {
                inFlight -= 1
                recorder.unanswered(phase: Int(record.phase))
            }
            connection.slots.release(slot)
        }
    }

    /// Everything that was measured, once the lane has ended.
    func finish() -> LaneMeasurement {
        var measurement = recorder.finish(name: setup.name, gauges: gauges)
        for connection in closedConnections {
            measurement.bytesIn += connection.bytesIn
            measurement.bytesOut += connection.bytesOut
        }
        return measurement
    }

    /// The rows of all connections, in the order in which they ended; times count from the run's start or, where it was
    /// called off, from its end.
    var connectionRows: [ConnectionMeasurement] {
        let zero = start != 0 ? start : closedConnections.last?.closed ?? 0
        return closedConnections.map { row in
            var row = row
            row.opened -= zero
            row.closed -= zero
            return row
        }
    }

    /// Allocations made inside the protocol library so far.
    var libraryAllocations: UInt64 { connections.reduce(0) { $0 + $1.libraryAllocations } }
}

import Credentials
import LoadPlan
import Sending
import Transport

extension LaneWorker {
    /// Begins to open every connection.
    func connectAll(at now: Int64) {
        _ = checkToken(at: now)
        for connection in connections { connect(connection, at: now) }
    }

    /// The load begins; due times count from here.
    func begin(at start: Int64) {
        self.start = start
        isTaking = true
        for connection in connections { connection.measurement.opened -= start }
    }

    /// Takes up what is due by now, and nothing after it.
    func stopTaking(at now: Int64) {
        guard isTaking else { return }
        takeDue(at: now)
        isTaking = false
    }

    /// Whether the lane has nothing more to take in the run's last phase.
    var isExhausted: Bool { cursor.nextDue == nil && !closed.hasNext }

    /// Gives up the pushes that wait for a stream.
    func skipWaiting(cause: SkipCause) {
        while let waiting = backlog.first {
            backlog.removeFirst()
            recorder.skipped(phase: Int(waiting.phase), cause: cause)
        }
    }

    /// A new second begins.
    func endSecond(_ next: Int, phase: Int) { recorder.endSecond(next, phase: phase, gauges: gauges) }

    /// The run is over for this lane: what waits is skipped, what is in flight stays unanswered, and all is closed.
    func end(at now: Int64) {
        isTaking = false
        token.report()
        skipWaiting(cause: .loadEnded)
        for connection in connections {
            for slot in 0..<UInt32(connection.slots.count) where connection.slots[slot].isTaken {
                let record = connection.slots[slot]
                if !record.timedOut {
                    inFlight -= 1
                    recorder.unanswered(phase: Int(record.phase))
                }
                connection.slots.release(slot)
            }
            connection.state.shutDown()
            close(connection, because: "run end", at: now)
        }
        precondition(inFlight == 0, "\(inFlight) pushes of \(setup.name) are in flight on no connection")
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

    /// Allocations made inside the protocol library so far.
    var libraryAllocations: UInt64 { connections.reduce(0) { $0 + $1.libraryAllocations } }
}

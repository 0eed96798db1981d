import HTTP2
import LoadPlan
import Sending
import Transport

/// What a worker's loop needs of a lane, whatever session the lane's connections speak through.
///
/// Called a few times a turn, never per push.
protocol LaneRunning: AnyObject {
    var setup: LaneSetup { get }
    /// Why the pool can't come up; nil while it may.
    var startFailure: ConnectionFailure? { get }
    /// Whether every seat of the pool has a connection that is ready for streams.
    var isReady: Bool { get }
    /// Whether nothing more is to be taken in the run's last phase.
    var isExhausted: Bool { get }
    /// Pushes handed to a session and not ended.
    var inFlight: Int { get }
    /// Pushes that are due and wait for a stream.
    var waiting: Int { get }
    /// Pushes counted so far, all phases together.
    var progress: PushCounts { get }
    /// What a live view shows beside them.
    var latest: LaneLatest { get }
    /// Allocations made inside nghttp2 so far.
    var libraryAllocations: UInt64 { get }

    func connectAll(at now: Int64)
    func begin(at start: Int64)
    func turn(at now: Int64, polledAt: Int64)
    func nextDeadline(after now: Int64) -> Int64
    func ready(_ place: Int, at now: Int64)
    func endSecond(_ next: Int, phase: Int)
    /// What there is to tell of the second that ended last.
    func news() -> LaneNews
    func stopTaking(at now: Int64)
    func skipWaiting(cause: SkipCause?)
    func end(at now: Int64)
    /// Hands over what was measured, once the lane has ended.
    func add(to result: inout WorkerResult)
}

extension LaneWorker {
    var waiting: Int { backlog.count + delayed.count }
    var progress: PushCounts { recorder.progress }
    var latest: LaneLatest { recorder.latest(measured: setup.isMeasured) }

    func news() -> LaneNews { recorder.news() }

    func add(to result: inout WorkerResult) {
        result.lanes[setup.index] = finish()
        result.attemptsByKey[setup.index] = attemptsByKey
        result.connections += connectionRows
        result.planHash &+= recorder.planHash
        result.sentHash &+= recorder.sentHash
        result.backlogOverflowed = result.backlogOverflowed || recorder.backlogOverflowed
        for connection in connections {
            result.reads += connection.readCalls
            result.writes += connection.writeCalls
        }
    }
}

// The conformances stand at classes of known session, not at the generic one: so the compiler makes code for each session
// of all that the loop calls. Through a generic class's conformance it would be reached unspecialised, at twice the cost.

private final class DirectLane: LaneWorker<DirectClientSession>, LaneRunning {}

private final class NGHTTP2Lane: LaneWorker<NGHTTP2ClientSession>, LaneRunning {}

extension LaneSetup {
    /// One worker's part of the lane, with the session that the profile chose; nil for a worker that does not serve it.
    func worker(
        _ assignment: WorkerAssignment,
        poller: Poller,
        buffer: ReadBuffer
    ) -> (any LaneRunning)? {
        guard let share = share(ofWorker: assignment.number, of: assignment.workers) else { return nil }
        return switch http2 {
        case .direct:
            DirectLane(setup: self, share: share, assignment: assignment, poller: poller, buffer: buffer)
        case .nghttp2:
            NGHTTP2Lane(setup: self, share: share, assignment: assignment, poller: poller, buffer: buffer)
        }
    }
}

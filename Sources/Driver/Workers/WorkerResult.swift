import Credentials
import LoadPlan
import Sending
import Synchronization
import Transport

/// What one worker is given to do.
struct WorkerAssignment: Sendable {
    let number: Int
    let workers: Int
    let phases: [RunPhase]
    /// Of the profile; rounds of one phase are counted together.
    let phaseCount: Int
    let setups: [LaneSetup]
    /// By lane index.
    let credentials: [LaneKeys]
    /// By lane index.
    let halts: [LaneHaltSignal]
    let drain: Int64

    /// When the last phase ends, in nanoseconds from the run's start.
    var loadEnd: Int64 { phases.last?.end ?? 0 }
}

/// What one worker hands over when it has ended.
struct WorkerResult: Sendable {
    /// By lane index; without the lanes that the worker does not serve.
    var lanes: [Int: LaneMeasurement] = [:]
    var connections: [ConnectionMeasurement] = []
    /// By lane index: how many times pushes were written under each of the lane's keys.
    var attemptsByKey: [Int: [UInt64]] = [:]
    var planHash: UInt64 = 0
    var sentHash: UInt64 = 0
    var loop = LoopMeasurement()
    var backlogOverflowed = false
    var reads: UInt64 = 0
    var writes: UInt64 = 0
}

/// Carries a worker's result to the run's thread.
final class WorkerResultBox: Sendable {
    private let result = Mutex(WorkerResult())
    private let firstFailure = Mutex<RunError?>(nil)

    /// Why the worker could not begin or go on; nil while all is well.
    var failure: RunError? { firstFailure.withLock { $0 } }

    /// The result, once the worker's thread was joined.
    func take() -> WorkerResult { result.withLock { $0 } }

    /// Does a worker's whole work on the calling thread.
    func run(_ assignment: WorkerAssignment, control: RunControl, progress: WorkerProgress) {
        do throws(TransportError) {
            let poller = try Poller()
            let buffer = ReadBuffer()
            let lanes = assignment.setups.compactMap { $0.worker(assignment, poller: poller, buffer: buffer) }
            let worker = Worker(
                number: assignment.number,
                lanes: lanes,
                poller: poller,
                control: control,
                progress: progress,
                phases: assignment.phases,
                drain: assignment.drain
            )
            worker.onStartFailure = { error in self.firstFailure.withLock { $0 = $0 ?? error } }
            try worker.run()
            result.withLock { $0 = worker.result }
        } catch {
            firstFailure.withLock { $0 = $0 ?? .system("worker \(assignment.number): \(error)") }
            progress.isFinished.store(true, ordering: .releasing)
        }
    }
}

extension Worker {
    /// What the worker measured, after ``run()``.
    var result: WorkerResult {
        var result = WorkerResult()
        result.loop = loop
        for lane in lanes { lane.add(to: &result) }
        return result
    }
}

import Histogram
import Sending
import Synchronization

/// What a worker tells the run's thread once a second, where somebody wants to see the run's numbers before its end.
final class WorkerNews: Sendable {
    private let lanes = Mutex<[LaneNews]>([])

    /// Adds what the worker's lanes have to tell of the second that ended; called by the worker.
    func tell(_ news: [LaneNews]) {
        lanes.withLock { lanes in
            if lanes.isEmpty {
                lanes = news
            } else {
                for (index, lane) in news.enumerated() { lanes[index].add(lane) }
            }
        }
    }

    /// Takes over what was told since the last time; empty when nothing was.
    func take() -> [LaneNews] {
        lanes.withLock { lanes in
            defer { lanes = [] }
            return lanes
        }
    }
}

/// What is new of one lane.
struct LaneNews: Sendable {
    /// Seconds that have ended, in order.
    var seconds: [IntervalMeasurement] = []
    /// The phases that have changed, whole.
    var phases: [Int: PhaseNews] = [:]
    var batch = SparseHistogram()

    mutating func add(_ later: LaneNews) {
        seconds += later.seconds
        phases.merge(later.phases) { $1 }
        batch = later.batch
    }
}

/// One phase of a lane so far.
struct PhaseNews: Sendable {
    let counts: PushCounts
    let outcomes: [OutcomeRow]
    let response: SparseHistogram
    let service: SparseHistogram
    let lag: SparseHistogram
    let streamWait: SparseHistogram

    init(_ counts: PushCounts, _ outcomes: [OutcomeRow], _ clocks: ClockHistograms) {
        self.counts = counts
        self.outcomes = outcomes
        response = SparseHistogram(clocks.response)
        service = SparseHistogram(clocks.service)
        lag = SparseHistogram(clocks.lag)
        streamWait = SparseHistogram(clocks.streamWait)
    }

    var measurement: PhaseMeasurement {
        var phase = PhaseMeasurement()
        phase.counts = counts
        phase.outcomes = outcomes
        phase.clocks.response.merge(response)
        phase.clocks.service.merge(service)
        phase.clocks.lag.merge(lag)
        phase.clocks.streamWait.merge(streamWait)
        return phase
    }
}

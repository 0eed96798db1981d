import Fleet
import Histogram
import LoadPlan
import Push
import Sending

/// What one worker measures of one lane: counts, clocks, outcomes and a row a second.
///
/// Shared with nobody while the run goes on. One `mutating` method per event of a push; none of them allocates, save for
/// a reason that is met for the first time and the row that ``endSecond(_:phase:gauges:)`` appends.
struct LaneRecorder {
    /// What the lane looks like at the end of a second.
    struct Gauges {
        var inFlight: Int
        var backlog: Int
        var connections: Int
    }

    private struct PhaseRecord {
        var counts = PushCounts()
        var clocks = ClockHistograms()
        var outcomes = OutcomeCounts()
    }

    private let lane: Int
    private var catalogue: AnswerCatalogue
    private var phases: [PhaseRecord]
    private var second: IntervalMeasurement
    private var secondResponse = Histogram()
    private var timeline: [IntervalMeasurement] = []
    private(set) var handshake = Histogram()
    private(set) var batch = Histogram()
    private(set) var planHash: UInt64 = 0
    private(set) var sentHash: UInt64 = 0
    private(set) var backlogOverflowed = false
    /// What ``news()`` has told of each phase.
    private var told: [PushCounts]

    init(lane: Int, provider: Provider, phases: Int, seconds: Int) {
        self.lane = lane
        catalogue = AnswerCatalogue(provider: provider)
        self.phases = Array(repeating: PhaseRecord(), count: phases)
        told = Array(repeating: PushCounts(), count: phases)
        second = IntervalMeasurement(second: 0, phase: 0)
        timeline.reserveCapacity(seconds)
    }

    /// A push's due time came and a worker took it up, `lag` nanoseconds later.
    mutating func submitted(phase: Int, hash: UInt64, lag: Int64) {
        phases[phase].counts.planned += 1
        phases[phase].clocks.lag.record(lag)
        second.planned += 1
        planHash &+= hash
    }

    /// A push's due time came, and it is not going to be sent.
    mutating func plannedAndSkipped(phase: Int, hash: UInt64, cause: SkipCause) {
        phases[phase].counts.planned += 1
        second.planned += 1
        planHash &+= hash
        skipped(phase: phase, cause: cause)
    }

    /// A push that was taken up is given up before it was sent.
    mutating func skipped(phase: Int, cause: SkipCause) {
        phases[phase].counts.skipped += 1
        phases[phase].outcomes.add(.skipped(cause))
        second.skipped += 1
        if cause == .backlogFull { backlogOverflowed = true }
    }

    /// The push's HEADERS were serialised; all but the attempt count for a push's first ones only.
    mutating func written(phase: Int, hash: UInt64, streamWait: Int64, isRetry: Bool) {
        phases[phase].counts.attempts += 1
        if isRetry {
            phases[phase].counts.retries += 1
            return
        }
        phases[phase].clocks.streamWait.record(streamWait)
        second.sent += 1
        sentHash &+= hash
    }

    /// The host's answer is complete; returns the answer's index.
    mutating func answered(
        phase: Int,
        status: Int,
        body: UnsafeRawBufferPointer,
        response: Int64,
        service: Int64
    ) -> Int {
        let index = catalogue.index(status: status, body: body)
        if catalogue.isSuccess(index) {
            phases[phase].counts.delivered += 1
            second.delivered += 1
        } else {
            phases[phase].counts.rejected += 1
            second.rejected += 1
        }
        phases[phase].outcomes.addAnswer(index)
        phases[phase].clocks.response.record(response)
        phases[phase].clocks.service.record(service)
        secondResponse.record(response)
        return index
    }

    /// The push ended for a local or connection cause.
    mutating func failed(phase: Int, cause: LocalFailure) {
        phases[phase].counts.failed += 1
        phases[phase].outcomes.add(.failed(cause))
        second.failed += 1
    }

    /// The drain time ran out before the answer came.
    mutating func unanswered(phase: Int) {
        phases[phase].counts.unanswered += 1
        phases[phase].outcomes.add(.unanswered)
    }

    /// A batch had its last answer.
    mutating func batchEnded(duration: Int64) { batch.record(max(0, duration)) }

    /// A connection became ready.
    mutating func connected(handshake nanoseconds: Int64) { handshake.record(max(0, nanoseconds)) }

    /// Closes the row of the current second and opens the next.
    mutating func endSecond(_ next: Int, phase: Int, gauges: Gauges) {
        closeRow(gauges)
        second = IntervalMeasurement(second: next, phase: phase)
    }

    /// Closes the last row and gives everything out.
    mutating func finish(name: String, gauges: Gauges) -> LaneMeasurement {
        closeRow(gauges)
        var measurement = LaneMeasurement(name: name, phases: phases.count)
        for (index, record) in phases.enumerated() {
            measurement.phases[index].counts = record.counts
            measurement.phases[index].clocks = record.clocks
            measurement.phases[index].outcomes = record.outcomes.rows(naming: catalogue.answers)
        }
        measurement.timeline = timeline
        measurement.handshake = handshake
        measurement.batch = batch
        return measurement
    }

    /// What there is to tell of the second that ended last: its row, and the phases that have changed since.
    mutating func news() -> LaneNews {
        var news = LaneNews()
        news.seconds = Array(timeline.suffix(1))
        news.batch = SparseHistogram(batch)
        for (index, record) in phases.enumerated() where record.counts != told[index] {
            told[index] = record.counts
            let rows = record.outcomes.rows(naming: catalogue.answers)
            news.phases[index] = PhaseNews(record.counts, rows, record.clocks)
        }
        return news
    }

    /// Pushes counted so far, all phases together.
    var progress: PushCounts { phases.reduce(into: PushCounts()) { $0 += $1.counts } }

    private mutating func closeRow(_ gauges: Gauges) {
        second.inFlight = UInt64(gauges.inFlight)
        second.backlog = UInt64(gauges.backlog)
        second.connections = UInt64(gauges.connections)
        second.response = SparseHistogram(secondResponse)
        timeline.append(second)
        secondResponse.reset()
    }
}

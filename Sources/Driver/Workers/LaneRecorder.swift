import Fleet
import HTTP2
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
        var quotaWait = Histogram()
        var retried = OutcomeCounts()
        /// Pushes that failed by a reset, by its code.
        var resets = Array(repeating: UInt64(0), count: LaneRecorder.resetCodes)
    }

    /// The error codes of RFC 9113, section 7, and one for all others.
    static let resetCodes = 15

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

    /// The push was held up by the lane's own keeping of a quota for so long, perhaps for no time.
    mutating func waitedForQuota(phase: Int, wait: Int64) { phases[phase].quotaWait.record(wait) }

    /// The index of an answer, for ``answered(phase:index:response:service:)`` and ``traits(of:)``.
    mutating func index(status: Int, body: UnsafeRawBufferPointer) -> Int {
        catalogue.index(status: status, body: body)
    }

    /// What the core asks of the answer of an index.
    ///
    /// Mutating only so that the recorder is looked at where it is: for a call that can't change it, it would be copied out of
    /// its lane, with a reference counted for each of its lists, which took a tenth of a push.
    mutating func traits(of index: Int) -> AnswerTraits { catalogue.traits(of: index) }

    /// An attempt ended in a way that counts only if no other follows, and another is to follow.
    mutating func retried(phase: Int, after ending: LastTry.Ending) {
        switch ending {
        case .answered(let index): phases[phase].retried.addAnswer(Int(index))
        case .failed(let cause): phases[phase].retried.add(.failed(cause))
        }
    }

    /// The host's answer is complete and counts.
    mutating func answered(phase: Int, index: Int, response: Int64, service: Int64) {
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
    }

    /// The push ended for a local or connection cause.
    ///
    /// - Parameter resetCode: the code of the reset, where that is the cause.
    mutating func failed(phase: Int, cause: LocalFailure, resetCode: Int = 0) {
        phases[phase].counts.failed += 1
        phases[phase].outcomes.add(.failed(cause))
        if cause == .streamReset { phases[phase].resets[resetCode] += 1 }
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
            measurement.phases[index].outcomes = rows(of: record)
            measurement.phases[index].quotaWait = record.quotaWait
            measurement.phases[index].retried = record.retried.rows(naming: catalogue.answers)
        }
        measurement.timeline = timeline
        measurement.handshake = handshake
        measurement.batch = batch
        return measurement
    }

    /// The error mix of a phase.
    private func rows(of record: PhaseRecord) -> [OutcomeRow] {
        record.outcomes.rows(naming: catalogue.answers)
            .flatMap { row in
                row.disposition == "failed" && row.reason == LocalFailure.streamReset.rawValue
                    ? Self.rows(byCode: record.resets) : [row]
            }
    }

    /// A line of the error mix for each code, in place of one for all resets.
    private static func rows(byCode counts: [UInt64]) -> [OutcomeRow] {
        counts.indices.filter { counts[$0] > 0 }
            .map { code in
                let name = code == resetCodes - 1 ? "another code" : "\(HTTP2ErrorCode(rawValue: UInt32(code)))"
                let reason = "\(LocalFailure.streamReset.rawValue): \(name)"
                return OutcomeRow(status: nil, reason: reason, disposition: "failed", count: counts[code])
            }
    }

    /// What there is to tell of the second that ended last: its row, and the phases that have changed since.
    mutating func news() -> LaneNews {
        var news = LaneNews()
        news.seconds = Array(timeline.suffix(1))
        news.batch = SparseHistogram(batch)
        for (index, record) in phases.enumerated() where record.counts != told[index] {
            told[index] = record.counts
            news.phases[index] = PhaseNews(record.counts, rows(of: record), record.clocks)
        }
        return news
    }

    /// Pushes counted so far, all phases together.
    var progress: PushCounts { phases.reduce(into: PushCounts()) { $0 += $1.counts } }

    /// What a live view shows beside the counts, made anew: for once a second.
    ///
    /// - Parameter measured: by phase, whether it counts.
    func latest(measured: [Bool]) -> LaneLatest {
        var trouble: [OutcomeRow] = []
        for phase in phases {
            trouble.merge(rows(of: phase).filter { $0.disposition != "delivered" })
        }
        let lags = zip(phases, measured).filter(\.1).map { $0.0.clocks.lag.value(atQuantile: 0.99) }
        return LaneLatest(
            lane: lane,
            response: timeline.suffix(3).map(\.response),
            trouble: trouble,
            lagP99: lags.max() ?? 0,
            backlogOverflowed: backlogOverflowed
        )
    }

    private mutating func closeRow(_ gauges: Gauges) {
        second.inFlight = UInt64(gauges.inFlight)
        second.backlog = UInt64(gauges.backlog)
        second.connections = UInt64(gauges.connections)
        second.response = SparseHistogram(secondResponse)
        timeline.append(second)
        secondResponse.reset()
    }
}

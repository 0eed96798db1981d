import Histogram
import Sending

/// One row's worth of a run: a lane, or all lanes, in a phase, or in all phases after the warm-up.
struct RunTotals {
    /// The word for all lanes together and for all measured phases together.
    static let all = "all"

    var phase: String
    var lane: String
    var counts = PushCounts()
    var clocks = ClockHistograms()
    var outcomes: [OutcomeRow] = []
    var quotaWait = Histogram()
    /// Attempts that ended in a way that was followed by another.
    var retried: UInt64 = 0
    /// Nanoseconds of load that the row is about.
    var duration: Int64 = 0
    /// The largest number of pushes sent in any one second; nil when no second was recorded.
    var peakSent: UInt64?
    /// Bytes of the lane's connections over the whole run, warm-up and handshakes included, and the pushes sent in it.
    var bytesOut: UInt64 = 0
    var bytesIn: UInt64 = 0
    var bytesSent: UInt64 = 0

    init(phase: String, lane: String) {
        self.phase = phase
        self.lane = lane
    }

    /// Pushes whose HEADERS were written at least once: those that have a stream wait.
    var sent: UInt64 { clocks.streamWait.count }
}

extension RunRecord {
    /// The indexes of the phases that are not warm-up.
    var measuredPhases: [Int] { phases.indices.filter { !phases[$0].warmUp } }

    /// Calls `body` with the rows of `summary.csv`, one at a time, since each row holds four whole histograms.
    ///
    /// In order: each phase, then all measured phases; in each of them every lane, then all lanes.
    func forEachSummaryRow(_ body: (RunTotals) -> Void) {
        for index in phases.indices { forEachLane(in: [index], named: phases[index].name, body) }
        if !measuredPhases.isEmpty { forEachLane(in: measuredPhases, named: RunTotals.all, body) }
    }

    /// Every lane over some phases, then all lanes together.
    private func forEachLane(in indexes: [Int], named name: String, _ body: (RunTotals) -> Void) {
        for lane in lanes { body(totals(of: [lane], in: indexes, phase: name, lane: lane.name)) }
        body(totals(of: lanes, in: indexes, phase: name, lane: RunTotals.all))
    }

    /// Some lanes over some phases, merged exactly.
    func totals(of lanes: [LaneRecord], in indexes: [Int], phase: String, lane: String) -> RunTotals {
        var totals = RunTotals(phase: phase, lane: lane)
        for lane in lanes {
            for index in indexes { totals.add(lane.phases[index]) }
            totals.bytesOut += lane.bytesOut
            totals.bytesIn += lane.bytesIn
            totals.bytesSent += lane.phases.reduce(0) { $0 + $1.streamWait.values.count }
        }
        totals.duration = indexes.reduce(0) { $0 + phases[$1].duration }
        totals.peakSent = peakSent(of: lanes, in: indexes)
        return totals
    }

    private func peakSent(of lanes: [LaneRecord], in indexes: [Int]) -> UInt64? {
        var sent: [Int: UInt64] = [:]
        for interval in lanes.flatMap(\.timeline) where indexes.contains(interval.phase) {
            sent[interval.second, default: 0] += interval.sent
        }
        return sent.values.max()
    }
}

extension RunTotals {
    fileprivate mutating func add(_ part: LanePhaseRecord) {
        counts += part.counts
        clocks.response.merge(part.response.values)
        clocks.service.merge(part.service.values)
        clocks.lag.merge(part.lag.values)
        clocks.streamWait.merge(part.streamWait.values)
        outcomes.merge(part.outcomes)
        retried += (part.retried ?? []).reduce(0) { $0 + $1.count }
        if let waits = part.quotaWait { quotaWait.merge(waits.values) }
    }
}

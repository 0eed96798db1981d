import Histogram

/// Some seconds of all lanes together: a column of the pictures over time.
struct TimeBin {
    /// Whole seconds from the run's start, and how many.
    var second: Int
    var length: Int
    var phase: Int
    var planned: UInt64 = 0
    var sent: UInt64 = 0
    var delivered: UInt64 = 0
    var rejected: UInt64 = 0
    var failed: UInt64 = 0
    var skipped: UInt64 = 0
    /// At the ends of seconds: the most among them.
    var inFlight: UInt64 = 0
    var backlog: UInt64 = 0
    var connections: UInt64 = 0
    var response = SparseHistogram()

    var answered: UInt64 { delivered + rejected }

    /// A count of the column as one a second.
    func perSecond(_ count: UInt64) -> Double { Double(count) / Double(length) }
}

/// A stretch of time that a phase was on, in seconds.
struct PhaseSpan {
    var name: String
    var warmUp: Bool
    var start: Double
    var end: Double
}

/// A run by time, coarse enough for a picture.
struct RunTimeline {
    let bins: [TimeBin]
    let spans: [PhaseSpan]
    let scale: RunTimeScale
    /// Seconds that a column stands for.
    let binLength: Int
    private static let mostBins = 120

    init(_ record: RunRecord, isEmpty: Bool) {
        let last = record.lanes.compactMap { $0.timeline.last?.second }.max() ?? 0
        let lengths = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1_200, 1_800, 3_600]
        binLength = lengths.first { last / $0 < Self.mostBins } ?? 86_400
        bins = isEmpty ? [] : Self.bins(record, length: binLength)
        spans = Self.spans(record)
        scale = RunTimeScale(end: max(Double(record.duration) / 1e9, spans.last?.end ?? 0))
    }

    /// Where a column begins and ends in a plot; the last may be cut short by the run's end.
    func extent(of bin: TimeBin, in frame: ChartFrame) -> (start: Double, end: Double) {
        let start = Double(bin.second)
        return (frame.x(scale.position(start)), frame.x(scale.position(start + Double(bin.length))))
    }

    /// `steady, 7 s` or `steady, 10 s to 20 s`.
    func name(of bin: TimeBin, in record: RunRecord) -> String {
        let phase = HumanUnits.line(record.phases[bin.phase].name, limit: 40)
        return bin.length == 1
            ? "\(phase), second \(bin.second)" : "\(phase), seconds \(bin.second) to \(bin.second + bin.length - 1)"
    }

    private static func bins(_ record: RunRecord, length: Int) -> [TimeBin] {
        var bins: [TimeBin] = []
        // One for all columns: adding to it costs what is added, not what is there.
        var response = Histogram()
        var held = Held()
        func finish() {
            guard let last = bins.indices.last else { return }
            bins[last].keep(held)
            bins[last].response = SparseHistogram(response)
            response.reset()
        }
        record.forEachSecond { _, interval in
            let start = interval.second / length * length
            if bins.last?.second != start {
                finish()
                held = Held(second: interval.second)
                bins.append(TimeBin(second: start, length: length, phase: interval.phase))
            } else if held.second != interval.second {
                bins[bins.count - 1].keep(held)
                held = Held(second: interval.second)
            }
            bins[bins.count - 1].add(interval)
            held.add(interval)
            response.merge(interval.response.values)
        }
        finish()
        return bins
    }

    /// By the phases' own times, or by the timeline where rounds of phases alternate.
    private static func spans(_ record: RunRecord) -> [PhaseSpan] {
        if record.phases.allSatisfy({ $0.duration == $0.end - $0.start }) {
            return record.phases.map {
                PhaseSpan(name: $0.name, warmUp: $0.warmUp, start: Double($0.start) / 1e9, end: Double($0.end) / 1e9)
            }
        }
        var spans: [(phase: Int, span: PhaseSpan)] = []
        for interval in record.lanes.first?.timeline ?? [] {
            let end = Double(interval.second + 1)
            if spans.last?.phase == interval.phase {
                spans[spans.count - 1].span.end = end
            } else {
                let phase = record.phases[interval.phase]
                spans.append(
                    (interval.phase, PhaseSpan(name: phase.name, warmUp: phase.warmUp, start: end - 1, end: end))
                )
            }
        }
        return spans.map(\.span)
    }
}

/// What all lanes hold at the end of one second.
private struct Held {
    var second = -1
    var inFlight: UInt64 = 0
    var backlog: UInt64 = 0
    var connections: UInt64 = 0

    mutating func add(_ lane: IntervalRecord) {
        inFlight += lane.inFlight
        backlog += lane.backlog
        connections += lane.connections
    }
}

extension TimeBin {
    /// Adds the counts of a lane's second.
    fileprivate mutating func add(_ lane: IntervalRecord) {
        planned += lane.planned
        sent += lane.sent
        delivered += lane.delivered
        rejected += lane.rejected
        failed += lane.failed
        skipped += lane.skipped
    }

    /// Of what is held at one time the column shows the most.
    fileprivate mutating func keep(_ held: Held) {
        inFlight = max(inFlight, held.inFlight)
        backlog = max(backlog, held.backlog)
        connections = max(connections, held.connections)
    }
}

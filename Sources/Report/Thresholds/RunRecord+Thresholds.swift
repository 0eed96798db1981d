import Histogram
package import LoadPlan
import Sending

extension RunRecord {
    /// Judges thresholds on the record's numbers.
    ///
    /// Warm-up phases never count where the record tells them apart. Bytes, connections opened and the process's CPU are
    /// known for the whole run only.
    package func results(of thresholds: [Threshold]) -> [ThresholdResult] {
        var lanes: [String: LaneTotals] = [:]
        return thresholds.map { threshold in
            let name = threshold.subject.lane
            let totals = lanes[name] ?? LaneTotals(self, lane: name)
            lanes[name] = totals
            return totals.result(of: threshold)
        }
    }
}

extension RunRecord {
    /// The first threshold that is to end a run which stands as this record says; nil while none is.
    ///
    /// Each has its grace time of measured load; one without samples can't be judged yet.
    package func abortCause(_ thresholds: [Threshold]) -> String? {
        let measured = measuredPhases.reduce(0) { $0 + phases[$1].duration }
        let due = thresholds.filter { $0.abortAfter.map { measured > 0 && measured >= $0 } ?? false }
        return results(of: due).first { !$0.holds && $0.samples > 0 }.map { "\($0.metric): \($0.conditionText)" }
    }
}

/// What thresholds on one lane, or on all, are about.
private struct LaneTotals {
    let record: RunRecord
    let lanes: [LaneRecord]
    let measured: RunTotals
    let batches: SparseHistogram
    /// Full seconds of load, all lanes added up.
    let seconds: [MeasuredSecond]

    init(_ record: RunRecord, lane name: String) {
        self.record = record
        lanes = record.lanes.filter { name == ThresholdSubject.all || $0.name == name }
        measured = record.totals(of: lanes, in: record.measuredPhases, phase: RunTotals.all, lane: name)
        batches = lanes.reduce(into: SparseHistogram()) { $0.merge($1.batch.values) }
        seconds = record.measuredSeconds(of: lanes)
    }

    func result(of threshold: Threshold) -> ThresholdResult {
        let (metric, aggregate) = (threshold.subject.metric, threshold.condition.aggregate)
        guard let unit = metric.unit(of: aggregate) else {
            preconditionFailure("a threshold \(threshold.subject.text): \(threshold.condition.text) has no unit")
        }
        let samples: UInt64
        let values: [ExactValue]
        if let over = threshold.over {
            (samples, values) = windows(of: metric, aggregate, over: over)
        } else {
            let value = value(of: threshold.subject, aggregate)
            (samples, values) = (value.samples, value.value.map { [$0] } ?? [])
        }
        return ThresholdResult(threshold, unit: unit, samples: samples, values: values)
    }

    private typealias Sampled = (samples: UInt64, value: ExactValue?)

    private func value(of subject: ThresholdSubject, _ aggregate: ThresholdAggregate) -> Sampled {
        switch subject.metric {
        case .response: (measured.clocks.response.count, measured.clocks.response.value(of: aggregate))
        case .service: (measured.clocks.service.count, measured.clocks.service.value(of: aggregate))
        case .lag: (measured.clocks.lag.count, measured.clocks.lag.value(of: aggregate))
        case .streamWait: (measured.clocks.streamWait.count, measured.clocks.streamWait.value(of: aggregate))
        case .batch: (batches.count, batches.value(of: aggregate))
        case .outcomes: outcomes(subject.filter, aggregate)
        case .rate: rate(aggregate)
        case .connections: connections(aggregate)
        case .bytes: bytes(subject.filter, aggregate)
        case .cpu: cpu(aggregate)
        case .allocations: allocations
        }
    }
}

// MARK: - One metric each

extension LaneTotals {
    private func outcomes(_ filter: ThresholdFilter?, _ aggregate: ThresholdAggregate) -> Sampled {
        let ends = measured.outcomes.reduce(0) { $0 + ($1.matches(filter) ? $1.count : 0) }
        let planned = measured.counts.planned
        guard planned > 0 else { return (0, nil) }
        switch aggregate {
        case .share: return (planned, ExactValue(ends, over: planned))
        case .perSecond: return (planned, perSecond(ends))
        default: return (planned, ExactValue(ends))
        }
    }

    private func rate(_ aggregate: ThresholdAggregate) -> Sampled {
        let answered = measured.counts.answered
        guard measured.counts.planned > 0 else { return (0, nil) }
        let perSecond = seconds.map(\.answered)
        switch aggregate {
        case .min: return (UInt64(seconds.count), perSecond.min().map { ExactValue($0, over: MeasuredSecond.length) })
        case .max: return (UInt64(seconds.count), perSecond.max().map { ExactValue($0, over: MeasuredSecond.length) })
        default: return (answered, self.perSecond(answered))
        }
    }

    private func perSecond(_ count: UInt64) -> ExactValue? {
        measured.duration > 0 ? ExactValue(count, over: measured.duration) : nil
    }

    private func connections(_ aggregate: ThresholdAggregate) -> Sampled {
        let open = seconds.map(\.connections)
        switch aggregate {
        case .min: return (UInt64(open.count), open.min().map { ExactValue($0) })
        case .max: return (UInt64(open.count), open.max().map { ExactValue($0) })
        default:
            let names = Set(lanes.map(\.name))
            let opened = record.connections.count { names.contains($0.lane) }
            return (UInt64(opened), opened > 0 ? ExactValue(opened) : nil)
        }
    }

    private func bytes(_ filter: ThresholdFilter?, _ aggregate: ThresholdAggregate) -> Sampled {
        let out = filter?.value == "in" ? 0 : measured.bytesOut
        let sum = (filter?.value == "out" ? 0 : measured.bytesIn) + out
        guard measured.bytesSent > 0 else { return (0, nil) }
        if case .mean = aggregate { return (measured.bytesSent, ExactValue(sum, over: measured.bytesSent)) }
        return (measured.bytesSent, ExactValue(sum))
    }

    private func cpu(_ aggregate: ThresholdAggregate) -> Sampled {
        let used = record.generator.cpu
        if case .share = aggregate {
            return record.duration > 0 ? (1, ExactValue(used, over: record.duration)) : (0, nil)
        }
        let sent = measured.bytesSent
        return sent > 0 ? (sent, ExactValue(used, over: sent)) : (0, nil)
    }

    private var allocations: Sampled {
        let used = record.generator
        let ours = used.allocations - min(used.allocations, used.allocationsInHTTP2 + used.allocationsInTLS)
        guard used.allocationsPushes > 0 else { return (0, nil) }
        return (used.allocationsPushes, ExactValue(ours, over: used.allocationsPushes))
    }
}

// MARK: - Windows

extension LaneTotals {
    /// One value for each whole window of load, but those in which nothing was answered have no response time.
    private func windows(
        of metric: ThresholdMetric,
        _ aggregate: ThresholdAggregate,
        over length: Int64
    ) -> (UInt64, [ExactValue]) {
        let size = Int(length / MeasuredSecond.length)
        var samples: UInt64 = 0
        var values: [ExactValue] = []
        for start in stride(from: 0, through: seconds.count - size, by: size) {
            let window = seconds[start..<start + size]
            if metric == .rate {
                samples += UInt64(size)
                values.append(Self.rate(in: window, aggregate))
            } else {
                let times = window.reduce(into: SparseHistogram()) { $0.merge($1.response) }
                samples += times.count
                if let value = times.value(of: aggregate) { values.append(value) }
            }
        }
        return (samples, values)
    }

    private static func rate(in window: ArraySlice<MeasuredSecond>, _ aggregate: ThresholdAggregate) -> ExactValue {
        let answered = window.map(\.answered)
        switch aggregate {
        case .min: return ExactValue(answered.min() ?? 0, over: MeasuredSecond.length)
        case .max: return ExactValue(answered.max() ?? 0, over: MeasuredSecond.length)
        default: return ExactValue(answered.reduce(0, +), over: Int64(answered.count) * MeasuredSecond.length)
        }
    }
}

/// A full second of load outside the warm-up.
private struct MeasuredSecond {
    static let length: Int64 = 1_000_000_000

    var answered: UInt64 = 0
    var connections: UInt64 = 0
    var response = SparseHistogram()
}

extension RunRecord {
    /// Seconds that began and ended within a phase's load: the last, cut short or draining, would look like a slow one.
    fileprivate func measuredSeconds(of lanes: [LaneRecord]) -> [MeasuredSecond] {
        var seconds: [Int: MeasuredSecond] = [:]
        for interval in lanes.flatMap(\.timeline) {
            let phase = phases[interval.phase]
            let start = Int64(interval.second) * MeasuredSecond.length
            guard !phase.warmUp, start >= phase.start, start + MeasuredSecond.length <= phase.end else { continue }
            var second = seconds[interval.second] ?? MeasuredSecond()
            second.answered += interval.answered
            second.connections += interval.connections
            second.response.merge(interval.response.values)
            seconds[interval.second] = second
        }
        return seconds.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension BucketCounts {
    /// Nil when nothing was recorded: a time of 0 would be a claim.
    fileprivate func value(of aggregate: ThresholdAggregate) -> ExactValue? {
        guard !isEmpty else { return nil }
        switch aggregate {
        case .percentile(_, let quantile): return ExactValue(value(atQuantile: quantile))
        case .mean: return ExactValue(sum, over: count)
        case .max: return ExactValue(max)
        case .min: return ExactValue(min)
        default: return ExactValue(count)
        }
    }
}

extension OutcomeRow {
    fileprivate func matches(_ filter: ThresholdFilter?) -> Bool {
        guard let filter else { return disposition != "delivered" }
        switch filter.key {
        case .reason: return reason == filter.value
        case .status: return status.map(String.init) == filter.value
        case .disposition: return disposition == filter.value
        case .direction: return false
        }
    }
}

import Histogram
import LoadPlan
import Sending

extension LaneRecord {
    /// The order of lanes in a record: that of ``LaneName/all``, others behind them by name.
    static func isInOrder(_ left: LaneRecord, _ right: LaneRecord) -> Bool {
        func place(_ lane: LaneRecord) -> Int { LaneName.all.firstIndex(of: lane.name) ?? .max }
        return (place(left), left.name) < (place(right), right.name)
    }

    /// The lanes of two records, those of one name as one.
    ///
    /// - Parameter phases: how many each has afterwards; those that a lane had not are empty.
    static func joined(_ left: [LaneRecord], _ right: [LaneRecord], phases: Int) -> [LaneRecord] {
        var lanes = left
        for lane in right {
            if let index = lanes.firstIndex(where: { $0.name == lane.name }) {
                lanes[index].join(lane)
            } else {
                lanes.append(lane)
            }
        }
        for index in lanes.indices { lanes[index].fill(phases) }
        return lanes.sorted(by: isInOrder)
    }

    private mutating func join(_ other: LaneRecord) {
        bytesOut += other.bytesOut
        bytesIn += other.bytesIn
        handshake.values.merge(other.handshake.values)
        batch.values.merge(other.batch.values)
        fill(other.phases.count)
        for (index, phase) in other.phases.enumerated() { phases[index].join(phase) }
        timeline = IntervalRecord.joined(timeline, other.timeline)
    }

    private mutating func fill(_ count: Int) {
        while phases.count < count { phases.append(LanePhaseRecord(PhaseMeasurement())) }
    }

    /// Outcomes in an order of their own: workers and shards meet reasons in any order.
    mutating func sortOutcomes() {
        for index in phases.indices {
            phases[index].outcomes.sort(by: OutcomeRow.isInOrder)
            phases[index].retried?.sort(by: OutcomeRow.isInOrder)
        }
    }
}

extension LanePhaseRecord {
    fileprivate mutating func join(_ other: LanePhaseRecord) {
        counts += other.counts
        outcomes.merge(other.outcomes)
        outcomes.sort(by: OutcomeRow.isInOrder)
        response.values.merge(other.response.values)
        service.values.merge(other.service.values)
        lag.values.merge(other.lag.values)
        streamWait.values.merge(other.streamWait.values)
        if let theirs = other.quotaWait {
            quotaWait = quotaWait ?? RecordedHistogram(SparseHistogram())
            quotaWait?.values.merge(theirs.values)
        }
        if let theirs = other.retried {
            retried = retried ?? []
            retried?.merge(theirs)
            retried?.sort(by: OutcomeRow.isInOrder)
        }
    }
}

extension OutcomeRow {
    fileprivate static func isInOrder(_ left: OutcomeRow, _ right: OutcomeRow) -> Bool {
        (left.status ?? .max, left.disposition, left.reason) < (right.status ?? .max, right.disposition, right.reason)
    }
}

extension IntervalRecord {
    /// The seconds of two timelines, equal ones added up.
    fileprivate static func joined(_ left: [IntervalRecord], _ right: [IntervalRecord]) -> [IntervalRecord] {
        var joined: [IntervalRecord] = []
        joined.reserveCapacity(max(left.count, right.count))
        var (mine, theirs) = (left[...], right[...])
        while let first = mine.first, let second = theirs.first {
            if first.second <= second.second { mine.removeFirst() }
            if second.second <= first.second { theirs.removeFirst() }
            joined.append(first.second < second.second ? first : second)
            if first.second == second.second { joined[joined.count - 1].add(first) }
        }
        return joined + mine + theirs
    }

    private mutating func add(_ other: IntervalRecord) {
        phase = min(phase, other.phase)
        planned += other.planned
        sent += other.sent
        delivered += other.delivered
        rejected += other.rejected
        failed += other.failed
        skipped += other.skipped
        inFlight += other.inFlight
        backlog += other.backlog
        connections += other.connections
        response.values.merge(other.response.values)
    }
}

extension PhaseRecord {
    /// The phases of two records, by their place; each as long as the longer of the two.
    ///
    /// They differ where a run was cut short. Where shards ran different profiles, which makes the result INVALID, any name
    /// will do, as long as it is the same in whatever order records are joined.
    static func joined(_ left: [PhaseRecord], _ right: [PhaseRecord]) -> [PhaseRecord] {
        (0..<max(left.count, right.count))
            .map { index in
                guard index < left.count else { return right[index] }
                guard index < right.count else { return left[index] }
                var phase = left[index]
                let other = right[index]
                phase.name = min(phase.name, other.name)
                phase.warmUp = phase.warmUp && other.warmUp
                phase.start = min(phase.start, other.start)
                phase.end = max(phase.end, other.end)
                phase.duration = max(phase.duration, other.duration)
                return phase
            }
    }
}

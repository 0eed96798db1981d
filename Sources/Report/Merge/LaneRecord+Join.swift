import Histogram
import LoadPlan
import Sending

extension LaneRecord {
    /// The order of lanes in a record: that of ``LaneName/all``, others behind them by name.
    static func isInOrder(_ left: LaneRecord, _ right: LaneRecord) -> Bool {
        func place(_ lane: LaneRecord) -> Int { LaneName.all.firstIndex(of: lane.name) ?? .max }
        return (place(left), left.name) < (place(right), right.name)
    }

    /// The lanes of records, those of one name as one.
    ///
    /// - Parameter phases: how many each has afterwards; those that a lane had not are empty.
    static func joined(_ lists: [[LaneRecord]], phases: Int, adding sum: inout SnapshotSum) -> [LaneRecord] {
        var lanes: [LaneRecord] = []
        for (_, equals) in Dictionary(grouping: lists.joined(), by: \.name) {
            var lane = equals[0]
            lane.fill(phases)
            if equals.count > 1 { lane.join(equals[1...], adding: &sum) }
            lanes.append(lane)
        }
        return lanes.sorted(by: isInOrder)
    }

    private mutating func join(_ others: ArraySlice<LaneRecord>, adding sum: inout SnapshotSum) {
        for other in others {
            bytesOut += other.bytesOut
            bytesIn += other.bytesIn
        }
        handshake.join(others.map(\.handshake), adding: &sum)
        batch.join(others.map(\.batch), adding: &sum)
        for index in phases.indices {
            phases[index].join(others.filter { index < $0.phases.count }.map { $0.phases[index] }, adding: &sum)
        }
        timeline = IntervalRecord.joined([timeline] + others.map(\.timeline), adding: &sum)
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

extension RecordedHistogram {
    fileprivate mutating func join(_ others: [RecordedHistogram], adding sum: inout SnapshotSum) {
        sum.add(values)
        for other in others { sum.add(other.values) }
        values = sum.take()
    }
}

extension LanePhaseRecord {
    fileprivate mutating func join(_ others: [LanePhaseRecord], adding sum: inout SnapshotSum) {
        for other in others {
            counts += other.counts
            outcomes.merge(other.outcomes)
            if let theirs = other.retried {
                retried = retried ?? []
                retried?.merge(theirs)
            }
        }
        outcomes.sort(by: OutcomeRow.isInOrder)
        retried?.sort(by: OutcomeRow.isInOrder)
        for clock in PushClock.allCases { self[clock].join(others.map { $0[clock] }, adding: &sum) }
        let waits = others.compactMap(\.quotaWait)
        guard !waits.isEmpty else { return }
        quotaWait = quotaWait ?? RecordedHistogram(SparseHistogram())
        quotaWait?.join(waits, adding: &sum)
    }
}

extension OutcomeRow {
    fileprivate static func isInOrder(_ left: OutcomeRow, _ right: OutcomeRow) -> Bool {
        (left.status ?? .max, left.disposition, left.reason) < (right.status ?? .max, right.disposition, right.reason)
    }
}

extension IntervalRecord {
    /// The seconds of timelines, equal ones added up.
    fileprivate static func joined(_ timelines: [[IntervalRecord]], adding sum: inout SnapshotSum) -> [IntervalRecord] {
        var joined: [IntervalRecord] = []
        joined.reserveCapacity(timelines.reduce(0) { max($0, $1.count) })
        // The place of each timeline's next second.
        var places = [Int](repeating: 0, count: timelines.count)
        while true {
            var second = Int.max
            for (timeline, place) in zip(timelines, places) where place < timeline.count {
                second = min(second, timeline[place].second)
            }
            guard second < .max else { return joined }
            var row = IntervalRecord(second: second, phase: .max, response: RecordedHistogram(SparseHistogram()))
            for (index, timeline) in timelines.enumerated() {
                let place = places[index]
                guard place < timeline.count, timeline[place].second == second else { continue }
                row.add(timeline[place])
                sum.add(timeline[place].response.values)
                places[index] += 1
            }
            row.response.values = sum.take()
            joined.append(row)
        }
    }

    /// Adds the counts of the same second.
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

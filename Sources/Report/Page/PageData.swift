import Histogram
import LoadPlan
import Sending

/// A record with what several parts of its page need, worked out once.
struct PageData {
    struct Lane {
        let record: LaneRecord
        /// Over all measured phases.
        let totals: RunTotals
    }

    let record: RunRecord
    /// Nil for a profile of a schema that is no longer read.
    let profile: Profile?
    /// Empty in a page without pictures.
    let timeline: RunTimeline
    let lanes: [Lane]
    /// All lanes over all measured phases.
    let measured: RunTotals
    /// One axis for every picture of response and service times, so that they can be compared; nil without any.
    let times: TimeScale?

    init(_ record: RunRecord, hasPictures: Bool = true) {
        self.record = record
        profile = try? Profile(json: record.profile.text, file: ResultFile.record.name)
        timeline = RunTimeline(record, isEmpty: !hasPictures)
        lanes = record.lanes.map { lane in
            Lane(
                record: lane,
                totals: record.totals(of: [lane], in: record.measuredPhases, phase: RunTotals.all, lane: lane.name)
            )
        }
        measured = record.measured
        times = Self.times(measured, timeline)
    }

    private static func times(_ measured: RunTotals, _ timeline: RunTimeline) -> TimeScale? {
        let clocks = [measured.clocks.response, measured.clocks.service].filter { !$0.isEmpty }
        let seconds = timeline.bins.map(\.response).filter { !$0.isEmpty }
        let lowest = clocks.map(\.min) + seconds.map(\.min)
        let highest = clocks.map(\.max) + seconds.map(\.max)
        guard let low = lowest.min(), let high = highest.max() else { return nil }
        return TimeScale(from: low, to: high)
    }
}

import Histogram
import Sending

/// `fcm.response.hgrm` and so on: what HdrHistogram's plotter reads, in milliseconds.
enum PercentileFiles {
    /// A file for each lane and clock that has times in the measured phases.
    static func files(of record: RunRecord) -> [(name: String, contents: (ResultText) -> Void)] {
        record.lanes.flatMap { lane in
            PushClock.allCases.compactMap { clock -> (name: String, contents: (ResultText) -> Void)? in
                let times = record.measuredPhases.reduce(into: Histogram()) {
                    $0.merge(lane.phases[$1][clock].values)
                }
                guard !times.isEmpty else { return nil }
                let snapshot = SparseHistogram(times)
                return ("\(fileName(lane.name)).\(clock.rawValue).hgrm", { $0.append(snapshot.percentileText()) })
            }
        }
    }

    /// A record may come from anywhere: its lanes must not reach out of the folder.
    private static func fileName(_ lane: String) -> String {
        let name = lane.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "-" }
        return String(name)
    }
}

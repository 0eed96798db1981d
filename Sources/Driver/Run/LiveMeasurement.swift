import Histogram
import Sending

/// The numbers of a run that still goes on, from what its workers tell once a second.
struct LiveMeasurement {
    private struct Lane {
        var seconds: [IntervalMeasurement] = []
        var phases: [PhaseNews?]
        var batch = SparseHistogram()
    }

    private let names: [String]
    /// By worker, then by lane.
    private var workers: [[Lane]]
    /// Seconds that all workers had ended when the numbers were last asked for.
    private var shown = 0

    init(lanes names: [String], phases: Int, workers: Int) {
        self.names = names
        let lane = Lane(phases: Array(repeating: nil, count: phases))
        self.workers = Array(repeating: Array(repeating: lane, count: names.count), count: workers)
    }

    mutating func add(_ news: [LaneNews], of worker: Int) {
        for (index, lane) in news.enumerated() {
            workers[worker][index].seconds += lane.seconds
            workers[worker][index].batch = lane.batch
            for (phase, part) in lane.phases { workers[worker][index].phases[phase] = part }
        }
    }

    /// How many seconds all workers have ended, where that are more than the last time; else nil.
    mutating func newSeconds() -> Int? {
        let ended = workers.compactMap { $0.first?.seconds.count }.min() ?? 0
        guard ended > shown else { return nil }
        shown = ended
        return ended
    }

    /// All lanes over all workers: whole seconds, and phases as far as they were told.
    func lanes(seconds: Int) -> [LaneMeasurement] {
        names.indices.map { index in
            var sum = LaneMeasurement(name: names[index], phases: workers[0][index].phases.count)
            for worker in workers {
                let lane = worker[index]
                var part = LaneMeasurement(name: names[index], phases: lane.phases.count)
                part.timeline = Array(lane.seconds.prefix(seconds))
                part.batch.merge(lane.batch)
                sum.merge(part)
                for (phase, news) in lane.phases.enumerated() {
                    if let news { sum.phases[phase].merge(news.measurement) }
                }
            }
            return sum
        }
    }
}

import Histogram
import Sending
import Synchronization

extension RunProgress {
    /// Adds what one worker shows.
    mutating func add(_ worker: WorkerProgress) {
        for (index, gauges) in worker.lanes.enumerated() {
            lanes[index].planned += gauges.planned.load(ordering: .relaxed)
            lanes[index].sent += gauges.sent.load(ordering: .relaxed)
            lanes[index].delivered += gauges.delivered.load(ordering: .relaxed)
            lanes[index].rejected += gauges.rejected.load(ordering: .relaxed)
            lanes[index].failed += gauges.failed.load(ordering: .relaxed)
            lanes[index].skipped += gauges.skipped.load(ordering: .relaxed)
            lanes[index].inFlight += gauges.inFlight.load(ordering: .relaxed)
            lanes[index].backlog += gauges.backlog.load(ordering: .relaxed)
        }
        longestStall = max(longestStall, worker.longestStall.load(ordering: .relaxed))
        workerCPU = max(workerCPU, worker.cpu.load(ordering: .relaxed))
    }

    /// Adds what the workers show once a second.
    mutating func add(_ latest: [LaneLatest]) {
        for index in lanes.indices {
            var response = Histogram()
            for part in latest where part.lane == index {
                for second in part.response { response.merge(second) }
                trouble.merge(part.trouble)
                lagP99 = max(lagP99, part.lagP99)
                backlogOverflowed = backlogOverflowed || part.backlogOverflowed
            }
            guard !response.isEmpty else { continue }
            lanes[index].responseP50 = response.value(atQuantile: 0.5)
            lanes[index].responseP99 = response.value(atQuantile: 0.99)
        }
    }
}

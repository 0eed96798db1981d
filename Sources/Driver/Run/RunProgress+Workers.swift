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

    /// Adds what the workers show once a second, each by lane.
    mutating func add(_ workers: [[LaneLatest]]) {
        for index in lanes.indices {
            var response = Histogram()
            for latest in workers where index < latest.count {
                for second in latest[index].response { response.merge(second) }
                trouble.merge(latest[index].trouble)
                lagP99 = max(lagP99, latest[index].lagP99)
                backlogOverflowed = backlogOverflowed || latest[index].backlogOverflowed
            }
            guard !response.isEmpty else { continue }
            lanes[index].responseP50 = response.value(atQuantile: 0.5)
            lanes[index].responseP99 = response.value(atQuantile: 0.99)
        }
    }
}

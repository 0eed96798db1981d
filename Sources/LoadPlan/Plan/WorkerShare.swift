/// One worker's part of what a lane has: of its connections, of its batches in flight and of the pushes that may wait.
///
/// A lane is served by as many workers as can have a connection (and a batch in flight) each, the first ones; what the lane
/// has is split among them so that the parts sum to it. The others have no part of the lane, and none of its pushes.
package struct WorkerShare: Sendable, Equatable {
    /// Which of the lane's workers it is, and how many there are.
    package let worker: Int
    package let workers: Int
    package let connections: Int
    /// nil on a lane without batches.
    package let batchesInFlight: Int?
    /// Pushes that may wait.
    package let backlog: Int

    /// The part of a worker; nil for one that does not serve the lane.
    ///
    /// - Parameters:
    ///   - connections: those of the lane in this shard.
    ///   - batchesInFlight: those of the lane in this shard; nil without batches.
    ///   - backlog: the pushes that may wait in the lane in this shard.
    package init?(worker: Int, of workers: Int, connections: Int, batchesInFlight: Int?, backlog: Int) {
        let serving = min(workers, connections, batchesInFlight ?? .max)
        guard worker < serving else { return nil }
        self.worker = worker
        self.workers = serving
        self.connections = connections.part(worker, of: serving)
        self.batchesInFlight = batchesInFlight.map { $0.part(worker, of: serving) }
        self.backlog = backlog.part(worker, of: serving)
    }
}

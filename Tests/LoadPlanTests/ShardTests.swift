import Testing

@testable import LoadPlan

@Suite("Shards")
struct ShardTests {
    static let counts = [1, 2, 3, 4, 7]

    @Test(
        "A shard is written as people count, from 1",
        arguments: [
            ("1/1", Shard.whole), ("2/4", Shard(1, of: 4)), ("4/4", Shard(3, of: 4)),
            ("65536/65536", Shard(65_535, of: 65_536)), ("0/4", nil), ("5/4", nil), ("1/0", nil), ("-1/4", nil),
            ("1/65537", nil), ("1", nil), ("1/2/3", nil), ("/2", nil), ("a/2", nil), ("", nil),
        ]
    )
    func text(text: String, shard: Shard?) {
        #expect(Shard(text) == shard)
        if let shard { #expect(shard.description == text) }
    }

    @Test("Parts sum to the whole and differ by at most one", arguments: counts)
    func shares(count: Int) {
        for whole in [0, 1, 5, 7, 12, 600_000] {
            let parts = (0..<count).map { Shard($0, of: count).share(of: whole) }
            #expect(parts.reduce(0, +) == whole)
            #expect((parts.max() ?? 0) - (parts.min() ?? 0) <= 1)
            #expect(parts == parts.sorted(by: >))
        }
    }

    @Test("Workers of all shards have different numbers, however many each has")
    func globalNumbers() {
        let numbers = [5, 1, 3].enumerated()
            .flatMap { shard, workers in
                (0..<workers).map { Shard(shard, of: 3).globalNumber(ofWorker: $0) }
            }
        #expect(Set(numbers).count == 9)
        #expect((0..<4).map(Shard.whole.globalNumber) == [0, 1, 2, 3])
    }

    /// Open phases of several kinds, then closed ones with and without a limit.
    private static func lanes() throws -> [LanePlan] {
        try LoadPlan(
            Profile(
                json: """
                    {lanes: {fcm: {batch: {size: 7, inFlight: 5}}}, load: {repeat: 2, phases: [
                      {name: "a", duration: "137ms", rate: "1000/s"},
                      {name: "b", duration: "1s", rate: "1001/s", arrivals: "poisson"},
                      {name: "c", duration: "1s", ramp: {from: "0/s", to: "777/s"}},
                      {name: "d", duration: "1s", inFlight: {apns-production: 5, fcm: 35}, pushes: 905}]}}
                    """,
                file: "test"
            )
        )
        .lanes
    }

    /// What all workers take up of a run whose shards have so many workers each.
    private static func pushes(_ lane: LanePlan, workers: [Int]) -> [PlannedPush] {
        workers.enumerated()
            .flatMap { number, count in
                (0..<count)
                    .flatMap { worker -> [PlannedPush] in
                        let shard = Shard(number, of: workers.count)
                        var open = lane.cursor(worker: worker, of: count, in: shard)
                        var closed = lane.closedCursor(worker: worker, of: count, in: shard)
                        var pushes: [PlannedPush] = []
                        while open.nextDue != nil { pushes.append(open.take()) }
                        while closed.window != nil {
                            while let push = closed.take(at: 5) { pushes.append(push) }
                            closed.leaveWindow()
                        }
                        return pushes
                    }
            }
            .sorted { $0.push < $1.push }
    }

    @Test("The shards' parts are the whole plan, no push twice", arguments: counts)
    func plan(count: Int) throws {
        for lane in try Self.lanes() {
            let alone = Self.pushes(lane, workers: [1])
            #expect(UInt64(alone.count) == lane.totalPlanned)
            #expect(Self.pushes(lane, workers: Array(repeating: 1, count: count)) == alone)
            // Machines differ, and so may the number of workers.
            #expect(Self.pushes(lane, workers: (0..<count).map { 1 + $0 % 3 }) == alone)
        }
    }

    @Test("Batch b belongs to shard b mod n, and there to worker (b div n) mod w")
    func owners() throws {
        let lane = try Self.lanes()[2]
        for worker in 0..<3 {
            var cursor = lane.cursor(worker: worker, of: 3, in: Shard(2, of: 4))
            while cursor.nextDue != nil {
                let batch = cursor.takeBatch().batch
                #expect(batch % 4 == 2 && batch / 4 % 3 == UInt64(worker))
            }
        }
    }

    @Test("Pushes in flight of a closed loop are split over shards first", arguments: counts)
    func inFlight(count: Int) throws {
        for workers in [1, 2, 4] {
            let lanes = try Self.lanes()
            func sum(_ lane: LanePlan, _ shard: Shard) -> Int {
                (0..<workers)
                    .compactMap { lane.closedCursor(worker: $0, of: workers, in: shard).window?.inFlight }
                    .reduce(0, +)
            }
            let shards = (0..<count).map { Shard($0, of: count) }
            #expect(shards.map { sum(lanes[0], $0) } == shards.map { $0.share(of: 5) })
            // 35 pushes are 5 batches of 7.
            #expect(shards.map { sum(lanes[2], $0) } == shards.map { 7 * $0.share(of: 5) })
        }
    }

    @Test("Workers without a connection or a batch of their own have no part of a lane")
    func workerShares() {
        func shares(_ workers: Int, connections: Int, batches: Int?) -> [WorkerShare?] {
            (0..<workers)
                .map {
                    WorkerShare(
                        worker: $0,
                        of: workers,
                        connections: connections,
                        batchesInFlight: batches,
                        backlog: 1001
                    )
                }
        }
        #expect(shares(1, connections: 3, batches: nil).map { $0?.connections } == [3])
        #expect(shares(4, connections: 2, batches: nil).map { $0?.connections } == [1, 1, nil, nil])
        #expect(shares(4, connections: 6, batches: 3).map { $0?.connections } == [2, 2, 2, nil])
        #expect(shares(4, connections: 6, batches: 3).map { $0?.batchesInFlight } == [1, 1, 1, nil])
        #expect(shares(2, connections: 6, batches: 9).map { $0?.batchesInFlight } == [5, 4])
        #expect(shares(2, connections: 2, batches: nil).map { $0?.backlog } == [501, 500])
        #expect(shares(3, connections: 2, batches: nil).map { $0?.workers } == [2, 2, nil])
    }
}

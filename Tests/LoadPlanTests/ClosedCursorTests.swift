import Testing

@testable import LoadPlan

@Suite("Closed loops")
struct ClosedCursorTests {
    private static func lanes(_ phases: String, batch: String = "null") throws -> [LanePlan] {
        let json = "{lanes: {fcm: {batch: \(batch)}}, load: {phases: [\(phases)]}}"
        return try LoadPlan(Profile(json: json, file: "test")).lanes
    }

    private static func pushes(_ lane: LanePlan, workers: Int) -> [PlannedPush] {
        (0..<workers)
            .flatMap { worker -> [PlannedPush] in
                var cursor = lane.closedCursor(worker: worker, of: workers)
                var pushes: [PlannedPush] = []
                while cursor.window != nil {
                    while let push = cursor.take(at: 5) { pushes.append(push) }
                    #expect(!cursor.hasNext)
                    cursor.leaveWindow()
                }
                return pushes
            }
    }

    @Test("A limit is split by the mix and shared by the workers without loss", arguments: [1, 2, 3, 4, 7])
    func limit(workers: Int) throws {
        let lanes = try Self.lanes(
            "{duration: '1s', inFlight: {apns-production: 5, fcm: 1000}, pushes: 1905}",
            batch: "{size: 500}"
        )
        #expect(lanes.map(\.totalPlanned) == [902, 0, 1003])
        for (lane, count) in zip(lanes, [902, 0, 1003]) {
            let pushes = Self.pushes(lane, workers: workers).sorted { $0.push < $1.push }
            #expect(pushes.map(\.push) == Array(0..<UInt64(count)))
            #expect(pushes.allSatisfy { $0.due == 5 && $0.phase == 0 && $0.batch == $0.push / UInt64(lane.batchSize) })
        }
    }

    @Test("Pushes in flight are split among as many workers as can have one", arguments: [1, 2, 3, 4, 7])
    func inFlight(workers: Int) throws {
        let lanes = try Self.lanes("{duration: '1s', inFlight: {apns-production: 5, fcm: 1500}}", batch: "{size: 500}")
        let windows = lanes.map { lane in (0..<workers).compactMap { lane.closedCursor(worker: $0, of: workers).window }
        }
        #expect(windows[0].map(\.inFlight).reduce(0, +) == 5)
        #expect(windows[0].count == min(workers, 5))
        #expect(windows[1].isEmpty)
        #expect(windows[2].map(\.inFlight).reduce(0, +) == 1500)
        #expect(windows[2].allSatisfy { $0.inFlight % 500 == 0 })
        #expect(lanes[0].totalPlanned == nil && lanes[0].planned(inPhase: 0) == nil && lanes[1].totalPlanned == 0)
    }

    @Test("Open and closed phases do not share numbers")
    func numbers() throws {
        let lanes = try Self.lanes(
            """
            {duration: '1s', rate: '20/s'}, {name: 'c', duration: '2s', inFlight: {fcm: 2}},
            {name: 'd', duration: '1s', rate: '20/s'}, {name: 'e', duration: '1s', inFlight: {fcm: 1}, pushes: 3}
            """
        )
        let fcm = lanes[2]
        var open = fcm.cursor(worker: 0, of: 1)
        var pushes: [UInt64] = []
        while open.nextDue != nil { pushes.append(open.take().push) }
        let after = 10 + LanePlan.closedRange
        #expect(pushes == Array(0..<10) + Array(after..<after + 10))
        var closed = fcm.closedCursor(worker: 0, of: 1)
        #expect(closed.window == ClosedCursor.Window(phase: 1, start: 1_000_000_000, end: 3_000_000_000, inFlight: 2))
        #expect(closed.take(at: 1_500_000_000) == PlannedPush(push: 10, batch: 10, due: 1_500_000_000, phase: 1))
        #expect(closed.takeBatch(at: 7) == PlannedBatch(firstPush: 11, count: 1, batch: 11, due: 7, phase: 1))
        closed.leaveWindow()
        #expect(closed.window == ClosedCursor.Window(phase: 3, start: 4_000_000_000, end: 5_000_000_000, inFlight: 1))
        #expect(closed.take(at: 4_000_000_000)?.push == after + 10)
        closed.leaveWindow()
        #expect(closed.window == nil && closed.take(at: 5) == nil && !closed.hasNext)
    }

    @Test("Batches of a closed loop end with its limit")
    func batches() throws {
        let lane = try Self.lanes("{inFlight: {fcm: 1000}, pushes: 1200}", batch: "{size: 500}")[2]
        var cursor = lane.closedCursor(worker: 0, of: 1)
        #expect(cursor.takeBatch(at: 1)?.count == 500)
        _ = cursor.take(at: 2)
        #expect(cursor.takeBatch(at: 3) == PlannedBatch(firstPush: 501, count: 499, batch: 1, due: 3, phase: 0))
        #expect(cursor.takeBatch(at: 4) == PlannedBatch(firstPush: 1000, count: 200, batch: 2, due: 4, phase: 0))
        #expect(cursor.takeBatch(at: 5) == nil)
    }
}

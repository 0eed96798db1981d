import Testing

@testable import LoadPlan

@Suite("Replays")
struct ReplayTests {
    /// Times with gaps of every size and many at once, more than two blocks of them; some name a device.
    private static let rows: [(time: Int64, device: UInt64?)] = {
        var (time, rows) = (Int64(0), [(Int64, UInt64?)]())
        for n in 0..<700 {
            if n % 5 != 0 { time += Int64(1) << (n % 41) & 0xFFF_FFFF }
            rows.append((time, n % 3 == 0 ? UInt64(n) << (n % 50) : nil))
        }
        return rows
    }()

    private static func times(_ rows: [(time: Int64, device: UInt64?)]) -> ReplayTimes {
        var times = ReplayTimes()
        for row in rows { times.append(at: row.time, ordinal: row.device) }
        return times
    }

    private static func plan(batch: Int, rows: [(time: Int64, device: UInt64?)] = rows) throws -> LanePlan {
        var profile = try Profile(
            json: """
                {load: {phases: [
                  {name: "before", duration: "1s", rates: {fcm: "10/s"}},
                  {name: "again", duration: "1d", replay: "x.csv", repeat: 2}]}}
                """,
            file: "test"
        )
        profile.lanes["fcm"]?.batch = BatchSection(size: batch, inFlight: 4)
        return try LoadPlan(profile, replays: [1: [ReplayTimes(), ReplayTimes(), times(rows)]]).lanes[2]
    }

    @Test("What went in comes out, in a few bytes a push")
    func roundTrip() {
        let times = Self.times(Self.rows)
        #expect(times.count == 700 && times.namesDevices)
        for (n, row) in Self.rows.enumerated() { #expect(times.due(of: UInt64(n)) == row.time) }
        for (first, count) in [(0, 700), (255, 2), (256, 1), (300, 400), (699, 1)] {
            var devices = [UInt64](repeating: .max, count: count)
            times.copyDevices(from: UInt64(first), count: count, into: &devices)
            #expect(devices == Self.rows[first..<first + count].map { $0.device ?? .max })
        }
    }

    @Test("The count at a time is that of all rows up to it", arguments: [0, 1, 255, 256, 257, 512, 700])
    func counts(size: Int) {
        let rows = Array(Self.rows[..<size])
        let times = Self.times(rows)
        var probes: [Int64] = [-1, 0, 1, .max]
        for row in rows { probes += [row.time - 1, row.time, row.time + 1] }
        for probe in probes {
            #expect(times.count(atElapsed: probe) == UInt64(rows.count { $0.time <= probe }))
        }
    }

    @Test("The same pushes to the same devices for any number of workers", arguments: [1, 7, 500])
    func workers(batch: Int) throws {
        let plan = try Self.plan(batch: batch)
        #expect(plan.totalPlanned == 10 + 2 * 700 && plan.planned(inPhase: 1) == 1400)
        var expected = (0..<10)
            .map { n in
                let due = Int64(n / batch * batch) * 100_000_000
                return PlannedPush(push: UInt64(n), batch: UInt64(n / batch), due: due, phase: 0)
            }
        for round in 0..<2 {
            let start = Nanoseconds.second + Int64(round) * 24 * Nanoseconds.hour
            let firstBatch = (10 + batch - 1) / batch + round * ((700 + batch - 1) / batch)
            for n in 0..<700 {
                expected.append(
                    PlannedPush(
                        push: UInt64(10 + round * 700 + n),
                        ordinal: Self.rows[n].device,
                        batch: UInt64(firstBatch + n / batch),
                        due: start + Self.rows[n / batch * batch].time,
                        phase: 1
                    )
                )
            }
        }
        for workers in [1, 2, 3, 4, 7] {
            #expect(Self.single(plan, workers) == expected, "\(workers) workers, one by one")
            #expect(Self.whole(plan, workers) == expected, "\(workers) workers, by batches")
        }
    }

    private static func single(_ plan: LanePlan, _ workers: Int) -> [PlannedPush] {
        var pushes: [PlannedPush] = []
        for worker in 0..<workers {
            var cursor = plan.cursor(worker: worker, of: workers)
            while cursor.nextDue != nil { pushes.append(cursor.take()) }
        }
        return pushes.sorted { $0.push < $1.push }
    }

    private static func whole(_ plan: LanePlan, _ workers: Int) -> [PlannedPush] {
        var pushes: [PlannedPush] = []
        for worker in 0..<workers {
            var cursor = plan.cursor(worker: worker, of: workers)
            while cursor.nextDue != nil {
                let batch = cursor.takeBatch()
                for position in 0..<batch.count {
                    pushes.append(
                        PlannedPush(
                            push: batch.firstPush + UInt64(position),
                            ordinal: batch.namesDevices ? cursor.ordinals[position] : nil,
                            batch: batch.batch,
                            due: batch.due,
                            phase: batch.phase
                        )
                    )
                }
            }
        }
        return pushes.sorted { $0.push < $1.push }
    }

    @Test("A replay without its file plans nothing, and one must say how long it lasts")
    func withoutFile() throws {
        let json = "{load: {phases: [{duration: '1s', replay: 'x.csv'}]}}"
        let plan = try LoadPlan(Profile(json: json, file: "p.json"))
        #expect(plan.lanes.allSatisfy { $0.totalPlanned == 0 } && plan.duration == Nanoseconds.second)
        #expect {
            try Profile(json: "{load: {phases: [{replay: 'x.csv'}]}}", file: "p.json")
        } throws: { error in
            "\(error)"
                == "p.json:1: load.phases[0] has a replay and no duration; a replay's rows must lie within it"
        }
    }

    @Test("The busiest second of a replay sets the backlog")
    func backlog() throws {
        let burst = Array(repeating: (time: Int64(1_500_000_000), device: UInt64?.none), count: 4000)
        #expect(try Self.plan(batch: 1, rows: burst).backlogCapacity(lasting: 2 * Nanoseconds.second) == 8000)
    }
}

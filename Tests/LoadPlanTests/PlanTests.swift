import Testing

@testable import LoadPlan

@Suite("Plans")
struct PlanTests {
    /// Every kind of phase, with and without batches, sub-second phases among them, and repeats.
    private static func profile(batch: Int? = 7) throws -> Profile {
        var profile = try Profile(
            json: """
                {
                  seed: 42,
                  load: {repeat: 2, phases: [
                    {name: "warm", duration: "137ms", rate: "1000/s", warmUp: true},
                    {name: "even", duration: "1s", rate: "999/s", repeat: 2},
                    {name: "random", duration: "3s", rate: "1001/s", arrivals: "poisson"},
                    {name: "climb", duration: "1s", ramp: {from: "0/s", to: "1234/s"}},
                    {name: "fall", duration: "1s", ramp: {from: "777/s", to: "1/s"}, arrivals: "poisson"},
                    {name: "stairs", duration: "333ms", steps: {from: "10/s", to: "2000/s", count: 9}},
                    {name: "spike", duration: "1s", spike: {base: "0/s", peak: "5000/s", at: "300ms", length: "1ms"}},
                    {name: "rest", duration: "1s", pause: true},
                    {name: "own", duration: "1s", rates: {fcm: "600k/min"}},
                    {name: "single", duration: "1ms", rate: "1/s"},
                  ]},
                }
                """,
            file: "test"
        )
        if let batch { profile.lanes["fcm"]?.batch = BatchSection(size: batch, inFlight: 4) }
        return profile
    }

    private static func pushes(_ plan: LanePlan, workers: Int) -> [PlannedPush] {
        (0..<workers)
            .flatMap { worker -> [PlannedPush] in
                var cursor = plan.cursor(worker: worker, of: workers)
                var pushes: [PlannedPush] = []
                while let due = cursor.nextDue {
                    #expect(due >= pushes.last?.due ?? 0)
                    pushes.append(cursor.take())
                    if pushes.last?.due != due || pushes.last.map({ $0.batch % UInt64(workers) }) != UInt64(worker) {
                        Issue.record("push \(pushes.count) of worker \(worker) of \(workers)")
                        return pushes
                    }
                }
                return pushes
            }
    }

    @Test("The plan is one sequence for 1, 2, 3, 4 and 7 workers", arguments: [nil, 7, 500])
    func workers(batch: Int?) throws {
        let plan = try LoadPlan(Self.profile(batch: batch))
        for lane in plan.lanes {
            let alone = Self.pushes(lane, workers: 1)
            #expect(alone.map(\.push) == Array(0..<UInt64(alone.count)))
            #expect(UInt64(alone.count) == lane.totalPlanned)
            for workers in [2, 3, 4, 7] {
                let together = Self.pushes(lane, workers: workers).sorted { $0.push < $1.push }
                #expect(together == alone, "\(workers) workers on \(lane.lane)")
            }
        }
    }

    @Test("A cursor agrees with the pacers' arithmetic, push by push", arguments: [1, 7])
    func pacers(batch: Int) throws {
        let plan = try LoadPlan(Self.profile(batch: batch))
        for lane in plan.lanes {
            var expected: [PlannedPush] = []
            for leg in lane.open {
                for n in 0..<leg.pacer.count {
                    let size = UInt64(lane.batchSize)
                    expected.append(
                        PlannedPush(
                            push: leg.firstPush + n,
                            batch: leg.firstBatch + n / size,
                            due: leg.start + leg.pacer.due(of: n / size * size),
                            phase: leg.phase
                        )
                    )
                }
            }
            #expect(Self.pushes(lane, workers: 1) == expected)
        }
    }

    @Test("Batches are taken whole, due with their first push, and end with their phase")
    func batches() throws {
        let profile = try Profile(
            json: """
                {lanes: {fcm: {batch: {size: 500}}}, fleet: {mix: {fcm: 1}}, load: {phases: [
                  {duration: "1s", rate: "1200/s"}, {duration: "1s", rate: "500/s"}]}}
                """,
            file: "test"
        )
        let lane = try LoadPlan(profile).lanes[2]
        var cursor = lane.cursor(worker: 0, of: 1)
        let batches = [
            PlannedBatch(firstPush: 0, count: 500, batch: 0, due: 0, phase: 0),
            PlannedBatch(firstPush: 500, count: 500, batch: 1, due: 416_666_666, phase: 0),
            PlannedBatch(firstPush: 1000, count: 200, batch: 2, due: 833_333_333, phase: 0),
            PlannedBatch(firstPush: 1200, count: 500, batch: 3, due: 1_000_000_000, phase: 1),
        ]
        for batch in batches { #expect(cursor.takeBatch() == batch) }
        #expect(cursor.nextDue == nil && cursor.nextDueOrMax == .max)
        var other = lane.cursor(worker: 1, of: 2)
        _ = other.take()
        #expect(other.takeBatch() == PlannedBatch(firstPush: 501, count: 499, batch: 1, due: 416_666_666, phase: 0))
        #expect(other.takeBatch() == batches[3])
        #expect(other.nextDue == nil)
        #expect(
            [-1, 0, 416_666_665, 416_666_666, 999_999_999, 1_000_000_000].map(lane.count) == [
                0, 500, 500, 1000, 1200, 1700,
            ]
        )
    }

    @Test("A stride of many workers stays exact over a day")
    func longStride() throws {
        let profile = try Profile(
            json:
                "{fleet: {mix: {fcm: 0.7, apns-sandbox: 0.3}}, load: {phases: [{duration: '1d', rate: '9999999/s'}]}}",
            file: "test"
        )
        let workers = 9_999_991
        for lane in try LoadPlan(profile).lanes.dropFirst() {
            let pacer = lane.open[0].pacer
            for worker in [0, 1, workers - 1] {
                var cursor = lane.cursor(worker: worker, of: workers)
                var (next, wrong) = (UInt64(worker), 0)
                while cursor.nextDue != nil {
                    let push = cursor.take()
                    if push.push != next || push.due != pacer.due(of: next) { wrong += 1 }
                    next += UInt64(workers)
                }
                #expect(wrong == 0)
                #expect(next >= pacer.count && next - UInt64(workers) < pacer.count)
            }
        }
    }

    @Test("More workers than pushes: each push has one owner, the others have none")
    func fewPushes() throws {
        let profile = try Profile(json: "{load: {phases: [{duration: '1s', rate: '3/s'}]}}", file: "test")
        let plan = try LoadPlan(profile)
        let counts = plan.lanes.map { Self.pushes($0, workers: 64).count }
        #expect(counts.reduce(0, +) == 3)
        #expect(plan.lanes.map(\.totalPlanned) == counts.map { UInt64($0) })
    }

    @Test("Phases follow each other with their repeats, the warm-up once")
    func legs() throws {
        let plan = try LoadPlan(Self.profile())
        let phases = [0] + Array(repeating: [1, 1, 2, 3, 4, 5, 6, 7, 8, 9], count: 2).flatMap { $0 }
        #expect(plan.legs.map(\.phase) == phases)
        #expect(plan.legs.map(\.warmUp) == phases.map { $0 == 0 })
        #expect(plan.legs.first?.start == 0)
        for (before, after) in zip(plan.legs, plan.legs.dropFirst()) { #expect(before.end == after.start) }
        #expect(plan.duration == (137 + 2 * (2000 + 3000 + 1000 + 1000 + 333 + 1000 + 1000 + 1000 + 1)) * 1_000_000)
        let planned = (0..<10).map { phase in plan.lanes.compactMap { $0.planned(inPhase: phase) }.reduce(0, +) }
        #expect(planned == [137, 3996, 6006, 1234, 778, 670, 10, 0, 20_000, 2])
        #expect(plan.lanes.map { $0.planned(inPhase: 8) } == [0, 0, 20_000])
        #expect(plan.lanes.compactMap(\.totalPlanned).reduce(0, +) == planned.reduce(0, +))
    }

    @Test("Every push of a phase is due within one of its rounds")
    func withinLegs() throws {
        let plan = try LoadPlan(Self.profile())
        for lane in plan.lanes {
            for push in Self.pushes(lane, workers: 1) {
                let leg = plan.legs.first { $0.start <= push.due && push.due < $0.end }
                #expect(leg?.phase == push.phase)
            }
        }
    }

    @Test("The seed moves Poisson arrivals and nothing else; rounds differ")
    func seeds() throws {
        var profile = try Self.profile(batch: nil)
        let first = try LoadPlan(profile).lanes[0]
        profile.seed = 43
        let second = try LoadPlan(profile).lanes[0]
        let pairs = zip(Self.pushes(first, workers: 1), Self.pushes(second, workers: 1))
        #expect(pairs.allSatisfy { [2, 4].contains($0.phase) || $0 == $1 })
        #expect(pairs.filter { [2, 4].contains($0.phase) && $0.due == $1.due }.count < 20)
        let rounds = first.open.filter { $0.phase == 2 }.map { leg in (0..<100).map(leg.pacer.due) }
        #expect(rounds.count == 2 && rounds[0] != rounds[1])
    }

    @Test("A CSV fleet's counts take the place of the mix")
    func csvWeights() throws {
        let profile = try Profile(
            json:
                "{fleet: {csv: 'x'}, load: {phases: [{duration: '1s', rate: '100/s'}, {rates: {apns-sandbox: '1/s'}}]}}",
            file: "test"
        )
        let plan = try LoadPlan(profile, laneWeights: [0, 1_234_567, 3 * 1_234_567])
        #expect(plan.lanes.map { $0.planned(inPhase: 0) } == [0, 25, 75])
        let error = BrokenRule(
            path: "load.phases[1].rates.apns-sandbox",
            message: "has a load, but the fleet has no devices of this lane"
        )
        #expect(throws: error) { try LoadPlan(profile, laneWeights: [1, 0, 0]) }
        #expect(throws: BrokenRule(path: "fleet.mix", message: "has no devices of any lane")) {
            try LoadPlan(profile, laneWeights: [0, 0, 0])
        }
    }

    @Test("The hash does not depend on order but on every part of a push")
    func hash() throws {
        func sum(_ pushes: [PlannedPush], lane: Int = 0, device: UInt64 = 9) -> UInt64 {
            pushes.reduce(0) { $0 &+ LoadPlan.hash(lane: lane, push: $1.push, device: device &+ $1.push, due: $1.due) }
        }
        let lane = try LoadPlan(Self.profile()).lanes[0]
        let pushes = Self.pushes(lane, workers: 1)
        #expect(sum(pushes) == sum(Self.pushes(lane, workers: 3)))
        #expect(sum(pushes) == sum(pushes.reversed()))
        #expect(sum(pushes) != sum(pushes, lane: 1))
        #expect(sum(pushes) != sum(pushes, device: 10))
        #expect(sum(pushes) != sum(Array(pushes.dropLast())))
        var late = pushes
        late[5].due += 1
        #expect(sum(pushes) != sum(late))
        var swapped = pushes
        (swapped[0].due, swapped[1].due) = (swapped[1].due, swapped[0].due)
        #expect(sum(pushes) != sum(swapped))
    }
}

import Fleet
import Histogram
import LoadPlan
import Sending
import Testing

@testable import Report

/// Runs in virtual time: each push is taken from the plan's cursors, and answered after a service time that depends on the
/// push alone.
@Suite("Merged shards against one run")
struct VirtualRunTests {
    private static func profile() throws -> Profile {
        try Profile(
            json: """
                {name: "virtual", seed: 11, lanes: {fcm: {batch: {size: 20, inFlight: 8}}}, load: {phases: [
                  {name: "warm", duration: "500ms", rate: "2000/s", warmUp: true},
                  {name: "even", duration: "2s", rate: "3000/s"},
                  {name: "random", duration: "1s", rate: "2000/s", arrivals: "poisson"},
                  {name: "closed", duration: "1s", inFlight: {apns-production: 9, fcm: 160}, pushes: 1505}]}}
                """,
            file: "test"
        )
    }

    /// What a shard would have measured.
    private static func run(_ profile: Profile, shard: Shard?, workers: Int) throws -> RunRecord {
        let plan = try LoadPlan(profile)
        var run = RunMeasurement(
            phases: zip(profile.load.phases, plan.legs)
                .map { RunMeasurement.Phase(name: $0.name, warmUp: $0.warmUp, start: $1.start, end: $1.end) },
            lanes: [],
            startedAt: SampleRun.startedAt
        )
        run.duration = plan.duration
        for (number, lane) in plan.lanes.enumerated() {
            var measured = LaneMeasurement(name: lane.lane, phases: profile.load.phases.count)
            var seconds: [Int: Histogram] = [:]
            for push in pushes(lane, shard: shard ?? .whole, workers: workers) {
                let hash = LoadPlan.hash(lane: number, push: push.push, device: push.push, due: push.due)
                let service = Int64(scramble(hash) % 50_000_000)
                run.planHash &+= hash
                run.sentHash &+= hash
                measured.phases[push.phase].add(service: service)
                seconds[Int((push.due + service) / SampleRun.second), default: Histogram()].record(service)
            }
            measured.timeline = seconds.sorted { $0.key < $1.key }
                .map { IntervalMeasurement(second: $0.key, phase: 0, response: SparseHistogram($0.value)) }
            run.lanes.append(measured)
        }
        run.shard = shard.map { ShardMeasurement($0, startedAt: SampleRun.startedAt) }
        return SampleRun.record(run, profile: profile)
    }

    private static func pushes(_ lane: LanePlan, shard: Shard, workers: Int) -> [PlannedPush] {
        (0..<workers)
            .flatMap { worker -> [PlannedPush] in
                var open = lane.cursor(worker: worker, of: workers, in: shard)
                var closed = lane.closedCursor(worker: worker, of: workers, in: shard)
                var pushes: [PlannedPush] = []
                while open.nextDue != nil { pushes.append(open.take()) }
                while let window = closed.window {
                    while let push = closed.take(at: window.start) { pushes.append(push) }
                    closed.leaveWindow()
                }
                return pushes
            }
    }

    @Test("Counts, hashes, histograms and timelines are those of one run, bit for bit", arguments: [1, 2, 3, 4, 7])
    func equal(count: Int) throws {
        let profile = try Self.profile()
        let alone = try Self.run(profile, shard: nil, workers: 2)
        var merge = RecordMerge()
        for number in 0..<count {
            let record = try Self.run(profile, shard: Shard(number, of: count), workers: 1 + number % 3)
            // As it comes back from its file.
            try merge.add(RunRecord(json: Array(RecordTests.json(record).utf8), file: "shard"))
        }
        let merged = try merge.result(RecordMerge.Rules(), file: "test")
        #expect(merged.verdict.isValid, "\(merged.verdict.causes)")
        #expect(alone.accounting.planned == 1000 + 6000 + 2000 + 1505)
        #expect(merged.accounting == alone.accounting)
        #expect(merged.planHash == alone.planHash && merged.sentHash == alone.sentHash)
        #expect(merged.phases == alone.phases)
        #expect(merged.lanes == alone.lanes)
    }
}

extension RecordMerge {
    fileprivate mutating func add(_ record: RunRecord) throws(RecordError) { try add(record, file: "test") }
}

extension PhaseMeasurement {
    fileprivate mutating func add(service: Int64) {
        counts.planned += 1
        counts.delivered += 1
        counts.attempts += 1
        clocks.response.record(service)
        clocks.service.record(service)
        clocks.lag.record(0)
        clocks.streamWait.record(0)
        outcomes.merge([OutcomeRow(status: 200, reason: "", disposition: "delivered", count: 1)])
    }
}

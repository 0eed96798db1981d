import Histogram
import LoadPlan
import Sending

@testable import Report

/// Records of shards, made up from a seed.
enum SampleShard {
    static let lanes = [LaneName.apnsProduction, LaneName.fcm, LaneName.apnsSandbox]

    /// A shard's own record, with random numbers in all that is measured.
    ///
    /// - Parameters:
    ///   - late: how long after the agreed start it began, in nanoseconds.
    ///   - change: what is different from what the other shards ran.
    static func record(
        _ number: Int,
        of count: Int,
        seed: UInt64,
        late: Int64 = 0,
        _ change: (inout Profile) -> Void = { _ in }
    ) -> RunRecord {
        var random = SplitMix(state: seed)
        var profile = SampleRun.profile
        change(&profile)
        var run = RunMeasurement(
            phases: [
                RunMeasurement.Phase(name: "warm-up", warmUp: true, start: 0, end: SampleRun.second),
                RunMeasurement.Phase(name: "steady", warmUp: false, start: SampleRun.second, end: 4 * SampleRun.second),
            ],
            lanes: lanes.shuffled(using: &random).prefix(2).map { lane($0, &random) },
            startedAt: SampleRun.startedAt + late
        )
        run.duration = 4 * SampleRun.second + Int64.random(in: 0..<1000, using: &random)
        run.planHash = random.next()
        run.sentHash = random.next()
        run.generator = SampleRun.healthy.generator
        run.generator.workerCPU = [Int64.random(in: 0..<1000, using: &random)]
        run.credentials = SampleRun.healthy.credentials
        run.connections = (0..<3)
            .map { connection in
                var row = ConnectionMeasurement(
                    lane: lanes[connection],
                    worker: Int.random(in: 0..<2, using: &random),
                    connection: connection
                )
                row.streams = UInt64.random(in: 0..<100, using: &random)
                return row
            }
            .shuffled(using: &random)
        run.shard = ShardMeasurement(Shard(number - 1, of: count), startedAt: SampleRun.startedAt + late)
        run.shard?.agreedStart = SampleRun.startedAt
        run.shard?.plannedByAll = 12_000
        return SampleRun.record(run, profile: profile)
    }

    private static func lane(_ name: String, _ random: inout SplitMix) -> LaneMeasurement {
        var lane = LaneMeasurement(name: name, phases: 2)
        for index in lane.phases.indices {
            let outcomes = [
                OutcomeRow(
                    status: 200,
                    reason: "",
                    disposition: "delivered",
                    count: .random(in: 1..<99, using: &random)
                ),
                OutcomeRow(status: 410, reason: "Unregistered", disposition: "removeDevice", count: 3),
                OutcomeRow(status: nil, reason: "timed out", disposition: "failed", count: 2),
            ]
            let some = Array(outcomes.shuffled(using: &random).prefix(2))
            lane.phases[index] = SampleRun.phase(planned: some.reduce(0) { $0 + $1.count }, outcomes: some)
            for _ in 0..<20 {
                lane.phases[index].clocks.response.record(.random(in: 0..<SampleRun.second, using: &random))
                lane.phases[index].clocks.lag.record(.random(in: 0..<1000, using: &random))
            }
        }
        for second in 0..<Int.random(in: 2..<5, using: &random) {
            var interval = IntervalMeasurement(second: second, phase: second == 0 ? 0 : 1)
            interval.sent = .random(in: 0..<100, using: &random)
            var response = Histogram()
            response.record(.random(in: 0..<SampleRun.second, using: &random))
            interval.response = SparseHistogram(response)
            lane.timeline.append(interval)
        }
        lane.handshake.record(.random(in: 0..<SampleRun.second, using: &random))
        lane.bytesOut = .random(in: 0..<1000, using: &random)
        return lane
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return scramble(state)
    }
}

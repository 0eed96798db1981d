import Histogram
import LoadPlan
import Testing

@testable import Sending

@Suite("Results that cannot be")
struct ContradictionTests {
    /// Four pushes: two answered, one failed after it was sent and one never sent; a retry.
    private static var sound: RunMeasurement {
        var run = RunMeasurement(
            phases: [RunMeasurement.Phase(name: "steady", warmUp: false, start: 0, end: 1_000)],
            lanes: [LaneMeasurement(name: "fcm", phases: 1)],
            startedAt: 0
        )
        run.duration = 1_000
        run.planHash = 1
        run.sentHash = 2
        var phase = PhaseMeasurement()
        phase.counts.planned = 4
        phase.counts.delivered = 1
        phase.counts.rejected = 1
        phase.counts.failed = 1
        phase.counts.skipped = 1
        phase.counts.attempts = 4
        phase.counts.retries = 1
        phase.clocks.response.record(1_000, times: 2)
        phase.clocks.service.record(900, times: 2)
        phase.clocks.lag.record(1, times: 4)
        phase.clocks.streamWait.record(99, times: 3)
        run.lanes[0].phases[0] = phase
        return run
    }

    private static let all = "all 3 planned pushes were sent, but to other devices or at other times than planned"

    @Test func aSoundRunHasNone() {
        #expect(Self.sound.findings == [])
        #expect(RunMeasurement(phases: [], lanes: [], startedAt: 0).findings == [])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var spoil: @Sendable (inout PhaseMeasurement) -> Void
    }

    @Test(arguments: [
        Case(testDescription: "fcm in phase steady: 3 times of response for 2 pushes") { $0.clocks.response.record(5) },
        Case(testDescription: "fcm in phase steady: 3 times of service for 2 pushes") { $0.clocks.service.record(5) },
        Case(testDescription: "fcm in phase steady: 4 times of stream_wait for 3 pushes") {
            $0.clocks.streamWait.record(5)
        },
        Case(testDescription: "fcm in phase steady: 3 planned, 4 attempts and 0 retries") {
            $0.counts.planned = 3
            $0.counts.retries = 0
            $0.clocks.streamWait.record(5)
        },
        Case(testDescription: "fcm in phase steady: a service time of 1000 ns is longer than every response time") {
            $0.clocks.response.reset()
            $0.clocks.response.record(999, times: 2)
            $0.clocks.service.reset()
            $0.clocks.service.record(1_000, times: 2)
        },
        Case(testDescription: "fcm in phase steady: lag of 1001 ns is longer than the run, 1000 ns") {
            $0.clocks.lag.record(1_001)
        },
        Case(testDescription: all) { $0.counts.planned = 3 },
    ]) func found(example: Case) {
        var run = Self.sound
        example.spoil(&run.lanes[0].phases[0])
        #expect(run.findings == [example.testDescription])
    }
}

@Suite("Steps of the wall clock")
struct ClockWatchTests {
    @Test(
        arguments: [
            ([(100, 0), (110, 10), (5_100, 5_000)], 0), ([(100, 0), (90, 10)], -20),
            ([(0, 0), (35, 10), (20, 20)], 25),
            ([(0, 0), (11, 10), (17, 20)], -3), ([(7, 3)], 0), ([], 0),
        ] as [([(Int64, Int64)], Int64)]
    ) func steps(readings: [(Int64, Int64)], largest: Int64) {
        var watch = ClockWatch()
        for (wall, monotonic) in readings { watch.observe(wall: wall, monotonic: monotonic) }
        #expect(watch.largestStep == largest)
    }
}

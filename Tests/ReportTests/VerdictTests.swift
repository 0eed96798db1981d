import Histogram
import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Verdict")
struct VerdictTests {
    /// A way to spoil a healthy run, and what the verdict must say about it.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var names: [VerdictCause.Name]
        var sentence: String
        var spoil: @Sendable (inout RunMeasurement) -> Void
    }

    static let invalidRuns: [Case] = [
        Case(
            testDescription: "2% of the pushes are late",
            names: [.lag],
            sentence: "lag p99 was 7.2 ms, above the bound of 5.0 ms: the generator was late with its own plan"
        ) { run in
            run.lanes[0].phases[1].clocks.lag.record(7_200_000, times: 300)
        },
        Case(
            testDescription: "no time to send though streams were free",
            names: [.sentShare],
            sentence:
                "fcm: 76 of 7,500 planned pushes (1.01%) were left unsent at the end though streams were free, above the "
                + "bound of 1%: the generator, or the batches it may have in flight, were too few"
        ) { run in
            run.lanes[1].skip(76, for: .loadEnded)
        },
        Case(
            testDescription: "batches that never end: what overflowed was not sent either",
            names: [.sentShare, .backlog],
            sentence:
                "fcm: 5,000 of 7,500 planned pushes (66.67%) were left unsent at the end though streams were free, above "
                + "the bound of 1%: the generator, or the batches it may have in flight, were too few"
        ) { run in
            run.lanes[1].skip(5_000, for: .loadEnded)
            run.lanes[1].skip(2_000, for: .backlogFull)
        },
        Case(
            testDescription: "backlog overflow",
            names: [.backlog],
            sentence: "fcm: the backlog overflowed and 7 pushes were never sent, above the bound of 0: the pool or the "
                + "host was too small for the planned rate"
        ) { run in
            run.lanes[1].skip(7, for: .backlogFull)
            run.generator.backlogOverflowed = true
        },
        Case(
            testDescription: "backlog overflow that no push tells of",
            names: [.backlog],
            sentence: "a lane's backlog overflowed, though no skipped push says so"
        ) { run in
            run.generator.backlogOverflowed = true
        },
        Case(
            testDescription: "loop stall",
            names: [.stall],
            sentence: "a worker's loop stood still for 251 ms, above the bound of 250 ms"
        ) { run in
            run.generator.longestStall = 250_500_000
        },
        Case(
            testDescription: "worker without CPU to spare",
            names: [.workerCPU],
            sentence: "worker 1 used 97% of a core, above the bound of 95%: there was none to spare"
        ) { run in
            run.generator.workerCPU = [run.duration / 2, run.duration / 100 * 97]
        },
        Case(
            testDescription: "clock set back",
            names: [.clockStep],
            sentence: "the wall clock stepped by -1.5 s against the monotonic clock, above the bound of 100 ms"
        ) { run in
            run.generator.clockStep = -1_500_000_000
        },
        Case(
            testDescription: "a worker that broke down",
            names: [.workerFailure],
            sentence:
                "worker 1: epoll_wait: Bad file descriptor: the worker broke down, and the run was ended with what "
                + "was measured until then"
        ) { run in
            run.generator.failure = "worker 1: epoll_wait: Bad file descriptor"
        },
        Case(
            testDescription: "a push without an end",
            names: [.accounting],
            sentence: "apns-production in phase steady: 7,501 pushes were planned, but 7,500 ended and 7,500 ends are "
                + "named; the three must be equal: this is a bug in pushbench, please report it"
        ) { run in
            run.lanes[0].phases[1].counts.planned += 1
        },
        Case(
            testDescription: "an end that nobody named, in the warm-up",
            names: [.accounting],
            sentence: "fcm in phase warm-up: 1,501 pushes were planned, but 1,501 ended and 1,500 ends are named; the "
                + "three must be equal: this is a bug in pushbench, please report it"
        ) { run in
            run.lanes[1].phases[0].counts.planned += 1
            run.lanes[1].phases[0].counts.failed += 1
        },
        Case(
            testDescription: "counts and clocks that contradict each other",
            names: [.impossible],
            sentence: "2 times for 1 push: this can't be and is a bug in pushbench, please report it"
        ) { run in
            run.contradictions = ["2 times for 1 push"]
        },
        Case(
            testDescription: "everything at once, in a fixed order",
            names: [
                .accounting, .impossible, .impossible, .lag, .sentShare, .backlog, .stall, .workerCPU, .clockStep,
                .workerFailure,
            ],
            sentence: "lag p99 was 1.0 s, above the bound of 5.0 ms: the generator was late with its own plan"
        ) { run in
            run.lanes[0].phases[1].counts.planned += 1
            run.lanes[0].phases[1].clocks.lag.record(1_000_000_000, times: 300)
            run.lanes[1].skip(750, for: .loadEnded)
            run.lanes[1].skip(1, for: .backlogFull)
            run.contradictions = ["one", "two"]
            run.generator.longestStall = run.duration
            run.generator.workerCPU = [run.duration]
            run.generator.clockStep = run.duration
            run.generator.failure = "worker 0: epoll_wait: Invalid argument"
        },
    ]

    @Test(arguments: invalidRuns)
    func invalid(example: Case) throws {
        var run = SampleRun.healthy
        example.spoil(&run)
        let verdict = Verdict(on: run, within: VerdictBounds())
        #expect(verdict.word == "INVALID")
        #expect(verdict.causes.map(\.name) == example.names)
        #expect(verdict.causes.map(\.sentence).contains(example.sentence), "\(verdict.causes.map(\.sentence))")
    }

    static let validRuns: [Case] = [
        Case(testDescription: "healthy", names: [], sentence: "") { _ in },
        Case(testDescription: "lag at the bound", names: [], sentence: "") { run in
            for lane in run.lanes.indices { run.lanes[lane].phases[1].clocks.lag.record(4_999_000, times: 9_000) }
        },
        Case(testDescription: "99% sent", names: [], sentence: "") { run in
            run.lanes[1].skip(75, for: .loadEnded)
        },
        Case(testDescription: "the host had no room", names: [], sentence: "") { run in
            run.lanes[1].skip(1_000, for: .noStream)
        },
        Case(testDescription: "there was no token", names: [], sentence: "") { run in
            run.lanes[1].skip(1_000, for: .noToken)
        },
        Case(testDescription: "halted and interrupted", names: [], sentence: "") { run in
            run.lanes[0].skip(3_000, for: .laneHalted)
            run.lanes[1].skip(3_000, for: .interrupted)
        },
        Case(testDescription: "a bad warm-up", names: [], sentence: "") { run in
            run.lanes[0].phases[0].clocks.lag.record(900_000_000, times: 1_000_000)
            run.lanes[0].skip(1_000, for: .backlogFull, phase: 0)
            run.generator.backlogOverflowed = true
        },
        Case(testDescription: "at the generator's bounds", names: [], sentence: "") { run in
            run.generator.longestStall = 250_000_000
            run.generator.clockStep = -100_000_000
            run.generator.workerCPU = [run.duration / 100 * 95]
        },
    ]

    @Test(arguments: validRuns)
    func valid(example: Case) {
        var run = SampleRun.healthy
        example.spoil(&run)
        let verdict = Verdict(on: run, within: VerdictBounds())
        #expect(verdict.word == "VALID", "\(verdict.causes.map(\.sentence))")
    }

    @Test(arguments: [SampleRun.empty, SampleRun.idle, SampleRun.short])
    func nothingToJudge(run: RunMeasurement) {
        #expect(Verdict(on: run, within: VerdictBounds()).isValid)
    }

    @Test func theProfilesBoundsCount() {
        var profile = SampleRun.profile
        profile.verdict.lagP99 = 100_000
        let record = SampleRun.record(SampleRun.healthy, profile: profile)
        #expect(record.verdict.causes.map(\.name) == [.lag])
    }
}

extension LaneMeasurement {
    /// Turns delivered pushes into skipped ones.
    mutating func skip(_ count: UInt64, for cause: SkipCause, phase: Int = 1) {
        phases[phase].counts.delivered -= count
        phases[phase].counts.skipped += count
        phases[phase].outcomes[0].count -= count
        phases[phase].outcomes.append(OutcomeRow(disposition: "skipped", reason: cause.rawValue, count: count))
        let sent = phases[phase].clocks.streamWait.count - count
        phases[phase].clocks.streamWait.reset()
        phases[phase].clocks.streamWait.record(4_000, times: sent)
    }
}

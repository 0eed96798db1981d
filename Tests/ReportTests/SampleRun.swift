import Histogram
import LoadPlan
import Sending

@testable import Report

/// Runs made up for tests: small, exact and the same every time.
enum SampleRun {
    static let second: Int64 = 1_000_000_000
    static let millisecond: Int64 = 1_000_000

    /// 2026-11-30T09:20:00.125Z.
    static let startedAt: Int64 = 1_796_030_400_125_000_000

    static let environment = RunEnvironment(
        revision: "0123abc",
        toolchain: "Swift 6.3.1, release",
        machine: MachineRecord(
            processor: "Some CPU, 3 GHz",
            architecture: "x86_64",
            cores: 4,
            usableCores: 2,
            memoryBytes: 4_294_967_296,
            isVirtual: true,
            kernel: "6.1.0",
            distribution: "Debian GNU/Linux 12 (bookworm)"
        ),
        libraries: [
            LibraryVersion(name: "nghttp2", version: "1.52.0"), LibraryVersion(name: "zlib", version: "1.2.13"),
        ],
        allocator: "jemalloc 5.3.0",
        hosts: "mock hosts, faithful",
        devices: 1_000_000
    )

    static var profile: Profile {
        var profile = Profile()
        profile.name = "mixed-fleet"
        profile.seed = 42
        return profile
    }

    /// Two lanes, a warm-up of 3 s and 15 s of load, 1,000 pushes a second; `fcm` sends batches.
    static var healthy: RunMeasurement {
        var run = RunMeasurement(
            phases: [
                RunMeasurement.Phase(name: "warm-up", warmUp: true, start: 0, end: 3 * second),
                RunMeasurement.Phase(name: "steady", warmUp: false, start: 3 * second, end: 18 * second),
            ],
            lanes: [lane("apns-production", rate: 500), lane("fcm", rate: 500)],
            startedAt: startedAt
        )
        run.lanes[1].batch.record(61 * millisecond, times: 15)
        run.lanes[1].batch.record(40 * millisecond, times: 135)
        run.duration = 18 * second + 40 * millisecond
        run.planHash = 0x0123_4567_89ab_cdef
        run.sentHash = 0x0000_0000_0000_00ff
        run.generator = generator
        run.credentials = [credential]
        run.connections = [connection]
        return run
    }

    /// Nothing was planned: a phase of no length, no lane.
    static var empty: RunMeasurement {
        RunMeasurement(
            phases: [RunMeasurement.Phase(name: "steady", warmUp: false, start: 0, end: 0)],
            lanes: [],
            startedAt: startedAt
        )
    }

    /// A lane that was there and had nothing to do.
    static var idle: RunMeasurement {
        var run = empty
        run.lanes = [LaneMeasurement(name: "fcm", phases: 1)]
        return run
    }

    /// One push, which ended without an answer when the user pressed Ctrl-C.
    static var short: RunMeasurement {
        var run = RunMeasurement(
            phases: [RunMeasurement.Phase(name: "steady", warmUp: false, start: 0, end: 400 * millisecond)],
            lanes: [LaneMeasurement(name: "apns-sandbox", phases: 1)],
            startedAt: startedAt
        )
        run.lanes[0].phases[0] = phase(planned: 1, outcomes: [OutcomeRow(disposition: "unanswered", count: 1)])
        run.lanes[0].phases[0].clocks.lag.record(312)
        run.lanes[0].phases[0].clocks.streamWait.record(9_960)
        run.duration = 400 * millisecond
        run.interrupted = true
        return run
    }

    static func record(_ run: RunMeasurement, profile: Profile = profile) -> RunRecord {
        RunRecord(measurement: run, profile: profile, environment: environment)
    }

    /// Counts that go with the outcomes, and no times.
    static func phase(planned: UInt64, outcomes: [OutcomeRow]) -> PhaseMeasurement {
        var phase = PhaseMeasurement()
        phase.counts.planned = planned
        phase.outcomes = outcomes
        for row in outcomes {
            switch row.disposition {
            case "delivered": phase.counts.delivered += row.count
            case "failed": phase.counts.failed += row.count
            case "skipped": phase.counts.skipped += row.count
            case "unanswered": phase.counts.unanswered += row.count
            default: phase.counts.rejected += row.count
            }
        }
        phase.counts.attempts = planned - phase.counts.skipped
        return phase
    }

    private static func lane(_ name: String, rate: UInt64) -> LaneMeasurement {
        var lane = LaneMeasurement(name: name, phases: 2)
        for (index, seconds) in [(0, 3), (1, 15)] as [(Int, UInt64)] {
            lane.phases[index] = steady(planned: rate * seconds)
        }
        for second in 0..<18 {
            var response = Histogram()
            response.record(20 * millisecond, times: rate - 5)
            response.record(27 * millisecond, times: 5)
            var interval = IntervalMeasurement(
                second: second,
                phase: second < 3 ? 0 : 1,
                response: SparseHistogram(response)
            )
            interval.planned = rate
            interval.sent = rate
            interval.delivered = rate - 5
            interval.rejected = 5
            interval.inFlight = 10
            interval.connections = 2
            lane.timeline.append(interval)
        }
        lane.handshake.record(2 * millisecond, times: 2)
        lane.bytesOut = rate * 18 * 200
        lane.bytesIn = rate * 18 * 60
        return lane
    }

    /// One of a hundred is rejected; times are those of a healthy host.
    private static func steady(planned: UInt64) -> PhaseMeasurement {
        let gone = planned / 200
        let malformed = planned / 100 - gone
        let delivered = planned - gone - malformed
        var phase = phase(
            planned: planned,
            outcomes: [
                OutcomeRow(status: 200, reason: "", disposition: "delivered", count: delivered),
                OutcomeRow(status: 410, reason: "Unregistered", disposition: "removeDevice", count: gone),
                OutcomeRow(status: 400, reason: "BadDeviceToken", disposition: "invalidDevice", count: malformed),
            ]
        )
        phase.clocks.response.record(20_480_000, times: planned - gone)
        phase.clocks.response.record(31 * millisecond, times: gone)
        phase.clocks.service.record(20_100_000, times: planned - gone)
        phase.clocks.service.record(30 * millisecond, times: gone)
        phase.clocks.lag.record(200_000, times: planned)
        phase.clocks.streamWait.record(4_000, times: planned)
        return phase
    }

    static var generator: GeneratorMeasurement {
        var generator = GeneratorMeasurement()
        generator.workers = 1
        generator.cpu = 4_320 * millisecond
        generator.workerCPU = [4_000 * millisecond]
        generator.peakMemory = 64 << 20
        generator.allocations = 30_500
        generator.allocationsInHTTP2 = 30_000
        generator.allocationsPushes = 10_000
        generator.longestStall = 3 * millisecond
        return generator
    }

    private static var credential: CredentialMeasurement {
        var use = CredentialMeasurement(lane: "apns-production", credential: "ABC123DEFG")
        use.signed = 1
        use.servedFromCache = 9_000
        use.signP50 = 31_250
        use.signMax = 31_250
        use.oldestUsed = 18 * second
        return use
    }

    /// Closed by a peer whose words need every rule of RFC 4180.
    private static var connection: ConnectionMeasurement {
        var life = ConnectionMeasurement(lane: "fcm", worker: 0, connection: 3)
        life.opened = -1_500_000
        life.closed = 18 * second
        life.connect = 55_123
        life.handshake = 2 * millisecond
        life.streams = 9_000
        life.peakStreams = 12
        life.peerLimitMin = 100
        life.peerLimitMax = 100
        life.bytesOut = 1_800_000
        life.bytesIn = 540_000
        life.goAwayCode = 0
        life.goAwayReason = "bye, \"friend\"\r\nsee you"
        life.goAwayLastStream = 17_999
        life.closedBy = "peer"
        return life
    }
}

extension OutcomeRow {
    /// An end that no host had a word for.
    init(disposition: String, reason: String = "", count: UInt64) {
        self.init(status: nil, reason: reason, disposition: disposition, count: count)
    }
}

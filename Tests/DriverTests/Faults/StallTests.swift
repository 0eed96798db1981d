import HTTP2
import Histogram
import LoadPlan
import Sending
import TestSupport
import Testing

@testable import Driver

/// What a run says of time that was lost, at the host or here.
extension WholeRuns {
    @Suite("Stalls")
    struct StallTests {
        @Test(
            "A frozen host shows as response time and not as service time: no coordinated omission",
            .disabled(if: Sanitizer.isOn, "8 streams of a much slower host don't do 1,000 pushes a second")
        )
        func frozenHost() throws {
            let second = Nanoseconds.second
            var script = Script()
            script.serviceTime = 2 * Nanoseconds.millisecond
            script.events = [(4 * second, .freeze(2 * second))]
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = 10 * second
                profile.load.phases[0].shape = .constant(.total(.perSecond(1000)))
                profile.lanes[LaneName.apnsProduction]?.connections = 1
                // All that the host can hold up itself: 8 of 10,000 pushes, less than one in a hundred.
                profile.lanes[LaneName.apnsProduction]?.streams = .fixed(8)
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 10 * second
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 10_000)
            let frozen = try #require(trial.host.frozen)
            let clocks = trial.lane.phases[0].clocks
            let expected = Self.shortestP99(frozen: frozen, of: 10_000)
            #expect(
                expected >= 19 * second / 10 - 2 * Self.interval,
                "as long as the freeze, less one in a hundred of the run"
            )
            // Nothing was answered before the freeze was over. A value is known to three digits.
            #expect(clocks.response.value(atQuantile: 0.99) >= expected - expected / 1000)
            #expect(clocks.service.value(atQuantile: 0.99) < (frozen.to - frozen.from) / 4)
            #expect(clocks.streamWait.value(atQuantile: 0.99) >= expected - expected / 1000 - second / 10)
            #expect(clocks.lag.value(atQuantile: 0.99) < (frozen.to - frozen.from) / 4)
        }

        private static let interval = Nanoseconds.millisecond

        /// The least that the 99th percentile of response times can be.
        ///
        /// Of pushes that are due every ``interval``, each one that is due during the freeze waits for its end.
        private static func shortestP99(frozen: (from: Int64, to: Int64), of pushes: Int) -> Int64 {
            var waits: [Int64] = []
            // The worst case: a push was due just before the freeze, so that the next one is due an interval into it.
            var due = frozen.from + interval
            while due < frozen.to {
                waits.append(frozen.to - due)
                due += interval
            }
            waits += Array(repeating: 0, count: max(0, pushes - waits.count))
            return waits.sorted()[(pushes * 99 + 99) / 100 - 1]
        }

        @Test("A worker that stands still blames neither host nor pushes, and the run says so")
        func frozenWorker() throws {
            let stall = Stall(of: "worker 0", at: 200 * Nanoseconds.millisecond, for: 2 * Nanoseconds.second)
            let trial = try Trial(Script()) { profile in
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 600 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.timeouts.keepAlive = 600 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.timeouts.connect = 600 * Nanoseconds.millisecond
            } observe: { elapsed in
                stall.beginIfDue(at: elapsed)
                return 0
            }
            #expect(stall.hasBegun)
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.run.connections.count == 2, "\(trial.run.connections.map(\.closedBy))")
            // What the verdict is made from.
            #expect(trial.run.generator.longestStall >= 1900 * Nanoseconds.millisecond)
            #expect(trial.lane.phases[0].clocks.lag.value(atQuantile: 0.99) >= 1600 * Nanoseconds.millisecond)
        }

        @Test("A worker that computes shows as CPU time of its thread")
        func busyWorker() throws {
            let spin = 200 * Nanoseconds.millisecond
            let stall = Stall(of: "worker 0", at: 100 * Nanoseconds.millisecond, for: spin, spinning: true)
            let trial = try Trial(Script()) { _ in
            } observe: { elapsed in
                stall.beginIfDue(at: elapsed)
                return 0
            }
            #expect(stall.hasBegun)
            trial.checkAccounts()
            #expect(trial.run.generator.workerCPU.count == 1 && trial.run.generator.workerCPU[0] >= spin)
        }

        @Test("A host that is too slow for the load overflows the backlog, and the run ends in time all the same")
        func overflow() throws {
            var script = Script()
            script.serviceTime = 100 * Nanoseconds.millisecond
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = 3 * Nanoseconds.second / 2
                profile.load.phases[0].shape = .constant(.total(.perSecond(4000)))
                // Rounded up to that of a second.
                profile.load.backlog = Nanoseconds.millisecond
                profile.load.drain = 200 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.streams = .fixed(10)
            }
            trial.checkAccounts()
            #expect(trial.counts.planned == 6000 && trial.run.generator.backlogOverflowed)
            #expect(trial.count(SkipCause.backlogFull.rawValue) > 0)
            #expect(trial.count(SkipCause.noStream.rawValue) > 0)
            #expect(trial.run.planHash != trial.run.sentHash)
        }

        @Test("A run that the user ends keeps all that was measured", arguments: [1, 2])
        func interrupted(times: Int) throws {
            var script = Script()
            script.react = { $0.total % 3 == 0 ? .init(reply: .reset(.refusedStream)) : .init(reply: .never) }
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = 60 * Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 60 * Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.streams = .fixed(20)
            } observe: { elapsed in
                elapsed > 300 * Nanoseconds.millisecond ? times : 0
            }
            trial.checkAccounts()
            #expect(trial.run.duration < 10 * Nanoseconds.second)
            #expect(trial.counts.unanswered > 0 && trial.counts.skipped > 0 && trial.counts.delivered == 0)
        }
    }
}

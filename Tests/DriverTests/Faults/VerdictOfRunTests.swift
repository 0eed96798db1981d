import LoadPlan
import Report
import Sending
import Testing
import Transport

@testable import Driver

/// Every cause of disbelief, provoked in a whole run.
extension WholeRuns {
    @Suite("Verdicts of runs")
    struct VerdictOfRunTests {
        /// What the verdict names; causes that a busy machine adds of its own accord are left out.
        private static func causes(_ trial: Trial, of names: [VerdictCause.Name]) -> Set<VerdictCause.Name> {
            trial.checkAccounts()
            let verdict = Verdict(on: trial.run, within: trial.profile.verdict)
            #expect(verdict.bugs.isEmpty, "\(verdict.bugs)")
            return Set(verdict.causes.map(\.name)).intersection(names)
        }

        @Test("A worker that stands still: stall and lag")
        func stall() throws {
            let stall = Stall(of: "worker 0", at: 200 * Nanoseconds.millisecond, for: 700 * Nanoseconds.millisecond)
            let trial = try Trial(Script()) { profile in
                profile.load.phases[0].duration = 1500 * Nanoseconds.millisecond
            } observe: { elapsed in
                stall.beginIfDue(at: elapsed)
                return 0
            }
            #expect(stall.hasBegun)
            #expect(Self.causes(trial, of: [.stall, .lag, .sentShare]) == [.stall, .lag])
        }

        @Test("A worker that computes for most of the run: no CPU to spare")
        func cpu() throws {
            let spin = 300 * Nanoseconds.millisecond
            let stall = Stall(of: "worker 0", at: 100 * Nanoseconds.millisecond, for: spin, spinning: true)
            let trial = try Trial(Script()) { profile in
                // The machine decides how long the run takes with it; a third of what it should take is enough.
                profile.verdict.workerCPU = 0.01
                profile.load.drain = Nanoseconds.second
            } observe: { elapsed in
                stall.beginIfDue(at: elapsed)
                return 0
            }
            #expect(stall.hasBegun && Self.causes(trial, of: [.workerCPU]) == [.workerCPU])
        }

        @Test("A wall clock that is set, ahead or back", arguments: [3600, -3600])
        func clockStep(seconds: Int64) throws {
            let clock = SteppingClock()
            let trial = try Trial(Script()) { _ in
            } observe: { elapsed in
                if elapsed > 200 * Nanoseconds.millisecond { clock.offset = seconds * Nanoseconds.second }
                return 0
            } wallClock: {
                clock.now()
            }
            #expect(Self.causes(trial, of: [.clockStep]) == [.clockStep])
            let missed = trial.run.generator.clockStep - seconds * Nanoseconds.second
            #expect(missed.magnitude < Nanoseconds.second.magnitude)
        }

        @Test("A host too slow for the load: overflow, and no word of room that there was not")
        func overflow() throws {
            var script = Script()
            script.serviceTime = 100 * Nanoseconds.millisecond
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = 3 * Nanoseconds.second / 2
                profile.load.phases[0].shape = .constant(.total(.perSecond(4000)))
                profile.load.backlog = Nanoseconds.millisecond
                profile.load.drain = 200 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.streams = .fixed(10)
            }
            #expect(Self.causes(trial, of: [.backlog, .sentShare]) == [.backlog])
            #expect(trial.count(SkipCause.loadEnded.rawValue) == 0)
        }

        @Test("Too few batches in flight: a shortfall though streams were free")
        func shortfall() throws {
            var script = Script()
            script.serviceTime = 100 * Nanoseconds.millisecond
            let trial = try Trial(script) { profile in
                profile.fleet.mix = [LaneShare(lane: LaneName.fcm, share: 1)]
                profile.lanes[LaneName.fcm]?.batch = BatchSection(size: 5, inFlight: 1)
                profile.load.drain = 200 * Nanoseconds.millisecond
            }
            #expect(trial.count(SkipCause.loadEnded.rawValue) > 100)
            #expect(Self.causes(trial, of: [.backlog, .sentShare]) == [.sentShare])
        }

        @Test("A host that is frozen at the end: what it held back is not laid at the generator's door")
        func frozenAtTheEnd() throws {
            var script = Script()
            script.events = [(250 * Nanoseconds.millisecond, .freeze(3 * Nanoseconds.second))]
            let trial = try Trial(script) { profile in
                profile.load.drain = 300 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.streams = .fixed(10)
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 10 * Nanoseconds.second
            }
            #expect(trial.count(SkipCause.noStream.rawValue) > 0 && trial.counts.unanswered > 0)
            #expect(Self.causes(trial, of: [.backlog, .sentShare, .stall]).isSubset(of: [.stall]))
        }

        @Test("A worker whose epoll fails: what was measured until then, by all workers, and the failure by its name")
        func brokenWorker() throws {
            let broken = BrokenPoller(at: 200 * Nanoseconds.millisecond)
            let trial = try Trial(Script(), workers: 2) { profile in
                profile.load.phases[0].duration = 600 * Nanoseconds.second
            } observe: { elapsed in
                broken.breakIfDue(at: elapsed)
                return 0
            } serving: { port in
                broken.port = port
            }
            #expect(broken.hasBroken && Self.causes(trial, of: [.workerFailure]) == [.workerFailure])
            let failure = try #require(trial.run.generator.failure)
            #expect(failure.contains(/^worker [01]: .*epoll_wait/), "\(failure)")
            #expect(trial.counts.delivered > 0 && trial.run.interrupted)
            #expect(trial.run.generator.workerCPU.count == 2)
            #expect(Set(trial.run.connections.map(\.worker)) == [0, 1])
        }

        @Test("A run of a millisecond and of one push, and one that is ended before it begins")
        func short() throws {
            let one = try Trial(Script()) { profile in
                profile.load.phases[0].duration = Nanoseconds.millisecond
                profile.load.phases[0].shape = .constant(.total(.perSecond(1)))
            }
            #expect(one.counts.planned == 1 && one.counts.delivered == 1)
            #expect(Self.causes(one, of: [.sentShare, .backlog]).isEmpty)
            let none = try Trial(Script()) { _ in
            } observe: { _ in
                1
            }
            #expect(none.counts.planned == 0 && none.run.interrupted)
            #expect(Verdict(on: none.run, within: none.profile.verdict).isValid)
        }
    }
}

/// The wall clock, which a test can set.
private final class SteppingClock {
    var offset: Int64 = 0

    func now() -> Int64 { WallClock.now() + offset }
}

import HTTP2
import LoadPlan
import Sending
import Testing

@testable import Driver

/// How pools come up and go down, and what stays the same whatever their size.
extension WholeRuns {
    @Suite("Pools")
    struct PoolTests {
        @Test("A run without a fault opens each connection once and ends it in order")
        func orderly() throws {
            let trial = try Trial(Script()) { $0.lanes[LaneName.apnsProduction]?.connections = 20 }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && trial.counts.retries == 0)
            #expect(trial.run.connections.count == 20 && trial.host.accepted == 20)
            #expect(trial.run.connections.allSatisfy { $0.closedBy == "run end" && $0.goAwayCode == nil })
            #expect(trial.run.connections.allSatisfy { $0.connect > 0 && $0.handshake > 0 && $0.opened < 0 })
            #expect(trial.run.connections.allSatisfy { $0.peerLimitMin == 1000 && $0.peerLimitMax == 1000 })
            #expect(trial.run.connections.allSatisfy { $0.bytesOut > 500 && $0.bytesIn > 500 })
            #expect(trial.host.goodbyes == 20 && trial.host.cleanEnds == 20)
            #expect(trial.run.planHash == trial.run.sentHash)
        }

        @Test("The same pushes go to the same devices whatever the number of workers, retries or not")
        func workers() throws {
            var script = Script()
            script.react = { $0.before == 0 && $0.total % 5 == 4 ? .init(reply: .reset(.refusedStream)) : .init() }
            let trials = try [1, 2, 4].map { try Trial(script, workers: $0) }
            for trial in trials {
                trial.checkAccounts()
                #expect(trial.counts.delivered == 200 && trial.counts.retries > 0)
                #expect(trial.run.planHash == trials[0].run.planHash && trial.run.sentHash == trials[0].run.planHash)
            }
        }

        /// A host that lets no connection come up, and what is said of it before the load begins.
        struct Closed: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var greeting: Script.Greeting
            var reason: String
        }

        @Test(
            "A host that can't be reached is an error of the run, which names what failed",
            arguments: [
                Closed(
                    testDescription: "TLS never",
                    greeting: .serveLater(60 * Nanoseconds.second),
                    reason: "TLS handshake timed out"
                ),
                Closed(testDescription: "no SETTINGS", greeting: .secureOnly, reason: "no SETTINGS in time"),
                Closed(testDescription: "closed", greeting: .close, reason: "by the peer"),
            ]
        )
        func unreachable(host: Closed) throws {
            var script = Script()
            script.greet = { _ in host.greeting }
            let error = #expect(throws: RunError.self) {
                try Trial(script) {
                    $0.lanes[LaneName.apnsProduction]?.timeouts.handshake = 200 * Nanoseconds.millisecond
                }
            }
            guard case .host(LaneName.apnsProduction, _, let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains(host.reason), "\(reason)")
        }

        @Test("A connection that no push needs is closed after its idle time, and another opened when one does")
        func idle() throws {
            let ms = Nanoseconds.millisecond
            let trial = try Trial(Script()) { profile in
                var (first, rest) = (profile.load.phases[0], profile.load.phases[0])
                first.duration = 200 * ms
                (rest.name, rest.duration, rest.shape) = ("rest", 600 * ms, .pause)
                var second = first
                second.name = "second"
                profile.load.phases = [first, rest, second]
                profile.lanes[LaneName.apnsProduction]?.timeouts.idle = 150 * ms
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 160, "\(trial.lane.phases.map(\.outcomes))")
            let idle = trial.connections(closedBy: "idle")
            #expect(idle.count >= 2 && trial.run.connections.count > idle.count)
            #expect(trial.run.connections.contains { $0.opened >= 700 * ms && $0.streams > 0 })
            #expect(trial.host.goodbyes == trial.run.connections.count, "each was told")
        }

        @Test("Pools refill one connection at a time, without a gap")
        func refills() throws {
            var script = Script()
            // All ten are let go at one time; TLS of the new ones takes a while.
            script.greet = { $0 < 10 ? .serve : .serveLater(20 * Nanoseconds.millisecond) }
            script.react = { request in
                guard request.number == 10, request.connection < 10 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway()])
            }
            let trial = try Trial(script) { profile in
                profile.lanes[LaneName.apnsProduction]?.connections = 10
                // Long enough for ten handshakes in a row on a slow machine too.
                profile.load.phases[0].duration = 4 * Nanoseconds.second
                profile.load.phases[0].shape = .constant(.total(.perSecond(500)))
            }
            trial.checkAccounts()
            // A push that was refused by one of the ten and then by another of them is over; nothing else is lost.
            let (counts, refused) = (trial.counts, trial.failed(.streamRefused))
            #expect(counts.delivered + refused == 2000 && counts.failed == refused)
            #expect(counts.attempts == 2000 + counts.retries && counts.retries >= refused)
            // The host has looked at all the others, once at each.
            #expect(trial.host.distinct == Int(counts.delivered) && trial.host.repeated == 0)
            #expect(trial.host.answered == trial.host.distinct)
            // So say its GOAWAYs: streams up to the last that each names were taken, and all of the later connections.
            let taken = trial.run.connections.reduce(0) { sum, row in
                sum + (row.goAwayLastStream.map { UInt64($0 + 1) / 2 } ?? row.streams)
            }
            #expect(taken == counts.delivered)
            let times = trial.host.acceptedAt.dropFirst(10)
            #expect(times.count == 10)
            // The next one is not begun before the one at hand is ready.
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(later - earlier >= 20 * Nanoseconds.millisecond)
            }
        }
    }
}

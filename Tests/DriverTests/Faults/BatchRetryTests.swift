import HTTP2
import Histogram
import LoadPlan
import Sending
import Testing

@testable import Driver

extension WholeRuns {
    @Suite("Batches against hosts at fault")
    struct BatchRetryTests {
        /// Batches of 20, at most three in flight, in every lane with the given session.
        private func profile(_ http2: HTTP2Implementation) -> (inout Profile) -> Void {
            { profile in
                profile.fleet.mix = [LaneShare(lane: LaneName.fcm, share: 1)]
                profile.lanes[LaneName.fcm]?.batch = BatchSection(size: 20, inFlight: 3)
                profile.lanes[LaneName.fcm]?.http2 = http2
            }
        }

        @Test(
            "A refused push is sent again in its batch, which ends with its last answer",
            arguments: HTTP2Implementation.allCases
        )
        func retried(http2: HTTP2Implementation) throws {
            var script = Script()
            script.react = { $0.before == 0 && $0.total % 7 == 6 ? .init(reply: .reset(.refusedStream)) : .init() }
            let trial = try Trial(script, profile(http2))
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && trial.counts.retries >= 20)
            #expect(trial.lane.batch.count == 10, "every batch has ended once")
            #expect(trial.lane.batch.max >= trial.lane.phases[0].clocks.response.max)
        }

        @Test("Batches go on when their connections are rotated", arguments: HTTP2Implementation.allCases)
        func rotated(http2: HTTP2Implementation) throws {
            var script = Script()
            script.serviceTime = 30 * Nanoseconds.millisecond
            script.react = { request in
                guard request.connection < 2, request.number == 25 + 30 * request.connection else { return .init() }
                return Script.Reaction(deeds: [.goAway(last: request.stream - 6)])
            }
            let trial = try Trial(script, profile(http2))
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && trial.counts.retries > 0)
            #expect(trial.lane.batch.count == 10)
        }

        @Test("A lost reply costs a batch its push and no more", arguments: HTTP2Implementation.allCases)
        func lostReply(http2: HTTP2Implementation) throws {
            var script = Script()
            // The first push of each batch, so that all batches in flight wait for one that never comes.
            script.react = { $0.total % 20 == 0 ? .init(reply: .never) : .init() }
            let trial = try Trial(script) { profile in
                self.profile(http2)(&profile)
                profile.lanes[LaneName.fcm]?.timeouts.push = 200 * Nanoseconds.millisecond
            }
            trial.checkAccounts()
            #expect(trial.failed(.timedOut) == 10 && trial.counts.delivered == 190)
            #expect(trial.lane.batch.count == 10)
        }

        @Test(
            "A closed loop of one batch in flight has no second one, whatever the number of workers",
            arguments: [1, 4]
        )
        func closedLoop(workers: Int) throws {
            var script = Script()
            script.streamLimit = 10_000
            let trial = try Trial(script, workers: workers) { profile in
                self.profile(.direct)(&profile)
                profile.lanes[LaneName.fcm]?.batch = BatchSection(size: 500, inFlight: 4)
                profile.load.phases[0].shape = .closed(inFlight: [LaneName.fcm: 500], pushes: 1000)
                // It ends when its pushes are used up.
                profile.load.phases[0].duration = 20 * Nanoseconds.second
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 1000 && trial.counts.skipped == 0)
            #expect(trial.run.connections.allSatisfy { $0.peakStreams <= 500 })
        }

        @Test("A batch finds room however many workers share the backlog")
        func smallBacklog() throws {
            let trial = try Trial(Script(), workers: 4) { profile in
                self.profile(.direct)(&profile)
                profile.lanes[LaneName.fcm]?.batch = BatchSection(size: 500, inFlight: 4)
                profile.load.phases[0].shape = .constant(.total(.perSecond(4000)))
                profile.load.backlog = Nanoseconds.millisecond
                // Whatever the machine needs for them; what counts is that they find room.
                profile.lanes[LaneName.fcm]?.timeouts.push = 10 * Nanoseconds.second
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 2000 && trial.counts.skipped == 0)
        }
    }
}

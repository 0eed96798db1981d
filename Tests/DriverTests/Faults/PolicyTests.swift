import Credentials
import HTTP2
import Histogram
import LoadPlan
import Sending
import Synchronization
import Testing
import Transport

@testable import Driver

extension WholeRuns {
    @Suite("What a sender keeps to: retries, quotas, halts")
    struct PolicyTests {
        private static let expired = #"{"reason":"ExpiredProviderToken"}"#
        private static let quota = #"{"error":{"code":429,"details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}"#

        private func retried(_ trial: Trial) -> UInt64 {
            trial.lane.phases.flatMap(\.retried).reduce(0) { $0 + $1.count }
        }

        @Test("A push that is refused for now is tried again and counts once", arguments: HTTP2Implementation.allCases)
        func retry(http2: HTTP2Implementation) throws {
            var script = Script()
            script.react = { request in
                guard request.before == 0, request.total % 4 == 0 else { return .init() }
                return .init(reply: .refusal(429, body: #"{"reason":"TooManyRequests"}"#))
            }
            let trial = try Trial(script) { profile in
                profile.lanes[LaneName.apnsProduction]?.http2 = http2
                profile.lanes[LaneName.apnsProduction]?.retry.attempts = 2
                profile.lanes[LaneName.apnsProduction]?.retry.first = 50 * Nanoseconds.millisecond
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && trial.counts.rejected == 0)
            #expect(trial.counts.retries >= 40 && retried(trial) == trial.counts.retries)
            #expect(trial.counts.attempts == 200 + trial.counts.retries)
            let rows = trial.lane.phases[0].retried
            #expect(rows.map(\.reason) == ["TooManyRequests"] && rows.map(\.status) == [429])
        }

        @Test("When all tries are used up, the last answer counts")
        func lastAnswer() throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(503, body: #"{"reason":"ServiceUnavailable"}"#)) }
            let trial = try Trial(script) { profile in
                profile.lanes[LaneName.apnsProduction]?.retry.attempts = 3
                profile.lanes[LaneName.apnsProduction]?.retry.first = Nanoseconds.millisecond
                // 15 minutes become 9 ms.
                profile.lanes[LaneName.apnsProduction]?.retry.clockScale = 100_000
            }
            trial.checkAccounts()
            #expect(trial.counts.rejected == 200 && trial.count("ServiceUnavailable") == 200)
            #expect(trial.counts.attempts == 600 && trial.counts.retries == 400)
        }

        @Test("No retry outlives the run: what waits for one at its end has its last answer")
        func outlived() throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(503, body: "", retryAfter: "1")) }
            let trial = try Trial(script) { profile in
                profile.load.drain = 200 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.retry.attempts = 9
            }
            trial.checkAccounts()
            #expect(trial.counts.rejected == 200 && trial.counts.retries == 0 && trial.count("(empty)") == 200)
        }

        @Test("Ctrl-C while pushes wait for a retry: they have their last answer")
        func interrupted() throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(429, body: "", retryAfter: "8")) }
            let trial = try Trial(
                script,
                { profile in
                    profile.load.drain = 20 * Nanoseconds.second
                    profile.lanes[LaneName.apnsProduction]?.retry.attempts = 9
                },
                observe: { $0 > 300 * Nanoseconds.millisecond ? 1 : 0 }
            )
            trial.checkAccounts()
            #expect(trial.run.interrupted && trial.counts.delivered == 0)
            #expect(trial.counts.rejected > 0 && trial.counts.retries == 0)
        }

        @Test("Only what the profile names is tried again after it was lost")
        func lost() throws {
            var script = Script()
            script.react = { $0.before == 0 && $0.total % 10 == 0 ? .init(reply: .reset(.internalError)) : .init() }
            func run(_ causes: [RetryCause]) throws -> Trial {
                let trial = try Trial(script) { profile in
                    profile.lanes[LaneName.apnsProduction]?.retry.attempts = 2
                    profile.lanes[LaneName.apnsProduction]?.retry.first = Nanoseconds.millisecond
                    profile.lanes[LaneName.apnsProduction]?.retry.on = causes
                }
                trial.checkAccounts()
                return trial
            }
            let plain = try run([.retryLater])
            #expect(plain.failed(.streamReset) == 20 && plain.counts.retries == 0)
            let named = try run([.streamReset])
            #expect(named.counts.delivered == 200 && named.counts.retries >= 18)
        }

        @Test("A configuration fault halts the lane on every worker within a round trip", arguments: [1, 2])
        func halt(workers: Int) throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(403, body: #"{"reason":"InvalidProviderToken"}"#)) }
            let trial = try Trial(script, workers: workers)
            trial.checkAccounts()
            #expect(trial.count("InvalidProviderToken") > 0 && trial.counts.delivered == 0)
            #expect(trial.count(SkipCause.laneHalted.rawValue) == trial.counts.skipped)
            // A round trip is about 5 ms, or two pushes; what the machine held the loops up by comes on top.
            let most = 20 + 400 * trial.run.generator.longestStall / Nanoseconds.second
            #expect(trial.counts.sent <= UInt64(most), "\(trial.counts.sent) were sent after the first no")
        }

        @Test("What comes back from a halted lane's connections is not sent again, and no connection is opened for it")
        func haltedForGood() throws {
            var script = Script()
            script.events = [(1500 * Nanoseconds.millisecond, .refuseAll)]
            script.react = { request in
                guard request.total == 50 else { return .init(reply: .never) }
                return .init(reply: .refusal(403, body: #"{"reason":"InvalidProviderToken"}"#))
            }
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = 2 * Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 30 * Nanoseconds.second
            }
            trial.checkAccounts()
            #expect(trial.count("InvalidProviderToken") == 1 && trial.counts.retries == 0 && trial.host.repeated == 0)
            // Those that were on their way when the host said that it had looked at none of them.
            #expect(trial.failed(.streamRefused) >= 50 && trial.failed(.streamRefused) == trial.counts.sent - 1)
            #expect(trial.host.accepted == 2 && trial.run.connections.count == 2)
        }

        @Test("A key is changed while pushes are on their way: new connections, and none is lost or sent twice")
        func keyChange() throws {
            var script = Script()
            script.serviceTime = 50 * Nanoseconds.millisecond
            let trial = try Trial(script) { profile in
                profile.load.phases[0].duration = Nanoseconds.second
                profile.load.drain = 60 * Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.timeouts.push = 60 * Nanoseconds.second
                var credential = CredentialSection()
                credential.next = NextKeySection(at: 500 * Nanoseconds.millisecond)
                profile.lanes[LaneName.apnsProduction]?.credential = credential
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 400 && trial.counts.retries == 0 && trial.host.repeated == 0)
            #expect(trial.connections(closedBy: "key change").map(\.credential) == ["token", "token"])
            #expect(trial.connections(closedBy: "run end").map(\.credential) == ["next token", "next token"])
            #expect(trial.host.accepted == 4)
            let rows = trial.run.credentials
            #expect(rows.map(\.credential) == [MockCredentials.keyID, MockCredentials.nextKeyID])
            #expect(rows.map(\.lane) == ["apns-production", "apns-production"] && rows.map(\.signed) == [1, 1])
            #expect(rows.allSatisfy { $0.servedFromCache > 0 })
            #expect(rows.reduce(0) { $0 + $1.servedFromCache } == trial.counts.attempts)
        }

        @Test("A lane whose connections all have a certificate needs no key, and names none")
        func certificateOnly() throws {
            let trial = try Trial(Script()) { profile in
                profile.lanes[LaneName.apnsProduction]?.certificate = CertificateSection()
                profile.lanes[LaneName.apnsProduction]?.credential = CredentialSection()
                profile.lanes[LaneName.apnsProduction]?.credential?.key = "/nowhere/there is no key.p8"
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && trial.run.credentials.isEmpty)
        }

        @Test("A closed loop ends with its lane")
        func closedHalt() throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(403, body: #"{"reason":"Forbidden"}"#)) }
            let trial = try Trial(script) { profile in
                profile.load.phases[0].shape = .closed(inFlight: [LaneName.apnsProduction: 5], pushes: nil)
            }
            trial.checkAccounts()
            #expect(trial.counts.planned >= 5 && trial.counts.planned < 50)
            #expect(trial.count("Forbidden") == trial.counts.sent)
        }

        @Test("A token that is called expired is signed anew once, and its pushes go out again")
        func expired() throws {
            var script = Script()
            // All ten are on their way before the first complaint is back.
            script.serviceTime = 200 * Nanoseconds.millisecond
            script.react = {
                $0.before == 0 && $0.total >= 560 && $0.total < 570
                    ? .init(reply: .refusal(403, body: Self.expired)) : .init()
            }
            let trial = try Trial(script) { profile in
                // A token may be renewed after 20 minutes and is after 50: here, after 1.2 s and 3 s, before and after
                // the complaints at 1.4 s.
                profile.mock.tokenClockScale = 1_000
                profile.load.phases[0].duration = 2 * Nanoseconds.second
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 800, "\(trial.lane.phases[0].outcomes)")
            #expect(retried(trial) == trial.counts.retries && trial.counts.retries > 0)
        }

        @Test("A token that is called expired as soon as it was made is a configuration fault")
        func expiredAtOnce() throws {
            var script = Script()
            script.react = { _ in .init(reply: .refusal(403, body: Self.expired)) }
            let trial = try Trial(script)
            trial.checkAccounts()
            #expect(trial.count("ExpiredProviderToken") > 0 && trial.counts.delivered == 0)
            #expect(trial.count(SkipCause.laneHalted.rawValue) > 0)
            #expect(trial.run.credentials.map(\.signed) == [1])
        }

        @Test("A smooth quota below the load: the rest waits, and what waits is named apart from the lag")
        func smooth() throws {
            let trial = try Trial(Script()) { profile in
                profile.lanes[LaneName.apnsProduction]?.quota.keeper = .smooth
                profile.lanes[LaneName.apnsProduction]?.quota.limit = 200
                profile.lanes[LaneName.apnsProduction]?.quota.per = Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.quota.reserve = 0
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200)
            let waits = trial.lane.phases[0].quotaWait
            #expect(waits.count == 200)
            // The n-th push is due after n × 2.5 ms and leaves after n × 5 ms: the last has waited for half a second.
            #expect(waits.max >= 490 * Nanoseconds.millisecond)
            // Of a stream there was never a want.
            let streams = trial.lane.phases[0].clocks.streamWait.value(atQuantile: 0.5)
            #expect(streams < 100 * Nanoseconds.millisecond)
        }

        @Test("What the quota leaves no time for is skipped by that name")
        func quotaSkips() throws {
            let trial = try Trial(Script()) { profile in
                profile.load.backlog = 100 * Nanoseconds.millisecond
                profile.load.drain = 100 * Nanoseconds.millisecond
                profile.lanes[LaneName.apnsProduction]?.quota.keeper = .window
                profile.lanes[LaneName.apnsProduction]?.quota.limit = 50
                profile.lanes[LaneName.apnsProduction]?.quota.per = 10 * Nanoseconds.second
                profile.lanes[LaneName.apnsProduction]?.quota.reserve = 0
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 50 && trial.counts.skipped == 150)
            #expect(trial.count(SkipCause.quota.rawValue) == 150)
            #expect(!trial.run.generator.backlogOverflowed)
        }

        @Test("Limits of single devices hold up only them; batches end all the same")
        func devices() throws {
            let trial = try Trial(Script()) { profile in
                profile.fleet.mix = [LaneShare(lane: LaneName.fcm, share: 1)]
                profile.fleet.size = 10
                profile.lanes[LaneName.fcm]?.batch = BatchSection(size: 20, inFlight: 10)
                profile.lanes[LaneName.fcm]?.quota.perDevice = [DeviceLimit(limit: 15, per: Nanoseconds.second)]
            }
            // Pushes to one device have one body, so that the ledger can't tell them apart.
            #expect(trial.counts.holds && trial.counts.delivered == 200)
            #expect(trial.host.pushes.values.reduce(0, +) == 200)
            // 20 for each of 10 devices: 15 at once, 5 a second after the first.
            #expect(trial.lane.phases[0].quotaWait.count == 200)
            #expect(trial.lane.phases[0].quotaWait.value(atQuantile: 0.5) < 100 * Nanoseconds.millisecond)
            #expect(trial.lane.phases[0].quotaWait.max > 500 * Nanoseconds.millisecond)
            #expect(trial.lane.batch.count == 10)
        }

        @Test("Retries take part in the quota, which learns from refusals of the lane's")
        func retriesInQuota() throws {
            var script = Script()
            script.react = { $0.total == 0 ? .init(reply: .refusal(429, body: Self.quota, retryAfter: "0")) : .init() }
            let trial = try Trial(script) { profile in
                profile.fleet.mix = [LaneShare(lane: LaneName.fcm, share: 1)]
                profile.load.drain = 5 * Nanoseconds.second
                profile.lanes[LaneName.fcm]?.retry.attempts = 3
                profile.lanes[LaneName.fcm]?.retry.first = Nanoseconds.millisecond
                profile.lanes[LaneName.fcm]?.retry.clockScale = 1000
                profile.lanes[LaneName.fcm]?.quota.keeper = .window
                profile.lanes[LaneName.fcm]?.quota.limit = 150
                profile.lanes[LaneName.fcm]?.quota.per = Nanoseconds.second
                profile.lanes[LaneName.fcm]?.quota.reserve = 0
            }
            trial.checkAccounts()
            #expect(trial.counts.delivered == 200 && retried(trial) == 1 && trial.counts.retries == 1)
        }

        /// 200 in each second by the host's own clock, asked for three times as many.
        @Test("A threefold overload under each keeper", arguments: QuotaKeeping.allCases)
        func overload(keeper: QuotaKeeping) throws {
            let (limit, length) = (200, Nanoseconds.second)
            let taken = Mutex<[Int64: Int]>([:])
            var script = Script()
            script.react = { _ in
                // The phase is anybody's guess.
                let window = (MonotonicClock.now() + 370 * Nanoseconds.millisecond) / length
                let isTaken = taken.withLock { taken in
                    guard taken[window, default: 0] < limit else { return false }
                    taken[window, default: 0] += 1
                    return true
                }
                return isTaken ? .init() : .init(reply: .refusal(429, body: Self.quota))
            }
            let trial = try Trial(script) { profile in
                profile.fleet.mix = [LaneShare(lane: LaneName.fcm, share: 1)]
                profile.load.phases[0].duration = 4 * length
                profile.load.phases[0].shape = .constant(.total(.perSecond(600)))
                profile.load.backlog = length
                profile.lanes[LaneName.fcm]?.connections = 4
                profile.lanes[LaneName.fcm]?.retry.attempts = 2
                profile.lanes[LaneName.fcm]?.retry.first = Nanoseconds.millisecond
                // 60 s become 60 ms.
                profile.lanes[LaneName.fcm]?.retry.clockScale = 1000
                profile.lanes[LaneName.fcm]?.quota.keeper = keeper
                profile.lanes[LaneName.fcm]?.quota.limit = limit
                profile.lanes[LaneName.fcm]?.quota.per = length
                // What a busy machine holds up comes in a bunch.
                profile.lanes[LaneName.fcm]?.quota.reserve = keeper == .smooth ? 0.2 : 0
            }
            trial.checkAccounts()
            let refused = trial.count("RATE_LIMIT_EXCEEDED") + retried(trial)
            let waits = trial.lane.phases[0].quotaWait
            switch keeper {
            case .none:
                #expect(refused > 400 && waits.isEmpty && trial.counts.retries > 0)
            case .smooth:
                #expect(refused == 0 && trial.counts.retries == 0)
                #expect(waits.max > 500 * Nanoseconds.millisecond && trial.count(SkipCause.quota.rawValue) > 0)
            case .window:
                // Whole windows within the load: the first is found out about, the last cut off.
                let whole = taken.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }.dropFirst(2).prefix(2)
                #expect(whole.allSatisfy { $0 * 100 >= limit * 98 }, "\(whole)")
                #expect(waits.count > 0 && trial.count(SkipCause.quota.rawValue) > 0)
            }
        }
    }
}

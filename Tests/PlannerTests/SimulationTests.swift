import Histogram
import Hosts
import LoadPlan
import Testing

@testable import Planner

@Suite("A campaign in virtual time")
struct SimulationTests {
    private static let mixed = """
        {
          fleet: { size: 20000, mix: { "apns-production": 0.4, "apns-sandbox": 0.1, fcm: 0.5 }, defects: { unregistered: 0.05 } },
          workers: 2,
          load: { phases: [
            { name: "warm", duration: "1s", rate: "500/s", warmUp: true },
            { name: "steady", duration: "3s", rate: "4000/s", arrivals: "poisson" },
            { name: "closed", duration: "2s", inFlight: { "apns-production": 50, fcm: 1000 }, pushes: 900 } ] },
          lanes: { fcm: { batch: { size: 100, inFlight: 10 }, retry: { attempts: 3, clockScale: 100 } } },
          mock: { faults: ["quota=1800,per=1s", "answer=UNAVAILABLE,share=2%,lane=fcm", "device-limit=1,per=1m,lane=apns-sandbox"] },
        }
        """

    private func mixed(seed: UInt64) throws -> SimulatedCampaign {
        let campaign = try Campaign(Profile(json: Self.mixed, file: "mixed.json"))
        return Simulation.run(campaign, seed: seed)
    }

    @Test("Every push has one end, on every lane, under every seed", arguments: 1...5 as ClosedRange<UInt64>)
    func accounting(seed: UInt64) throws {
        let campaign = try Campaign(Profile(json: Self.mixed, file: "mixed.json"))
        let run = Simulation.run(campaign, seed: seed)
        for (lane, result) in zip(campaign.lanes, run.lanes) {
            let ends = result.delivered + result.rejected + result.skipped + result.unanswered
            #expect(ends == lane.plan.totalPlanned, "\(lane.name)")
            #expect(
                result.attempts == result.delivered + result.rejected + result.retried + result.unanswered,
                "\(lane.name)"
            )
        }
        #expect(run.refused > 0 && run.retried > 0 && run.rejected > 0)
    }

    @Test("The same seed gives the same campaign, another seed another")
    func deterministic() throws {
        func facts(_ run: SimulatedCampaign) -> [UInt64] {
            [UInt64(run.finish), run.delivered, run.rejected, run.refused, run.retried, run.attempts]
                + run.lanes.flatMap { [UInt64($0.finish), UInt64($0.peakInFlight), UInt64($0.response.totals.mean)] }
        }
        #expect(try facts(mixed(seed: 7)) == facts(mixed(seed: 7)))
        #expect(try facts(mixed(seed: 7)) != facts(mixed(seed: 8)))
    }

    @Test("What the curve counts is what was sent, however long it takes")
    func curve() throws {
        let campaign = try Campaigns.fcm("devices: 30000, rate: '100/s'")
        let lane = Campaigns.run(campaign).lanes[0]
        let steps = lane.curve.steps
        #expect(steps.reduce(0) { $0 + UInt64($1.sent) } == lane.attempts)
        #expect(steps.reduce(0) { $0 + UInt64($1.delivered) } == lane.delivered)
        #expect(steps.count <= 1024 && Int64(steps.count) * lane.curve.length >= lane.finish)
    }

    @Test("Refused pushes come back after the service's wait, and all are delivered in the end")
    func retries() throws {
        let campaign = try Campaigns.fcm(
            "devices: 3000, quotaPhase: '0s', quota: { limit: 1000, per: '1m' }",
            lane: "retry: { attempts: 10 }"
        )
        let run = Campaigns.run(campaign)
        #expect(run.delivered == 3000 && run.lost == 0)
        // 2,000 are refused at once and 1,000 of them again a minute later.
        #expect(run.refused == 3000 && run.retried == 3000)
        #expect(run.finish > 2 * minute)
        let answer = Planner.answer(campaign, from: [run])
        #expect(answer.binding == .quota && answer.lanes[0].quota?.peakShare == 1)
    }

    @Test("A connection of APNs has one stream until it has proved itself")
    func firstStream() throws {
        let text = """
            { fleet: { mix: { "apns-production": 1 } }, lanes: { "apns-production": { connections: 2 } },
              mock: { serviceTime: "100ms" }, campaign: { devices: 2000 } }
            """
        let run = Campaigns.run(try Campaign(Profile(json: text, file: "apns.json")))
        // Two at first, and when they are answered the others: 1,998 on 2,000 streams.
        #expect(abs(run.finish - second / 5) < second / 100)
        #expect(run.lanes[0].peakInFlight == 1998)
    }

    @Test("Bad tokens are rejected once; above the lane's bound it halts")
    func badTokens() throws {
        let campaign = try Campaigns.fcm("devices: 100000", rest: "load: {}")
        #expect(Campaigns.run(campaign).rejected == 0)
        var profile = try Campaigns.profile("devices: 100000", lane: "retry: { attempts: 5 }")
        profile.fleet.defects.unregistered = 0.1
        let run = Campaigns.run(try Campaign(profile))
        #expect(run.retried == 0 && abs(Int(run.rejected) - 10_000) < 600)
        var section = profile.lane(LaneName.fcm)
        section.mostBadTokens = 0.05
        profile.lanes[LaneName.fcm] = section
        let halted = Campaigns.run(try Campaign(profile))
        #expect(halted.skipped > 80_000 && halted.delivered + halted.rejected + halted.skipped == 100_000)
    }

    @Test("Devices have limits of their own, at the host and kept by ourselves")
    func perDevice() throws {
        var profile = try Campaigns.profile(
            "quotaPhase: '0s'",
            rest: """
                load: { phases: [{ duration: "10s", rate: "100/s" }], drain: "1m" }
                """
        )
        profile.fleet.size = 100
        profile.mock.faults = [try Fault("device-limit=5,per=1m,lane=fcm")]
        let refused = Campaigns.run(try Campaign(profile))
        #expect(refused.delivered == 500 && refused.refused == 500 && refused.lost == 500)
        var section = profile.lane(LaneName.fcm)
        section.quota.perDevice = [DeviceLimit(limit: 5, per: 20 * second)]
        profile.lanes[LaneName.fcm] = section
        profile.mock.faults = [try Fault("device-limit=5,per=20s,lane=fcm")]
        let campaign = try Campaign(profile)
        let kept = Campaigns.run(campaign)
        #expect(kept.delivered == 1000 && kept.refused == 0 && kept.finish > 20 * second)
        #expect(Planner.answer(campaign, from: [kept]).binding == .perDevice)
    }

    @Test("Ten million pushes fit into the memory of a few thousand")
    func bounded() throws {
        // The heap holds what is in flight, the queue what is taken from the plan: neither grows with the devices.
        #expect(MemoryLayout<Flight>.stride <= 56 && MemoryLayout<Waiter>.stride <= 48)
        let campaign = try Campaigns.fcm("devices: 300000, quotaPhase: '0s'", connections: 1, serviceTime: "1ms")
        let lane = Campaigns.run(campaign).lanes[0]
        #expect(lane.delivered == 300_000 && lane.peakInFlight == 100)
    }

    @Test("Flights come out by time, whatever the order they went in")
    func flights() {
        var table = FlightTable(capacity: 1000)
        var numbers = SplitMix(seed: 3)
        var last: Int64 = 0
        for round in 0..<20 {
            for _ in 0..<50 {
                let time = last + Int64(numbers.next() % 10_000)
                table.insert(
                    Flight(
                        push: UInt64(time),
                        due: 0,
                        written: 0,
                        retryAfter: -1,
                        batch: 0,
                        position: 0,
                        attempts: 1,
                        answer: 0
                    ),
                    until: time
                )
            }
            for _ in 0..<(round == 19 ? table.count : 30) {
                let next = table.nextTime
                #expect(next >= last && table.takeFirst().push == UInt64(next))
                last = next
            }
        }
        #expect(table.count == 0 && table.nextTime == .max)
    }
}

import LoadPlan
import Testing

@testable import Planner

@Suite("The simulation agrees with closed forms")
struct ClosedFormTests {
    @Test(
        "At 600,000 a minute evenly, N pushes take ceil(N / 10,000) seconds",
        arguments: [10_000, 123_456, 200_001]
    )
    func smooth(pushes: UInt64) throws {
        let campaign = try Campaigns.fcm(
            "devices: \(pushes), quotaPhase: '0s'",
            lane: "quota: { keeper: 'smooth', limit: '600k', per: '1m', reserve: 0 }"
        )
        let run = Campaigns.run(campaign)
        let seconds = ClosedForms.smoothSeconds(pushes, perSecond: 10_000)
        // The last is written within the last of those seconds and answered 100 ms later.
        let written = run.finish - second / 10
        #expect(written <= Int64(seconds) * second && written > Int64(seconds - 1) * second - second / 1000)
        #expect(run.delivered == pushes && run.refused == 0)
    }

    @Test(
        "A burst meets full windows: what is left of this minute, then a whole one each minute",
        arguments: [0, 20, 59],
        [5000, 7000, 19_000] as [UInt64]
    )
    func burst(phase: Int, pushes: UInt64) throws {
        let campaign = try Campaigns.fcm(
            "devices: \(pushes), quota: { limit: 6000 }",
            connections: 400,
            serviceTime: "1ms",
            lane: "quota: { keeper: 'window', limit: 6000, per: '1m', reserve: 0 }"
        )
        let phase = Int64(phase) * second
        let run = Campaigns.run(campaign, phase: phase)
        // The keeper's windows begin with its first push, and the host's with the phase: in the first stretch both hold.
        let rate = ClosedForms.poolRate(connections: 400, streams: 100, latency: 1e6)
        let ideal = ClosedForms.windowBurst(pushes, limit: 6000, window: minute, phase: 0, perSecond: rate)
        #expect(run.delivered == pushes)
        #expect(run.finish >= ideal && run.finish <= ideal + minute / 50 + second)
    }

    @Test(
        "Without a keeper all beyond what the minute has is refused",
        arguments: [6000, 6001, 7500] as [UInt64]
    )
    func refused(pushes: UInt64) throws {
        let campaign = try Campaigns.fcm(
            "devices: \(pushes), quota: { limit: 6000 }, quotaPhase: '59s'",
            connections: 1000,
            serviceTime: "10ms"
        )
        let run = Campaigns.run(campaign)
        #expect(run.refused == ClosedForms.refusedAtOnce(pushes, limit: 6000) && run.lost == run.refused)
        #expect(run.delivered == pushes - run.refused)
    }

    @Test("Connections by Little's law: rate x latency / streams")
    func little() {
        func connections(_ rate: Double, _ milliseconds: Double, _ streams: Int) -> Int {
            ClosedForms.connections(perSecond: rate, latency: milliseconds * 1e6, streams: streams)
        }
        #expect(connections(10_000, 100, 100) == 10)
        #expect(connections(10_000, 500, 100) == 50)
        #expect(connections(10_001, 100, 100) == 11)
        #expect(connections(1, 1, 1000) == 1)
    }

    @Test(
        "10,000/s at 100 ms need ten connections of 100 streams, at 500 ms fifty; with one less pushes pile up",
        arguments: [(100, 10), (500, 50)]
    )
    func pool(latency: Int, needed: Int) throws {
        func finish(_ connections: Int) throws -> Int64 {
            let campaign = try Campaigns.fcm(
                "devices: 100000, rate: '10000/s', quotaPhase: '0s'",
                connections: connections,
                serviceTime: "\(latency)ms"
            )
            return Campaigns.run(campaign).finish
        }
        let ideal = 10 * second + Int64(latency) * second / 1000
        let enough = try finish(needed)
        #expect(abs(enough - ideal) <= second / 1000)
        let short = try finish(needed - 1)
        let expected = Double(10 * second) * Double(needed) / Double(needed - 1) + Double(latency) * 1e6
        #expect(abs(Double(short) - expected) < 0.02 * expected && short > enough)
    }

    @Test("In flight at an even rate is the rate times the latency")
    func inFlight() throws {
        let campaign = try Campaigns.fcm("devices: 50000, rate: '5000/s'", serviceTime: "80ms")
        let run = Campaigns.run(campaign)
        let exact = ClosedForms.inFlight(perSecond: 5000, latency: 80e6)
        #expect(abs(Double(run.lanes[0].peakInFlight) - exact) <= 1)
    }

    @Test("A busy worker sends one push for each of its cost")
    func cpu() throws {
        let campaign = try Campaigns.fcm("devices: 100000, cpuPerPush: '100us', quotaPhase: '0s'", serviceTime: "5ms")
        let run = Campaigns.run(campaign)
        #expect(abs(run.finish - (10 * second + second / 200)) < second / 100)
        #expect(Planner.answer(campaign, from: [run]).binding == .cpu)
    }
}

import LoadPlan
import Testing

@testable import Sending

@Suite("The generator's ceiling")
struct CeilingTests {
    @Test func perSecond() {
        #expect(CeilingMeasurement(pushes: 100_001, duration: 3 * Nanoseconds.second).perSecond == 33_333)
        #expect(CeilingMeasurement(pushes: 1 << 62, duration: 1 << 60).perSecond == 4_000_000_000, "no overflow")
        #expect(CeilingMeasurement(pushes: 5, duration: 0).perSecond == 0)
    }

    /// Quotas would be measured in place of the generator, and proxies, other teams' hosts and keys to come have no part in it.
    @Test func nothingHoldsItUp() throws {
        let profile = try Profile(
            json: """
                {name: "x", fleet: {misshapen: "refuse"}, lanes: {
                  "apns-production": {proxy: "http://proxy", credential: {next: {at: "1s"}},
                    tenants: [{name: "a", apps: ["com.example.app"], host: "https://elsewhere"}]},
                  fcm: {host: "https://fcm", quota: {keeper: "smooth", limit: 10, per: "1s"}}}}
                """,
            file: "x"
        )
        let ceiling = CeilingMeasurement.profile(for: profile, weights: [50, 0, 50])
        let (apns, fcm) = (ceiling.lane(LaneName.apnsProduction), ceiling.lane(LaneName.fcm))
        #expect(apns.proxy == nil && apns.tenants.isEmpty && apns.credential?.next == nil)
        #expect(fcm.host == nil && fcm.quota == QuotaSection() && ceiling.fleet.misshapen == .send)
    }

    /// The same lanes and messages, all of them busy in the proportion of the fleet, as far as their pools allow.
    @Test func theProfileThatMeasuresIt() throws {
        var profile = try Profile(
            json: """
                {name: "x", lanes: {"apns-production": {connections: 1}, "apns-sandbox": {streams: 7},
                  fcm: {batch: {size: 100, inFlight: 2}}}, thresholds: {"all.response": ["p(99) < 1ms"]}}
                """,
            file: "x"
        )
        profile.load.repeats = 9
        let ceiling = CeilingMeasurement.profile(for: profile, weights: [50, 10, 40])
        try ceiling.check()
        #expect(ceiling.mock.policy == .canned && ceiling.thresholds.isEmpty && ceiling.load.repeats == 1)
        #expect(ceiling.messages == profile.messages && ceiling.lanes == profile.lanes)
        #expect(ceiling.load.phases.map(\.warmUp) == [true, false])
        let shape = PhaseShape.closed(inFlight: ["apns-production": 100, "apns-sandbox": 7, "fcm": 200], pushes: nil)
        #expect(ceiling.load.phases.map(\.shape) == [shape, shape])
        let alone = CeilingMeasurement.profile(for: profile, weights: [0, 3, 0])
        #expect(alone.load.phases[1].shape == .closed(inFlight: ["apns-sandbox": 7], pushes: nil))
    }
}

import LoadPlan

@testable import Planner

/// Campaigns for tests, written as profiles are.
enum Campaigns {
    /// One to FCM alone: so many at a rate, over a pool, to a host of a constant service time.
    static func fcm(
        _ campaign: String,
        connections: Int = 100,
        serviceTime: String = "100ms",
        lane: String = "",
        rest: String = ""
    ) throws -> Campaign {
        try Campaign(profile(campaign, connections: connections, serviceTime: serviceTime, lane: lane, rest: rest))
    }

    static func profile(
        _ campaign: String,
        connections: Int = 100,
        serviceTime: String = "100ms",
        lane: String = "",
        rest: String = ""
    ) throws -> Profile {
        let text = """
            {
              name: "test", fleet: { mix: { fcm: 1 } },
              lanes: { fcm: { connections: \(connections), \(lane) } },
              mock: { serviceTime: "\(serviceTime)" },
              campaign: { \(campaign) },
              \(rest)
            }
            """
        return try Profile(json: text, file: "test.json")
    }

    static func run(_ campaign: Campaign, seed: UInt64 = 1, phase: Int64? = nil) -> SimulatedCampaign {
        Simulation.run(campaign, seed: seed, phase: phase)
    }
}

let second = Nanoseconds.second
let minute = Nanoseconds.minute

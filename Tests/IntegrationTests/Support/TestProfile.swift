/// Profiles of the tests' own: small, and with enough defects for every reason to come up.
enum TestProfile {
    /// All lanes, all defects, two apps, long tokens, a rate that changes, batches that don't come out even.
    static let mixed = """
        {
          name: "mixed", seed: 7,
          fleet: {
            size: 3000,
            mix: { "apns-production": 0.45, "apns-sandbox": 0.15, fcm: 0.4 },
            apps: [{ topic: "com.example.app", share: 0.75 }, { topic: "com.example.news", share: 0.25 }],
            longTokenShare: 0.2, longestToken: 160,
            defects: { unregistered: 0.1, wrongEnvironment: 0.05, malformed: 0.1, wrongTopic: 0.05, otherSender: 0.1 },
          },
          messages: [{ name: "alert", weight: 3 }, { name: "silent", pushType: "background", ttl: "1h" }],
          load: {
            phases: [
              { name: "warm-up", duration: "200ms", rate: "500/s", warmUp: true },
              { name: "steady", duration: "500ms", rate: "1600/s" },
              { name: "climb", duration: "500ms", ramp: { from: "0/s", to: "2000/s" } },
            ],
            backlog: "1m", drain: "2m",
          },
          lanes: {
            "apns-production": { timeouts: { push: "2m" } },
            "apns-sandbox": { timeouts: { push: "2m" } },
            fcm: { connections: 2, batch: { size: 30, inFlight: 8 }, timeouts: { push: "2m" } },
          },
          mock: { serviceTime: "2ms" },
        }
        """

    /// A load that goes on until it is ended, with about ten pushes in flight at any time.
    static let endless = """
        {
          name: "endless",
          fleet: { mix: { "apns-production": 0.5, fcm: 0.5 } },
          load: { phases: [{ name: "steady", duration: "30m", rate: "200/s" }] },
          mock: { serviceTime: "50ms" },
        }
        """
}

import LoadPlan
import Testing

@Suite("What a run against real hosts has to keep to")
struct RealHostsTests {
    /// A profile that may go out, in terms of what each test changes.
    private static let good = """
        {
          fleet: { csv: "devices.csv" },
          load: {
            phases: [
              { name: "ramp", duration: "60s", ramp: { from: "10/s", to: "100/s" } },
              { name: "steady", duration: "1m", rate: "100/s" },
            ],
          },
          lanes: {
            "apns-production": { credential: { key: "k.p8", keyId: "ABC123DEFG", teamId: "TEAM123456" } },
            fcm: { credential: { serviceAccount: "s.json" }, quota: { keeper: "smooth", reserve: 0.1 } },
          },
        }
        """

    private func complaint(_ overrides: [String]) throws -> String? {
        let profile = try Profile(json: Self.good, file: "p.json", overrides: overrides)
        do {
            try profile.preparedForRealHosts().checkForRealHosts(using: [LaneName.apnsProduction, LaneName.fcm])
            return nil
        } catch {
            return "\(error.path) \(error.message)"
        }
    }

    @Test("A profile that keeps to everything may go out, on either of Apple's ports")
    func good() throws {
        #expect(try complaint([]) == nil)
        for host in ["https://api.push.apple.com:443", "https://api.push.apple.com:2197", "https://127.0.0.1:9"] {
            #expect(try complaint(["lanes.apns-production.host=\(host)"]) == nil)
        }
        #expect(try complaint(["lanes.fcm.credential={bearerFile: 'b', projectId: 'p'}"]) == nil)
        let keys = "{teamId: 'TEAM123456', shardKeys: [{key: 'k.p8', keyId: 'ABC123DEFG'}]}"
        #expect(try complaint(["lanes.apns-production.credential=" + keys]) == nil)
        #expect(try complaint(["lanes.apns-production.credential.next={at: '5s', key: 'n', keyId: 'i'}"]) == nil)
        // Without a token there is no key to name.
        let certificate = "lanes.apns-production.certificate={file: 'c.p12'}"
        #expect(try complaint(["lanes.apns-production.credential=null", certificate]) == nil)
    }

    @Test(
        "Each rule is named when it is broken",
        arguments: [
            (["fleet.csv=null"], "fleet.csv is missing; real hosts are sent to devices from a file only"),
            (
                ["load.phases[0].duration=59s"],
                "load.phases[0] is no ramp of at least 60s from a tenth of its end or less; real hosts need one first"
            ),
            (
                ["load.phases[0].ramp.from=11/s"],
                "load.phases[0] is no ramp of at least 60s from a tenth of its end or less; real hosts need one first"
            ),
            (
                ["load.phases[1].rate=101/s"],
                "load.phases[1] rises above the 100/s that the first ramp led to; allowed: at most that"
            ),
            (
                ["load.phases[1].rate=null", "load.phases[1].inFlight={fcm: 1}"],
                "load.phases[1] rises above the 100/s that the first ramp led to; allowed: at most that"
            ),
            (
                ["lanes.apns-production.connections=101"],
                "lanes.apns-production.connections is 101; allowed on real hosts: at most 100"
            ),
            (
                ["lanes.apns-production.timeouts.keepAlive=30s"],
                "lanes.apns-production.timeouts.keepAlive is 30s; allowed on real hosts: 1m or more"
            ),
            (
                ["lanes.fcm.quota.keeper=none"],
                "lanes.fcm.quota keeps no quota with a reserve of at least 0.1; needed on real hosts"
            ),
            (
                ["lanes.fcm.quota.reserve=0.09"],
                "lanes.fcm.quota keeps no quota with a reserve of at least 0.1; needed on real hosts"
            ),
            (
                ["lanes.apns-production.host=https://api.push.apple.com:8443"],
                "lanes.apns-production.host is \"https://api.push.apple.com:8443\"; allowed: port 443 or 2197"
            ),
            (
                ["lanes.fcm.host=https://fcm.googleapis.com:2197"],
                "lanes.fcm.host is \"https://fcm.googleapis.com:2197\"; allowed: port 443"
            ),
            (
                ["lanes.apns-production.credential.teamId=null"],
                "lanes.apns-production.credential needs key, keyId and teamId on real hosts"
            ),
            (
                ["lanes.apns-production.certificate={}"],
                "lanes.apns-production.certificate needs a file on real hosts"
            ),
            (
                ["lanes.apns-production.credential.next={at: '5s'}"],
                "lanes.apns-production.credential.next needs key and keyId on real hosts"
            ),
            (
                ["lanes.fcm.tenants=[{name: 'b', apps: ['x']}, {name: 'c', apps: ['y'], quota: {}}]"],
                "lanes.fcm.tenants[1].quota keeps no quota with a reserve of at least 0.1; needed on real hosts"
            ),
            (
                ["lanes.fcm.credential={bearerFile: 'b'}"],
                "lanes.fcm.credential needs serviceAccount, or bearerFile and projectId, on real hosts"
            ),
        ]
    )
    func rules(overrides: [String], message: String) throws {
        #expect(try complaint(overrides) == message)
    }

    @Test("FCM only validates, and bad tokens end a lane, unless the profile says otherwise")
    func defaults() throws {
        let plain = try Profile(json: Self.good, file: "p.json")
        #expect(plain.lane(LaneName.fcm).validateOnly == nil && plain.lane(LaneName.fcm).mostBadTokens == nil)
        let real = plain.preparedForRealHosts()
        #expect(real.lane(LaneName.fcm).validateOnly == true && real.lane(LaneName.fcm).mostBadTokens == 0.05)
        #expect(real.lane(LaneName.apnsProduction).validateOnly == false)
        let said = try Profile(
            json: Self.good,
            file: "p.json",
            overrides: ["lanes.fcm.validateOnly=false", "lanes.fcm.mostBadTokens=0.5"]
        )
        .preparedForRealHosts()
        #expect(said.lane(LaneName.fcm).validateOnly == false && said.lane(LaneName.fcm).mostBadTokens == 0.5)
    }
}

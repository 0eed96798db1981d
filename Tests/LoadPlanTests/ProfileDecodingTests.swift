import Foundation
import Testing

@testable import LoadPlan

@Suite("Reading a profile")
struct ProfileDecodingTests {
    /// A profile with a value other than the default in every field.
    static let full = """
        // A comment.
        {
          "name": "full", "description": "Everything \\"set\\".", "seed": 18446744073709551615, "workers": 3,
          "fleet": {
            "size": "2_000_000", "mix": {"apns-production": 0.3, "fcm": 0.7},
            "apps": [{"topic": "com.example.a", "share": 0.25, "environment": "sandbox"}, {"topic": "com.example.b", "share": 0.75}],
            "project": "p", "longTokenShare": 0.1, "longestToken": 160, "csv": "devices.csv", "misshapen": "fcm",
            "defects": {"unregistered": 0.01, "wrongEnvironment": 0.02, "malformed": 0.03, "wrongTopic": 0.04, "otherSender": 0.05},
          },
          "messages": [
            {"name": "a", "weight": 3, "pushType": "voip", "priority": 5, "payloadBytes": 5120, "ttl": "1h", "collapseKey": "k",
              "topic": "com.example.a.voip"},
            {"mutableContent": true, "fcm": {
              "address": "fid", "notification": {"title": "t", "body": "b", "image": "i"}, "data": {"one": "1", "two": "{index}"},
              "apns": {"payload": {}}, "webpush": "{}", "analyticsLabel": "a_1"}},
            {"fcm": {"topic": "news"}}, {"fcm": {"condition": "'a' in topics"}},
            {"pushType": "background", "payload": {"aps": {"content-available": 1}}},
          ],
          "load": {
            "repeat": 2, "backlog": "3s", "drain": "250ms",
            "phases": [
              {"name": "warm", "duration": "1s", "warmUp": true, "rate": "100/s"},
              {"name": "own", "duration": "2s", "rates": {"fcm": "600k/min", "apns-production": "1/7s"}, "arrivals": "poisson"},
              {"name": "climb", "duration": "2s", "ramp": {"from": "0/s", "to": "0.5/s"}, "repeat": 3},
              {"name": "stairs", "duration": "2s", "steps": {"from": "1/s", "to": "5/s", "count": 5}},
              {"name": "peak", "duration": "2s", "spike": {"base": "0/s", "peak": "9/s", "at": "500ms", "length": "1s"}},
              {"name": "rest", "duration": "2s", "pause": true},
              {"name": "closed", "duration": "2s", "inFlight": {"apns-production": 100, "fcm": 200}, "pushes": "1_000"},
              {"name": "again", "duration": "2s", "replay": "times.csv"},
            ],
          },
          "lanes": {
            "apns-production": {"connections": 9, "streams": 250, "timeouts": {"connect": "1s", "handshake": "2s", "push": "3s", "keepAlive": "4s", "idle": "5s"},
              "retry": {"attempts": 3, "on": ["retryLater", "timedOut"], "backoff": {"first": "5s", "longest": "6s"}, "clockScale": 100},
              "quota": {"keeper": "window", "limit": "600k", "per": "30s", "reserve": 0.25, "devices": 100,
                "perDevice": [{"limit": 240, "per": "1m"}, {"limit": 5000, "per": "1h"}], "collapsible": {"burst": 20, "every": "3m"}},
              "host": "https://[::1]:2197", "proxy": "http://proxy:3128", "tenants": [{"name": "a-1", "apps": ["com.example.a"]}]},
            "apns-sandbox": {"credential": {"key": "k", "keyId": "i", "teamId": "t", "tokens": "own", "shardKeys": [{"key": "k1", "keyId": "i1"}, {"key": "k2", "keyId": "i2"}],
                "next": {"key": "n", "keyId": "j", "teamId": "u", "at": "1500ms"}},
              "tenants": [{"name": "b", "apps": ["com.example.b"], "connections": 7}], "mostBadTokens": 0.25, "certificate": {"file": "c.p12", "key": "k.pem", "passwordFile": "p", "share": 0.5}},
            "fcm": {"tenants": [{"name": "one", "apps": ["com.example.a", "x"], "batch": {"size": 50}, "credential": {"projectId": "q"}},
                {"name": "two", "apps": ["com.example.b"], "host": "https://other"}], "batch": {"size": 100, "inFlight": 2}, "validateOnly": true, "mostBadTokens": 0.5,
              "credential": {"serviceAccount": "s", "bearerFile": "b", "projectId": "p"}},
          },
          "mock": {
            "policy": "canned", "serviceTime": {"uniform": {"from": "1ms", "to": "2ms"}},
            "serviceTimes": {"fcm": "5ms", "apns-sandbox": {"lognormal": {"median": "3ms", "p99": "4ms"}}},
            "streamLimits": {"fcm": 7}, "unauthenticatedStreamLimit": 2, "tokenClockScale": 600,
            "faults": ["goaway,after=100,last=-2,reason=Shutdown", "stall,share=1%,lane=fcm"],
          },
          "campaign": {
            "devices": "8M", "rate": "9k/s", "deadline": "15m", "quota": {"limit": "700k", "per": "30s"}, "quotaUsed": 0.2,
            "withinQuota": true, "quotaPhase": "20s", "roundTrip": "40ms", "cpuPerPush": "50us",
            "bytesPerPush": {"out": 300, "in": 90}, "margin": 0.5, "seeds": 7,
          },
          "verdict": {"lagP99": "1ms", "sentShare": 0.5, "stall": "2ms", "workerCPU": 0.25, "clockStep": "3ms"},
          "thresholds": {
            \(thresholds.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)," }.joined(separator: "\n    "))
          },
        }
        """

    /// The full profile's thresholds: every metric, every aggregate, both forms.
    static let thresholds = [
        "all.response": "['p(99.9)<1.5s', 'count >= 1_000', {condition: 'max < 2s', over: '10s'}]",
        "fcm.service": "['mean <= 20ms', 'min > 0s', 'p(50) != 1ms']", "all.lag": "['p(100) < 5ms']",
        "apns-sandbox.stream_wait": "['p(99) < 1ms']", "fcm.batch": "['p(95) < 1m']",
        "all.outcomes{reason=a.b = {c}": "['count == 3']",
        "apns-production.outcomes{status=410}": "['per_s < 600k/min']", "all.outcomes": "['share < 0.5%']",
        "all.outcomes{disposition=delivered}": "['share >= 99%']",
        "all.rate": "[{condition: 'min >= 9.9k/s', over: '1m'}]",
        "fcm.connections": "['count <= 4', 'max == 4']", "fcm/one.rate": "['min > 0/s']",
        "all.bytes{direction=out}": "['mean < 250.5B', 'count < 2MiB']",
        "all.cpu": "['mean < 20us', 'share < 80%']", "all.allocations": "['mean <= 0.05']",
    ]

    @Test(
        "A certificate's share of the connections is spread evenly",
        arguments: [(0.0, 0), (0.25, 2), (0.5, 4), (0.75, 6), (1.0, 8)]
    )
    func certificateShare(share: Double, count: Int) {
        var section = CertificateSection()
        section.share = share
        let covered = (0..<8).filter { section.covers(connection: $0) }
        #expect(covered.count == count)
        // No two halves differ by more than one.
        #expect(abs(covered.count { $0 < 4 } * 2 - count) <= 1)
    }

    @Test("An empty profile is the default one under the file's name")
    func empty() throws {
        var expected = Profile()
        expected.name = "nothing"
        #expect(try Profile(json: "{}", file: "Profiles/nothing.json") == expected)
        #expect(try Profile(json: Array("{}".utf8), file: "nothing.json") == expected)
    }

    @Test("Every field arrives")
    func everyField() throws {
        let profile = try Profile(json: Self.full, file: "full.json")
        #expect(profile.name == "full" && profile.summary == "Everything \"set\"." && profile.workers == 3)
        #expect(profile.seed == .max)
        let fleet = profile.fleet
        #expect(fleet.size == 2_000_000 && fleet.csv == "devices.csv" && fleet.project == "p")
        #expect(fleet.mix == [LaneShare(lane: "apns-production", share: 0.3), LaneShare(lane: "fcm", share: 0.7)])
        #expect(fleet.laneWeights == [3, 0, 7] && fleet.appWeights == [1, 3])
        #expect(fleet.longTokenShare == 0.1 && fleet.longestToken == 160)
        #expect(fleet.apps.map(\.environment) == ["sandbox", nil] && fleet.misshapen == .fcm)
        let defects = fleet.defects
        #expect(defects.unregistered == 0.01 && defects.wrongEnvironment == 0.02 && defects.malformed == 0.03)
        #expect(defects.wrongTopic == 0.04 && defects.otherSender == 0.05)
        let (voip, background) = (profile.messages[0], profile.messages[4])
        #expect(voip.name == "a" && voip.weight == 3 && voip.pushType == "voip" && voip.priority == 5)
        #expect(voip.payloadBytes == 5120 && voip.ttl == 3600 && voip.collapseKey == "k")
        #expect(background.priority == 5 && background.payload == #"{"aps":{"content-available":1}}"#)
        #expect(voip.topic == "com.example.a.voip" && !voip.mutableContent && profile.messages[1].mutableContent)
        let options = profile.messages[1].fcm
        #expect(
            options.address == .fid
                && options.data == [.init(key: "one", value: "1"), .init(key: "two", value: "{index}")]
        )
        #expect(
            options.notification?.title == "t" && options.notification?.body == "b"
                && options.notification?.image == "i"
        )
        #expect(options.apns == #"{"payload":{}}"# && options.webpush == "{}" && options.analyticsLabel == "a_1")
        #expect(profile.messages[2].fcm.topic == "news" && profile.messages[3].fcm.condition == "'a' in topics")
        let fcm = profile.lane("fcm")
        #expect(fcm.validateOnly == true && fcm.mostBadTokens == 0.5 && fcm.credential?.serviceAccount == "s")
        #expect(fcm.tenants.map(\.name) == ["one", "two"] && fcm.tenants[0].apps == ["com.example.a", "x"])
        #expect(profile.lane("fcm/one").batch?.size == 50 && profile.lane("fcm/one").credential?.projectId == "q")
        // What a tenant doesn't say, its lane says.
        #expect(profile.lane("fcm/two").batch?.size == 100 && profile.lane("fcm/two").host == "https://other")
        #expect(profile.lane("fcm/two").mostBadTokens == 0.5 && profile.lane("fcm/two").tenants.isEmpty)
        #expect(fcm.credential?.bearerFile == "b" && fcm.credential?.projectId == "p")
        #expect(fcm.connections == 4 && fcm.batch?.size == 100 && fcm.batch?.inFlight == 2)
        let production = profile.lane("apns-production")
        #expect(production.connections == 9 && production.streams == .fixed(250))
        #expect(production.proxy == "http://proxy:3128")
        let next = profile.lane("apns-sandbox").credential?.next
        #expect(next?.key == "n" && next?.keyId == "j" && next?.teamId == "u")
        #expect(next?.at == 1500 * Nanoseconds.millisecond)
        #expect(production.host == "https://[::1]:2197" && production.timeouts.connect == Nanoseconds.second)
        #expect(production.timeouts.handshake == 2 * Nanoseconds.second)
        #expect(production.timeouts.push == 3 * Nanoseconds.second)
        #expect(production.timeouts.keepAlive == 4 * Nanoseconds.second)
        #expect(production.timeouts.idle == 5 * Nanoseconds.second)
        #expect(production.retry.attempts == 3 && production.retry.on == [.retryLater, .timedOut])
        #expect(production.retry.first == 5 * Nanoseconds.second && production.retry.longest == 6 * Nanoseconds.second)
        #expect(production.retry.clockScale == 100)
        #expect(production.quota.keeper == .window && production.quota.limit == 600_000)
        #expect(production.quota.per == 30 * Nanoseconds.second && production.quota.reserve == 0.25)
        #expect(production.quota.perDevice.map(\.limit) == [240, 5000])
        #expect(production.quota.perDevice.map(\.per) == [Nanoseconds.minute, Nanoseconds.hour])
        #expect(production.quota.collapsible == CollapsibleLimit(burst: 20, every: 3 * Nanoseconds.minute))
        #expect(production.quota.devices == 100)
        let certificate = profile.lane("apns-sandbox").certificate
        #expect(certificate?.file == "c.p12" && certificate?.key == "k.pem" && certificate?.passwordFile == "p")
        #expect(certificate?.share == 0.5)
        let credential = profile.lane("apns-sandbox").credential
        #expect(credential?.key == "k" && credential?.keyId == "i" && credential?.teamId == "t")
        #expect(credential?.tokens == .own)
        #expect((0..<3).map { credential?.key(of: Shard($0, of: 3)) } == ["k1", "k2", "k1"])
        #expect((0..<3).map { credential?.keyId(of: Shard($0, of: 3)) } == ["i1", "i2", "i1"])
        #expect(profile.lane("apns-sandbox").mostBadTokens == 0.25 && profile.lane("apns-sandbox").connections == 1)
    }

    @Test("Every phase arrives")
    func everyPhase() throws {
        let load = try Profile(json: Self.full, file: "full.json").load
        #expect(
            load.repeats == 2 && load.backlog == 3 * Nanoseconds.second && load.drain == 250 * Nanoseconds.millisecond
        )
        let shapes: [PhaseShape] = [
            .constant(.total(.perSecond(100))),
            .constant(
                .perLane(["fcm": .perSecond(10_000), "apns-production": Rate(pushes: 1, nanoseconds: 7_000_000_000)])
            ),
            .ramp(from: .zero, to: Rate(pushes: 1, nanoseconds: 2_000_000_000)),
            .steps(from: .perSecond(1), to: .perSecond(5), count: 5),
            .spike(base: .zero, peak: .perSecond(9), at: 500 * Nanoseconds.millisecond, length: Nanoseconds.second),
            .pause, .closed(inFlight: ["apns-production": 100, "fcm": 200], pushes: 1000), .replay("times.csv"),
        ]
        #expect(load.phases.map(\.shape) == shapes)
        #expect(load.phases.map(\.repeats) == [1, 1, 3, 1, 1, 1, 1, 1])
        #expect(load.phases.map(\.warmUp) == [true] + Array(repeating: false, count: 7))
        #expect(load.phases[1].arrivals == .poisson && load.phases[0].arrivals == .even)
        #expect(load.phases[0].duration == Nanoseconds.second)
    }

    @Test("The mock's section arrives")
    func mock() throws {
        let profile = try Profile(json: Self.full, file: "full.json")
        let mock = profile.mock
        #expect(mock.policy == .canned && mock.unauthenticatedStreamLimit == 2 && mock.tokenClockScale == 600)
        #expect(mock.serviceTime(of: "apns-production") == .uniform(from: 1_000_000, to: 2_000_000))
        #expect(mock.serviceTime(of: "fcm") == .constant(5_000_000))
        #expect(mock.serviceTime(of: "apns-sandbox") == .lognormal(median: 3_000_000, p99: 4_000_000))
        #expect(LaneName.all.map(mock.streamLimit) == [1000, 1000, 7])
        #expect(MockSection().streamLimit(of: "fcm") == 100)
        #expect(mock.faults.map(\.knob) == [.goAway, .stall])
        #expect(mock.faults.map(\.scope.after) == [100, 0] && mock.faults.map(\.scope.share) == [1, 0.01])
        let verdict = profile.verdict
        #expect(verdict.lagP99 == 1_000_000 && verdict.sentShare == 0.5 && verdict.stall == 2_000_000)
        #expect(verdict.workerCPU == 0.25 && verdict.clockStep == 3_000_000)
    }

    @Test("The canonical text reads back to an equal profile, and so does any coder's", arguments: [full, "{}"])
    func roundTrip(text: String) throws {
        let profile = try Profile(json: text, file: "full.json")
        #expect(try Profile(json: profile.canonicalJSON, file: "other.json") == profile)
        #expect(try Profile(json: profile.canonicalJSON, file: "other.json").canonicalJSON == profile.canonicalJSON)
        let coded = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(Profile.self, from: coded) == profile)
    }

    @Test("Overrides win over the text, and null takes a field back")
    func overrides() throws {
        let profile = try Profile(
            json: Self.full,
            file: "full.json",
            overrides: [
                "load.phases[0].rate=2000/s", "fleet.size=5", "workers=null", "name=other", "mock.serviceTime=1ms",
                "lanes.apns-sandbox.connections=3", "load.phases[2].ramp=null", "load.phases[2].rate=7/s",
            ]
        )
        #expect(profile.load.phases[0].shape == .constant(.total(.perSecond(2000))))
        #expect(profile.load.phases[2].shape == .constant(.total(.perSecond(7))))
        #expect(profile.fleet.size == 5 && profile.workers == nil && profile.name == "other")
        #expect(profile.mock.serviceTime == .constant(1_000_000))
        #expect(profile.lane("apns-sandbox").connections == 3)
    }
}

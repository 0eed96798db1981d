import Testing

@testable import LoadPlan

@Suite("What is wrong with a profile, in one line")
struct ProfileErrorTests {
    private func message(_ text: String, _ overrides: [String] = []) -> String? {
        do {
            _ = try Profile(json: text, file: "p.json", overrides: overrides)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "Keys, types and ranges name file, line, field, value and what is allowed",
        arguments: [
            ("{\n\"flet\": {}}", "p.json:2: flet is not a known key; did you mean \"fleet\"?"),
            (
                "{load: {phases: [{raet: 1}]}}",
                "p.json:1: load.phases[0].raet is not a known key; did you mean \"rate\"?"
            ),
            (
                "{mock: {zebra: 1}}",
                "p.json:1: mock.zebra is not a known key; known here: policy, serviceTime, serviceTimes, streamLimits, "
                    + "unauthenticatedStreamLimit, tokenClockScale, faults"
            ),
            ("{lanes: {fmc: {}}}", "p.json:1: lanes.fmc is not a known key; did you mean \"fcm\"?"),
            (
                "{lanes: {apns-sandbox: {batch: {}}}}",
                "p.json:1: lanes.apns-sandbox.batch is not a known key; known here: connections, streams, http2, timeouts, credential, certificate, mostBadTokens, retry, quota, host, proxy, tenants"
            ),
            (
                "[]",
                "p.json:1: the profile is []; allowed: an object with keys of $schema, name, description, seed, workers, fleet, messages, load, lanes, mock, campaign, verdict, thresholds"
            ),
            ("{\n\n\"a\" 1}", "p.json:3: not valid JSON: expected \":\" after \"a\", found \"1}\""),
            ("{seed: -1}", "p.json:1: seed is -1; allowed: a whole number from 0 to 18,446,744,073,709,551,615"),
            ("{seed: 1.5}", "p.json:1: seed is 1.5; allowed: a whole number from 0 to 18,446,744,073,709,551,615"),
            ("{workers: 0}", "p.json:1: workers is 0; allowed: a whole number from 1 to 256"),
            ("{workers: \"many\"}", "p.json:1: workers is \"many\"; allowed: a whole number from 1 to 256"),
            ("{name: ''}", "p.json:1: name is \"\"; allowed: a text of 1 to 200 bytes"),
            ("{name: 7}", "p.json:1: name is 7; allowed: a text of 1 to 200 bytes"),
            (
                "{fleet: {defects: {malformed: 2}}}",
                "p.json:1: fleet.defects.malformed is 2; allowed: a share from 0 to 1"
            ),
            ("{fleet: {apps: []}}", "p.json:1: fleet.apps is []; allowed: a list of 1 to 1,000 elements"),
            ("{fleet: {apps: [{}]}}", "p.json:1: fleet.apps[0] has no \"topic\""),
            (
                "{load: {drain: 5}}",
                "p.json:1: load.drain is 5; allowed: a time such as \"250ms\", \"5s\" or \"10m\", from 0s to 1h"
            ),
            (
                "{load: {phases: [{warmUp: 'yes', rate: '1/s'}]}}",
                "p.json:1: load.phases[0].warmUp is \"yes\"; allowed: true or false"
            ),
            (
                "{load: {phases: [{rate: 10000}]}}",
                "p.json:1: load.phases[0].rate is 10000; allowed: a rate such as \"10000/s\" or \"600k/min\", above zero and at most 10000000/s"
            ),
            (
                "{load: {phases: [{rate: '20M/s'}]}}",
                "p.json:1: load.phases[0].rate is \"20M/s\"; allowed: a rate such as \"10000/s\" or \"600k/min\", above zero and at most 10000000/s"
            ),
            (
                "{load: {phases: [{duration: '2d', rate: '1/s'}]}}",
                "p.json:1: load.phases[0].duration is \"2d\"; allowed: a time such as \"250ms\", \"5s\" or \"10m\", from 1ms to 1d"
            ),
            (
                "{mock: {faults: ['reset', 'goawy']}}",
                "p.json:1: mock.faults[1] is no fault: goawy is no known fault; did you mean goaway?"
            ),
            ("{mock: {policy: 'strict'}}", "p.json:1: mock.policy is \"strict\"; allowed: \"faithful\", \"canned\""),
            (
                "{lanes: {fcm: {streams: 0}}}",
                "p.json:1: lanes.fcm.streams is 0; allowed: \"peer\" or a whole number from 1 to 1,000,000"
            ),
            (
                "{lanes: {fcm: {batch: {size: 501}}}}",
                "p.json:1: lanes.fcm.batch.size is 501; allowed: a whole number from 1 to 500"
            ),
            (
                "{mock: {serviceTime: {uniform: {from: '2ms', to: '1ms'}}}}",
                "p.json:1: mock.serviceTime.uniform is {\"from\":\"2ms\",\"to\":\"1ms\"}; allowed: from not above to"
            ),
            (
                "{mock: {serviceTime: {}}}",
                "p.json:1: mock.serviceTime is {}; allowed: a time, or one of constant, uniform, lognormal"
            ),
            (
                "{messages: [{payload: 'x'}]}",
                "p.json:1: messages[0].payload is \"x\"; allowed: a JSON object, or a string with the text of one"
            ),
            ("{messages: [{ttl: '1500ms'}]}", "p.json:1: messages[0].ttl is \"1500ms\"; allowed: whole seconds"),
            (
                "{messages: [{pushType: 'text'}]}",
                "p.json:1: messages[0].pushType is \"text\"; allowed: \"alert\", \"background\", \"location\", \"voip\", \"complication\", \"fileprovider\", \"mdm\", \"liveactivity\", \"pushtotalk\", \"widgets\", \"controls\""
            ),
            (
                #"{name: {a: "a long value that goes on and on and on and on"}}"#,
                #"p.json:1: name is {"a":"a long value that goes on and o...; allowed: a text of 1 to 200 bytes"#
            ),
        ]
    )
    func fields(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test(
        "Fields that depend on each other are checked together",
        arguments: [
            ("{fleet: {\nmix: {fcm: 0.5}}}", "p.json:2: fleet.mix has shares that sum to 0.5; allowed: exactly 1"),
            (
                "{fleet: {mix: {fcm: 0.12345, apns-sandbox: 0.87655}}}",
                "p.json:1: fleet.mix has shares finer than 1 in 10,000"
            ),
            (
                "{fleet: {apps: [{topic: 'a', share: 0.5}, {topic: 'a', share: 0.5}]}}",
                "p.json:1: fleet.apps[1].topic is \"a\" for a second time"
            ),
            ("{fleet: {longestToken: 65}}", "p.json:1: fleet.longestToken is 65; allowed: even, 64 to 200"),
            (
                "{fleet: {longTokenShare: 0.1, longestToken: 64}}",
                "p.json:1: fleet.longTokenShare is above 0, but longestToken is 64, so none is longer"
            ),
            (
                "{fleet: {defects: {malformed: 0.75, wrongTopic: 0.5}}}",
                "p.json:1: fleet.defects sum to 1.25; allowed: at most 1"
            ),
            (
                "{fleet: {misshapen: 'fcm'}}",
                "p.json:1: fleet.misshapen is \"fcm\"; allowed without a csv: \"send\", \"refuse\""
            ),
            (
                "{fleet: {apps: [{topic: 'a', environment: 'sandbox'}]}}",
                "p.json:1: fleet.apps[0].environment is for the devices of a csv; those of a fleet that is made up have one by fleet.mix"
            ),
            (
                "{lanes: {fcm: {proxy: 'https://proxy'}}}",
                "p.json:1: lanes.fcm.proxy is \"https://proxy\"; allowed: http://NAME or http://NAME:PORT"
            ),
            (
                "{lanes: {fcm: {proxy: 'http://user:word@proxy:80'}}}",
                "p.json:1: lanes.fcm.proxy is \"http://user:word@proxy:80\"; allowed: http://NAME or http://NAME:PORT"
            ),
            (
                "{lanes: {fcm: {tenants: [{name: 'a', apps: ['com.example.app']}, {name: 'a', apps: ['x']}]}}}",
                "p.json:1: lanes.fcm.tenants[1].name is \"a\" for a second time"
            ),
            (
                "{lanes: {fcm: {tenants: [{name: 'a', apps: ['com.example.app']}, {name: 'b', apps: ['com.example.app']}]}}}",
                "p.json:1: lanes.fcm.tenants[1].apps[0] is \"com.example.app\" for a second time"
            ),
            (
                "{lanes: {fcm: {tenants: [{name: 'a', apps: ['x']}]}}}",
                "p.json:1: lanes.fcm.tenants[0].apps[0] is \"x\"; allowed: one of fleet.apps: com.example.app"
            ),
            ("{lanes: {fcm: {tenants: [{apps: ['x']}]}}}", "p.json:1: lanes.fcm.tenants[0] has no \"name\""),
            (
                "{lanes: {fcm: {tenants: [{name: 'A/b', apps: ['x']}]}}}",
                "p.json:1: lanes.fcm.tenants[0].name is \"A/b\"; allowed: a text of lower-case letters, digits and hyphens"
            ),
            (
                "{thresholds: {'fcm/b.response': ['max < 1s']}}",
                "p.json:1: thresholds[\"fcm/b.response\"] is about no tenant of the lane; allowed: fcm"
            ),
            (
                "{lanes: {apns-sandbox: {credential: {next: {}}}}}",
                "p.json:1: lanes.apns-sandbox.credential.next has no \"at\""
            ),
            (
                "{lanes: {apns-sandbox: {credential: {next: {at: '1s', keyId: 'x'}}}}}",
                "p.json:1: lanes.apns-sandbox.credential.next is {\"at\":\"1s\",\"keyId\":\"x\"}; allowed: key and keyId together"
            ),
            (
                "{lanes: {apns-sandbox: {credential: {next: {at: '15s'}}}}}",
                "p.json:1: lanes.apns-sandbox.credential.next.at is 15s; allowed: before the load's end, 15s"
            ),
            (
                "{lanes: {apns-sandbox: {certificate: {}, credential: {next: {at: '1s'}}}}}",
                "p.json:1: lanes.apns-sandbox.credential.next is a key, but all connections of the lane use a certificate"
            ),
            (
                "{messages: [{pushType: 'background', priority: 10}]}",
                "p.json:1: messages[0].priority is 10; allowed for the push type background: 5"
            ),
            (
                "{messages: [{payloadBytes: 4097}]}",
                "p.json:1: messages[0].payloadBytes has 4,097 bytes; allowed for the push type alert: 4,096"
            ),
            (
                "{messages: [{payload: {a: '" + String(repeating: "{token}", count: 21) + "'}}]}",
                "p.json:1: messages[0].payload has 4,208 bytes; allowed for the push type alert: 4,096"
            ),
            (
                "{messages: [{collapseKey: '" + String(repeating: "k", count: 65) + "'}]}",
                "p.json:1: messages[0].collapseKey is \"" + String(repeating: "k", count: 36)
                    + "...; allowed: a text of 1 to 64 bytes"
            ),
            (
                "{messages: [{pushType: 'voip', topic: 'com.example.app'}]}",
                "p.json:1: messages[0].topic is \"com.example.app\"; allowed for the push type voip: a bundle identifier and .voip"
            ),
            (
                "{messages: [{topic: 'com.example.app.voip'}]}",
                "p.json:1: messages[0].topic is \"com.example.app.voip\"; allowed for the push type alert: a bundle identifier, without .voip"
            ),
            (
                "{messages: [{pushType: 'mdm', topic: 'com.example.app'}]}",
                "p.json:1: messages[0].topic is \"com.example.app\"; allowed for the push type mdm: the UID of the push certificate, com.apple.mgmt. and more"
            ),
            (
                "{messages: [{pushType: 'background', mutableContent: true}]}",
                "p.json:1: messages[0].mutableContent is true; allowed for an alert that is made up, elsewhere it stands in the payload"
            ),
            (
                "{messages: [{fcm: {data: {k: 5}}}]}",
                "p.json:1: messages[0].fcm.data.k is 5; allowed: a string: FCM's data has no other values"
            ),
            (
                "{messages: [{fcm: {data: {from: 'x'}}}]}",
                "p.json:1: messages[0].fcm.data.from is a key of FCM's own; allowed: any but from, message_type and those that begin with google. or gcm."
            ),
            (
                "{messages: [{fcm: {data: {k: '" + String(repeating: "x", count: 4096) + "'}}}]}",
                "p.json:1: messages[0].fcm.data has 4,097 bytes of keys and values; allowed: 4,096"
            ),
            (
                "{messages: [{fcm: {topic: 't', data: {k: '" + String(repeating: "x", count: 2048) + "'}}}]}",
                "p.json:1: messages[0].fcm.data has 2,049 bytes of keys and values; allowed: 2,048"
            ),
            (
                "{messages: [{fcm: {topic: 't', condition: 'c'}}]}",
                "p.json:1: messages[0].fcm has both topic and condition; allowed: one of them"
            ),
            (
                "{messages: [{fcm: {topic: 't', address: 'fid'}}]}",
                "p.json:1: messages[0].fcm.address is fid, but the message goes to no device"
            ),
            (
                "{messages: [{fcm: {analyticsLabel: 'a b'}}]}",
                "p.json:1: messages[0].fcm.analyticsLabel is \"a b\"; allowed: letters, digits and -_.~%"
            ),
            (
                "{lanes: {apns-sandbox: {certificate: {file: 'a', passwordFile: 'b', passwordEnvironment: 'c'}}}}",
                "p.json:1: lanes.apns-sandbox.certificate has both passwordFile and passwordEnvironment; allowed: one of them"
            ),
            (
                "{lanes: {apns-sandbox: {certificate: {passwordFile: 'b'}}}}",
                "p.json:1: lanes.apns-sandbox.certificate has no file that key or password could belong to"
            ),
            (
                "{messages: [{payloadBytes: 99, payload: {}}]}",
                "p.json:1: messages[0] has both payload and payloadBytes; allowed: one of them"
            ),
            (
                "{lanes: {fcm: {host: 'localhost:1'}}}",
                "p.json:1: lanes.fcm.host is \"localhost:1\"; allowed: https://NAME or https://NAME:PORT"
            ),
            (
                "{load: {phases: [{}]}}",
                "p.json:1: load.phases[0] has no shape; allowed: one of rate, rates, ramp, steps, spike, replay, pause, inFlight"
            ),
            (
                "{load: {phases: [{rate: '1/s', pause: true}]}}",
                "p.json:1: load.phases[0] has rate and pause; allowed: one of rate, rates, ramp, steps, spike, replay, pause, inFlight"
            ),
            (
                "{load: {phases: [{rate: '1/s', pushes: 5}]}}",
                "p.json:1: load.phases[0].pushes belongs to a closed loop, with inFlight"
            ),
            (
                "{load: {phases: [{pause: true, arrivals: 'even'}]}}",
                "p.json:1: load.phases[0].arrivals has no meaning for a replay, a pause or a closed loop"
            ),
            (
                "{load: {phases: [{pause: false}]}}",
                "p.json:1: load.phases[0].pause is false; allowed: true, or no such key"
            ),
            (
                "{load: {phases: [{pause: true}]}}",
                "p.json:1: load.phases sends nothing; a run needs a phase with a load"
            ),
            (
                "{load: {phases: [{rate: '1/s', warmUp: true}]}}",
                "p.json:1: load.phases has only warm-up phases; a run needs one that counts"
            ),
            (
                "{load: {phases: [{rate: '1/s'}, {rate: '1/s', warmUp: true}]}}",
                "p.json:1: load.phases[1].warmUp is true after a phase that counts; warm-up comes first"
            ),
            (
                "{load: {phases: [{rate: '1/s', name: 'a'}, {pause: true,\nname: 'a'}]}}",
                "p.json:2: load.phases[1].name is \"a\" for a second time"
            ),
            (
                "{load: {phases: [{ramp: {from: '0/s', to: '0/s'}}]}}",
                "p.json:1: load.phases[0].ramp never rises above 0/s; for that there is \"pause\": true"
            ),
            ("{load: {phases: [{ramp: {from: '0/s'}}]}}", "p.json:1: load.phases[0].ramp has no \"to\""),
            (
                "{load: {phases: [{duration: '1s', spike: {base: '1/s', peak: '2/s', at: '900ms', length: '101ms'}}]}}",
                "p.json:1: load.phases[0].spike ends after 1001ms, but the phase after 1s"
            ),
            ("{load: {phases: [{inFlight: {}}]}}", "p.json:1: load.phases[0].inFlight names no lane"),
            (
                "{fleet: {mix: {fcm: 1}}, load: {phases: [{inFlight: {apns-sandbox: 1}}]}}",
                "p.json:1: load.phases[0].inFlight.apns-sandbox has a load, but the fleet has no devices of this lane"
            ),
            (
                "{lanes: {fcm: {batch: {}}}, load: {phases: [{inFlight: {fcm: 250}}]}}",
                "p.json:1: load.phases[0].inFlight.fcm is 250; allowed with lanes.fcm.batch: a multiple of 500 up to 2,000 (size times inFlight)"
            ),
            (
                "{load: {repeat: 10000, phases: [{rate: '1/s', repeat: 11}]}}",
                "p.json:1: load.repeat makes 110,000 rounds of phases; allowed: 100,000"
            ),
        ]
    )
    func rules(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test("An override is named as such")
    func overrides() {
        #expect(
            message("{}", ["fleet.size=0"])
                == "--set: fleet.size is 0; allowed: a whole number from 1 to 1,000,000,000,000"
        )
        #expect(message("{}", ["fleet.sise=1"]) == "--set: fleet.sise is not a known key; did you mean \"size\"?")
        #expect(
            message("{}", ["load.phases[3].rate=1/s"])
                == "--set load.phases[3].rate=1/s names load.phases[3], but load.phases has 0 elements"
        )
    }

    @Test("Text that is not UTF-8")
    func notUTF8() {
        #expect(throws: ProfileError(file: "p", line: nil, path: "", problem: .syntax("the text is not UTF-8"))) {
            try Profile(json: [0x7B, 0xFF, 0x7D] as [UInt8], file: "p")
        }
    }

    @Test(
        "The nearest known word",
        arguments: [
            ("sede", "seed"), ("SEED", "seed"), ("workres", "workers"), ("flet", "fleet"), ("x", nil),
            ("verdicts", "verdict"),
            ("threshold", "thresholds"), ("limits", nil), ("decription", "description"),
        ] as [(String, String?)]
    )
    func nearest(word: String, expected: String?) {
        #expect(EditDistance.nearest(to: word, in: Profile.keys) == expected)
    }

    @Test("Shares become exact weights")
    func shares() {
        #expect(Shares.weights([0.45, 0.05, 0.5]) == [9, 1, 10])
        #expect(Shares.weights([0.3333333333, 0.6666666667]) == [1, 2])
        #expect(Shares.weights([0, 1]) == [0, 1])
        #expect(Shares.weights([0.9999, 0.0001]) == [9999, 1])
        #expect(Shares.weights([0.1, 0.2, 0.7]) == [1, 2, 7])
        #expect(Shares.weights([0.5, 0.4999999]) == nil)
        #expect(Shares.weights([0.99999, 0.00001]) == nil)
        #expect(Shares.weights([]) == nil)
    }
}

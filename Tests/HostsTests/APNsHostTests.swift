import Fleet
import Hosts
import Push
import Testing

/// From a raw request to the answer of an APNs host.
@Suite struct APNsHostTests {
    static let now: Int64 = 1_793_523_600_000_000_000
    static let genuine = ProviderTokenStanding.genuine(key: 0, issuedAt: now - 60_000_000_000)

    static func host(_ environment: Environment = .production) -> APNsHost {
        APNsHost(
            APNsHost.Configuration(
                environment: environment,
                keys: [ProviderKey(id: "ABC123DEFG", team: "TEAM123456")],
                bundleIDs: DefectiveTokens.topics,
                startedAt: now,
                seed: 1
            )
        )
    }

    /// A request that is accepted.
    static func request() -> WrittenRequest {
        WrittenRequest(
            path: "/3/device/" + String(repeating: "0123456789abcdef", count: 4),
            headers: [
                "authorization": "bearer x", "apns-topic": "com.example.app", "apns-push-type": "alert",
                "apns-priority": "10", "apns-id": "123e4567-e89b-12d3-a456-4266554400a0",
            ],
            body: #"{"aps":{"alert":"hello"}}"#
        )
    }

    static func answer(
        _ request: WrittenRequest,
        token: ProviderTokenStanding = genuine,
        environment: Environment = .production
    ) -> APNsAnswer {
        var host = host(environment)
        var connection = APNsHost.Connection()
        return host.answer(request.view, over: &connection, token: token, at: now)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var reason: APNsReason?
        var token = APNsHostTests.genuine
        var change: @Sendable (WrittenRequest) -> Void

        init(
            _ name: String,
            _ reason: APNsReason?,
            token: ProviderTokenStanding = APNsHostTests.genuine,
            _ change: @escaping @Sendable (WrittenRequest) -> Void = { _ in }
        ) {
            self.name = name
            self.reason = reason
            self.token = token
            self.change = change
        }

        var testDescription: String { name }
    }

    static let hour: Int64 = 3_600_000_000_000

    static let cases: [Case] = [
        Case("as it should be", nil),
        Case("GET", .methodNotAllowed) { $0.method = "GET" },
        Case("lower-case method", .methodNotAllowed) { $0.method = "post" },
        Case("root path", .badPath) { $0.path = "/" },
        Case("version 2", .badPath) { $0.path = "/2/device/00" },
        Case("no path", .badPath) { $0.path = "" },
        Case("no token after the slash", .missingDeviceToken) { $0.path = "/3/device/" },
        Case("no slash either", .missingDeviceToken) { $0.path = "/3/device" },
        Case("a query only", .missingDeviceToken) { $0.path = "/3/device/?x" },
        Case("a query behind the token", nil) { $0.path += "?x=y" },
        Case("no provider token", .missingProviderToken, token: .absent),
        Case("an invalid one", .invalidProviderToken, token: .invalid),
        Case("just in time", nil, token: .genuine(key: 0, issuedAt: now - hour)),
        Case("an hour and a bit", .expiredProviderToken, token: .genuine(key: 0, issuedAt: now - hour - 1)),
        Case("an hour ahead", .invalidProviderToken, token: .genuine(key: 0, issuedAt: now + hour)),
        Case("a clock a little ahead", nil, token: .genuine(key: 0, issuedAt: now + 60_000_000_000)),
        Case("no topic", .missingTopic) { $0.headers["apns-topic"] = nil },
        Case("a topic with a space", .badTopic) { $0.headers["apns-topic"] = "com.example app" },
        Case("an endless topic", .badTopic) { $0.headers["apns-topic"] = String(repeating: "a", count: 256) },
        Case("somebody else's topic", .topicDisallowed) { $0.headers["apns-topic"] = "com.example.stranger" },
        Case("a topic that begins like ours", .topicDisallowed) { $0.headers["apns-topic"] = "com.example.ap" },
        Case("no push type", nil) { $0.headers["apns-push-type"] = nil },
        Case("an unknown push type", .invalidPushType) { $0.headers["apns-push-type"] = "Alert" },
        Case("voip without its suffix", .topicDisallowed) { $0.headers["apns-push-type"] = "voip" },
        Case("a suffix without voip", .topicDisallowed) { $0.headers["apns-topic"] = "com.example.app.voip" },
        Case("mdm", nil) {
            $0.headers["apns-push-type"] = "mdm"
            $0.headers["apns-topic"] = "com.apple.mgmt.External.9a1b"
        },
        Case("no priority", nil) { $0.headers["apns-priority"] = nil },
        Case("priority 1", nil) { $0.headers["apns-priority"] = "1" },
        Case("priority 7", .badPriority) { $0.headers["apns-priority"] = "7" },
        Case("priority high", .badPriority) { $0.headers["apns-priority"] = "high" },
        Case("priority 10 in the background", .badPriority) { $0.headers["apns-push-type"] = "background" },
        Case("priority 5 in the background", nil) {
            $0.headers["apns-push-type"] = "background"
            $0.headers["apns-priority"] = "5"
        },
        Case("expiration 0", nil) { $0.headers["apns-expiration"] = "0" },
        Case("a far expiration", nil) { $0.headers["apns-expiration"] = "2000000000" },
        Case("a date in words", .badExpirationDate) { $0.headers["apns-expiration"] = "tomorrow" },
        Case("a negative expiration", .badExpirationDate) { $0.headers["apns-expiration"] = "-1" },
        Case("an expiration out of range", .badExpirationDate) {
            $0.headers["apns-expiration"] = "99999999999999999999"
        },
        Case("64 bytes to collapse by", nil) { $0.headers["apns-collapse-id"] = String(repeating: "c", count: 64) },
        Case("65 bytes to collapse by", .badCollapseID) {
            $0.headers["apns-collapse-id"] = String(repeating: "c", count: 65)
        },
        Case("64 characters in 65 bytes", .badCollapseID) {
            $0.headers["apns-collapse-id"] = String(repeating: "c", count: 63) + "é"
        },
        Case("no id", nil) { $0.headers["apns-id"] = nil },
        Case("an id that is no UUID", .badMessageID) { $0.headers["apns-id"] = "42" },
        Case("an id without hyphens", .badMessageID) {
            $0.headers["apns-id"] = "123e4567e89b12d3a4564266554400a0"
        },
        Case("an upper-case id", nil) { $0.headers["apns-id"] = "123E4567-E89B-12D3-A456-4266554400A0" },
        Case("a header twice", .duplicateHeaders) { $0.repeatsHeader = true },
        Case("no payload", .payloadEmpty) { $0.body = [] },
        Case("4096 bytes", nil) { $0.body = Array(repeating: 0x20, count: 4096) },
        Case("4097 bytes", .payloadTooLarge) { $0.body = Array(repeating: 0x20, count: 4097) },
        Case("much more than was kept", .payloadTooLarge) { $0.bodyLength = 1_000_000 },
        Case("5120 bytes of VoIP", nil) {
            $0.headers["apns-push-type"] = "voip"
            $0.headers["apns-topic"] = "com.example.app.voip"
            $0.body = Array(repeating: 0x20, count: 5120)
        },
        Case("5121 bytes of VoIP", .payloadTooLarge) {
            $0.headers["apns-push-type"] = "voip"
            $0.headers["apns-topic"] = "com.example.app.voip"
            $0.body = Array(repeating: 0x20, count: 5121)
        },
        Case("200 characters of token", nil) { $0.path = "/3/device/" + String(repeating: "aB", count: 100) },
        Case("202 characters", .badDeviceToken) { $0.path = "/3/device/" + String(repeating: "ab", count: 101) },
        Case("62 characters", .badDeviceToken) { $0.path = "/3/device/" + String(repeating: "ab", count: 31) },
        Case("an odd length", .badDeviceToken) { $0.path += "0" },
        Case("no hexadecimal digits", .badDeviceToken) { $0.path = "/3/device/" + String(repeating: "xy", count: 32) },
        Case("a path below the token", .badDeviceToken) { $0.path += "/x" },
    ]

    @Test(arguments: cases) func aRequestGetsItsAnswer(_ each: Case) {
        let request = Self.request()
        each.change(request)
        let answer = Self.answer(request, token: each.token)
        #expect(answer.reason == each.reason)
        #expect(answer.status == each.reason?.status ?? 200)
    }

    /// Each pair breaks two rules; the first one answers.
    @Test func theFirstBrokenRuleAnswers() {
        let orders: [(APNsReason, (WrittenRequest) -> Void)] = [
            (.methodNotAllowed, { $0.method = "PUT" }),
            (.badPath, { $0.path = "/4/device/1" }),
            (.invalidProviderToken, { _ in }),
            (.missingTopic, { $0.headers["apns-topic"] = nil }),
            (.badPriority, { $0.headers["apns-priority"] = "0" }),
            (.badExpirationDate, { $0.headers["apns-expiration"] = "x" }),
            (.badCollapseID, { $0.headers["apns-collapse-id"] = String(repeating: "c", count: 99) }),
            (.badMessageID, { $0.headers["apns-id"] = "x" }),
            (.duplicateHeaders, { $0.repeatsHeader = true }),
            (.payloadEmpty, { $0.body = [] }),
            (.badDeviceToken, { if $0.path.hasPrefix("/3/") { $0.path = "/3/device/1" } }),
        ]
        for first in orders.indices {
            let request = Self.request()
            for (_, change) in orders[first...].reversed() { change(request) }
            let token = first <= 2 ? ProviderTokenStanding.invalid : Self.genuine
            #expect(Self.answer(request, token: token).reason == orders[first].0)
        }
    }

    @Test func aConnectionHasOneStreamUntilAValidTokenCame() {
        var host = Self.host()
        var connection = APNsHost.Connection()
        #expect(host.initialStreamLimit() == 1)
        let request = Self.request()
        let refused = host.answer(request.view, over: &connection, token: .absent, at: Self.now)
        #expect(refused.streamLimit == nil)
        #expect(!connection.isAuthenticated)
        request.headers["apns-topic"] = nil
        let raised = host.answer(request.view, over: &connection, token: Self.genuine, at: Self.now)
        #expect(raised.reason == .missingTopic)
        #expect(raised.streamLimit == 1000)
        #expect(connection.isAuthenticated)
        let good = Self.request()
        let next = host.answer(good.view, over: &connection, token: Self.genuine, at: Self.now)
        #expect(next.streamLimit == nil)
    }

    /// What a connection may send to is fixed at its first push.
    @Test func anAppAddedLaterNeedsALaterConnection() {
        var host = Self.host()
        var old = APNsHost.Connection()
        let request = Self.request()
        #expect(host.answer(request.view, over: &old, token: Self.genuine, at: Self.now).reason == nil)
        host.add(bundleID: "com.example.new")
        request.headers["apns-topic"] = "com.example.new"
        #expect(host.answer(request.view, over: &old, token: Self.genuine, at: Self.now).reason == .topicDisallowed)
        var new = APNsHost.Connection()
        #expect(host.answer(request.view, over: &new, token: Self.genuine, at: Self.now).reason == nil)
    }

    @Test func aConnectionWithACertificateHasAllItsStreamsAtOnce() {
        var host = Self.host()
        var connection = APNsHost.Connection(
            certificate: ClientCertificate(topic: "com.example.app", environments: [.production])
        )
        #expect(host.initialStreamLimit(of: connection) == 1000)
        let request = Self.request()
        let answer = host.answer(request.view, over: &connection, token: .absent, at: Self.now)
        #expect(answer.reason == nil && answer.streamLimit == nil)
    }

    @Test func theIDIsEchoedAsItCame() {
        let request = Self.request()
        for id in ["123e4567-e89b-12d3-a456-4266554400a0", "123E4567-E89B-12D3-A456-4266554400A0"] {
            request.headers["apns-id"] = id
            #expect(Self.answer(request).messageID.description == id)
            #expect(Self.answer(request, token: .absent).messageID.description == id)
        }
    }

    @Test func anIDIsMadeWhereNoneOrNoGoodOneCame() {
        var host = Self.host()
        var connection = APNsHost.Connection()
        var seen: Set<String> = []
        for id in [nil, nil, "nonsense"] {
            let request = Self.request()
            request.headers["apns-id"] = id
            let made = host.answer(request.view, over: &connection, token: Self.genuine, at: Self.now).messageID
            #expect(seen.insert(made.description).inserted)
            #expect(
                made.description.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/)
                    != nil
            )
        }
    }

    @Test func onlyTheSandboxGivesUniqueIDs() {
        #expect(Self.answer(Self.request()).uniqueID == nil)
        #expect(Self.answer(Self.request(), environment: .sandbox).uniqueID != nil)
        #expect(Self.answer(Self.request(), token: .absent, environment: .sandbox).uniqueID == nil)
    }
}

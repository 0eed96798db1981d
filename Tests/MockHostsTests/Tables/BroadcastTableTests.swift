import Fleet
import Hosts
import Push
import Testing

@testable import MockHosts

/// Every reason of APNs' second table, about broadcasts and channels, from the bytes of a request to status, headers and
/// body.
@Suite struct BroadcastTableTests {
    static let id = "123e4567-e89b-12d3-a456-4266554400a0"
    private static let minute: Int64 = 60_000_000_000

    /// Requests that are accepted, until a row changes them; a channel that keeps messages is there.
    struct Scene {
        let bench: HostBench
        private(set) var channel: String
        var certificate: ClientCertificate?
        var port = HostPort.apnsProduction
        var headers: [String: String]
        var body = Array(#"{"aps":{"event":"update","content-state":{}}}"#.utf8)
        /// A provider token that came over the connection before.
        var earlier: String?
        /// What a fault has the host answer, whatever the request is.
        var fault: BroadcastReason?

        /// A broadcast.
        init(_ rules: (inout APNsHost.Configuration) -> Void = { _ in }) throws {
            bench = try HostBench()
            bench.changeAPNs(.production, rules)
            headers = [
                ":method": "POST", ":scheme": "https", ":authority": "localhost",
                ":path": "/4/broadcasts/apps/com.example.app",
                "authorization": "bearer " + (try bench.providerToken()), "apns-request-id": BroadcastTableTests.id,
                "apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": "2000000000",
            ]
            channel = ""
            var maker = self
            maker.create(storage: 1)
            channel = try maker.created()
            headers["apns-channel-id"] = channel
        }

        mutating func manage(_ method: String, path: String = "/1/apps/com.example.app/channels", body: String = "") {
            port = .apnsProductionChannels
            headers[":method"] = method
            headers[":path"] = path
            self.body = Array(body.utf8)
        }

        mutating func create(storage: Int, type: String = "LiveActivity") {
            manage("POST", body: #"{"message-storage-policy":\#(storage),"push-type":"\#(type)"}"#)
        }

        /// Makes a channel and returns its id.
        func created() throws -> String {
            let field = try #require(try response().headers.first { $0.hasPrefix("apns-channel-id: ") })
            return String(field.dropFirst("apns-channel-id: ".count))
        }

        mutating func authorize(_ token: String) { headers["authorization"] = "bearer " + token }

        func response() throws -> RawHTTP2.Response {
            let sender = HostBench.Sender(port, certificate: certificate)
            if let earlier {
                var before = self
                before.authorize(earlier)
                _ = try bench.send(before.fields, body: body, over: sender)
            }
            return try bench.send(fields, body: body, over: sender) { _, _, answer in
                guard let fault, case .channel(var refused) = answer else { return answer }
                refused.refuse(fault)
                return .channel(refused)
            }
        }

        /// Pseudo-header fields first.
        private var fields: [(String, String)] { headers.sorted { $0.key < $1.key } }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var reason: String
        /// How the host differs from the usual one.
        private(set) var rules: @Sendable (inout APNsHost.Configuration) -> Void = { _ in }
        var change: @Sendable (inout Scene) throws -> Void

        init(
            _ status: Int,
            _ reason: String,
            _ name: String,
            _ change: @escaping @Sendable (inout Scene) throws -> Void
        ) {
            testDescription = "\(status) \(reason): \(name)"
            self.status = status
            self.reason = reason
            self.change = change
        }

        func on(_ rules: @escaping @Sendable (inout APNsHost.Configuration) -> Void) -> Row {
            var row = self
            row.rules = rules
            return row
        }
    }

    static let rows: [Row] = [
        Row(
            400,
            "FeatureNotEnabled",
            "an app without the capability"
        ) {
            $0.headers[":path"] = "/4/broadcasts/apps/com.example.other"
        }
        .on { $0.broadcastApps = ["com.example.app"] },
        Row(400, "MissingChannelId", "a broadcast to nobody") { $0.headers["apns-channel-id"] = nil },
        Row(400, "BadChannelId", "no base64 of 16 bytes") { $0.headers["apns-channel-id"] = "channel" },
        Row(400, "ChannelNotRegistered", "one that nobody made") {
            $0.headers["apns-channel-id"] = "dHN0LXNyY2gtY2hubGFiYQ=="
        },
        Row(400, "ChannelNotRegistered", "one that was removed") {
            var removal = $0
            removal.manage("DELETE")
            let response = try removal.response()
            #expect(
                response
                    == .init(
                        headers: [":status: 204", "apns-request-id: \(id)", "apns-channel-id: \($0.channel)"],
                        body: ""
                    )
            )
        },
        Row(400, "BadRequestParams", "a query") { $0.headers[":path", default: ""] += "?x=y" },
        Row(400, "BadRequestPayload", "no JSON") { $0.manage("POST", body: "{") },
        Row(400, "BadRequestPayload", "a storage policy of 2") { $0.create(storage: 2) },
        Row(400, "PayloadEmpty", "a broadcast of nothing") { $0.body = [] },
        Row(400, "PayloadEmpty", "a channel of nothing") { $0.manage("POST") },
        Row(400, "BadMessageId", "no UUID") { $0.headers["apns-request-id"] = "42" },
        Row(400, "MissingPushType", "a broadcast without") { $0.headers["apns-push-type"] = nil },
        Row(400, "MissingPushType", "a channel without") { $0.manage("POST", body: #"{"message-storage-policy":1}"#) },
        Row(400, "InvalidPushType", "an alert for all") { $0.headers["apns-push-type"] = "alert" },
        Row(400, "InvalidPushType", "a channel for alerts") { $0.create(storage: 1, type: "Alert") },
        Row(
            400,
            "CannotCreateChannelConfig",
            "a second channel where one is allowed"
        ) {
            $0.create(storage: 1)
        }
        .on { $0.mostChannels = 1 },
        Row(400, "BadExpirationDate", "in words") { $0.headers["apns-expiration"] = "tomorrow" },
        Row(400, "BadExpirationDate", "a date for a channel that keeps nothing") {
            var maker = $0
            maker.create(storage: 0)
            $0.headers["apns-channel-id"] = try maker.created()
        },
        Row(400, "TopicDisallowed", "a suffix in the path") {
            $0.headers[":path"] = "/4/broadcasts/apps/com.example.app.push-type.liveactivity"
        },
        Row(400, "BadPriority", "1") { $0.headers["apns-priority"] = "1" },
        Row(403, "BadCertificate", "one that is no push certificate") {
            $0.certificate = .init(topic: "com.example.app", environments: [])
        },
        Row(403, "BadCertificateEnvironment", "the sandbox's") {
            $0.certificate = .init(topic: "com.example.app", environments: [.sandbox])
        },
        Row(403, "TopicMismatch", "somebody else's app") {
            $0.headers[":path"] = "/4/broadcasts/apps/com.example.stranger"
        },
        Row(403, "TopicMismatch", "not the certificate's app") {
            $0.certificate = .init(topic: "com.example.other", environments: [.production])
        },
        Row(403, "TopicMismatch", "a second team on one connection") {
            $0.earlier = try $0.bench.providerToken()
            $0.authorize(try $0.bench.providerToken(HostBench.Key.otherTeam))
        },
        Row(403, "MissingProviderToken", "no authorization") { $0.headers["authorization"] = nil },
        Row(403, "ExpiredProviderToken", "an hour and a second old") {
            $0.authorize(try $0.bench.providerToken(age: 3601))
        },
        Row(403, "InvalidProviderToken", "a forged signature") {
            $0.authorize(try $0.bench.providerToken(isForged: true))
        },
        Row(403, "InvalidProviderToken", "a key of the other environment") {
            $0.authorize(try $0.bench.providerToken(HostBench.Key.sandboxOnly))
        },
        Row(404, "BadPath", "no app") { $0.headers[":path"] = "/4/broadcasts/apps/" },
        Row(404, "BadPath", "a push to the host that manages channels") { $0.manage("POST", path: "/3/device/00") },
        Row(404, "BadPath", "a broadcast to the host that manages channels") { $0.port = .apnsProductionChannels },
        Row(405, "MethodNotAllowed", "GET") { $0.headers[":method"] = "GET" },
        Row(405, "MethodNotAllowed", "PUT of a channel") { $0.manage("PUT") },
        Row(413, "PayloadTooLarge", "5121 bytes") { $0.body = Array(repeating: 0x20, count: 5121) },
        Row(
            429,
            "TooManyRequests",
            "a third request where two a minute are allowed"
        ) {
            let token = try $0.bench.providerToken()
            $0.earlier = token
            $0.authorize(token)
        }
        .on { $0.broadcastLimit = .init(2, per: minute) },
        Row(429, "TooManyProviderTokenUpdates", "two tokens within a second") {
            $0.earlier = try $0.bench.providerToken(age: 60)
        },
        Row(500, "InternalServerError", "whatever is asked") { $0.fault = .internalServerError },
        Row(503, "Service Unavailable", "whatever is asked") { $0.fault = .serviceUnavailable },
        Row(503, "Shutdown", "whatever is asked") { $0.fault = .shutdown },
    ]

    @Test(arguments: rows) func aRequestGetsItsAnswer(_ row: Row) throws {
        var scene = try Scene(row.rules)
        try row.change(&scene)
        let response = try scene.response()
        let id =
            row.reason == "BadMessageId"
            ? try #require(response.headers.dropFirst().first) : "apns-request-id: \(Self.id)"
        #expect(response.headers == [":status: \(row.status)", id, "content-type: application/json"])
        #expect(response.body == #"{"reason":"\#(row.reason)"}"#)
    }

    /// A reason that nobody wrote a row for fails here.
    @Test func everyReasonHasARow() {
        #expect(Set(Self.rows.map(\.reason)) == Set(BroadcastReason.allCases.map(\.rawValue)))
    }

    @Test func aChannelIsMadeReadListedUsedAndRemoved() throws {
        var scene = try Scene()
        let request = "apns-request-id: \(Self.id)"
        let channel = "apns-channel-id: \(scene.channel)"
        #expect(scene.channel.utf8.count == 24 && scene.channel.hasSuffix("=="))
        #expect(try scene.response() == .init(headers: [":status: 200", request], body: ""))
        scene.body = Array(repeating: 0x20, count: 5120)
        #expect(try scene.response().headers == [":status: 200", request])
        scene.manage("GET")
        #expect(
            try scene.response()
                == .init(
                    headers: [":status: 200", request, channel, "content-type: application/json"],
                    body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
                )
        )
        var list = scene
        list.manage("GET", path: "/1/apps/com.example.app/all-channels")
        #expect(try list.response().body == #"{"channels":["\#(scene.channel)"]}"#)
        scene.manage("DELETE")
        #expect(try scene.response() == .init(headers: [":status: 204", request, channel], body: ""))
        #expect(try list.response().body == #"{"channels":[]}"#)
        #expect(try scene.response().body == #"{"reason":"ChannelNotRegistered"}"#)
    }

    /// What one environment's app made is not the other's.
    @Test func channelsBelongToOneEnvironment() throws {
        var scene = try Scene()
        scene.port = .apnsSandbox
        #expect(try scene.response().body == #"{"reason":"ChannelNotRegistered"}"#)
    }
}

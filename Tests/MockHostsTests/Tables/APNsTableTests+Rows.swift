import Fleet
import Hosts
import Push

@testable import MockHosts

private typealias Key = HostBench.Key
private let second: Int64 = 1_000_000_000
private let minute = 60 * second

extension APNsTableTests {
    /// At least one row for each reason.
    static let rows: [Row] = badRequestRows + credentialRows + otherRows

    private static let badRequestRows = [
        Row(400, "BadCollapseId", "65 bytes to collapse by") {
            $0["apns-collapse-id"] = String(repeating: "c", count: 65)
        },
        Row(400, "BadDeviceToken", "too short") { $0[":path"] = "/3/device/0123" },
        Row(400, "BadDeviceToken", "no hexadecimal digits") {
            $0[":path"] = "/3/device/" + String(repeating: "xy", count: 32)
        },
        Row(400, "BadDeviceToken", "of the other environment") { try $0.push(to: .none, of: .apnsSandbox) },
        Row(400, "BadExpirationDate", "in words") { $0["apns-expiration"] = "tomorrow" },
        Row(400, "BadMessageId", "no UUID") { $0["apns-id"] = "42" },
        Row(400, "BadPriority", "7") { $0["apns-priority"] = "7" },
        Row(400, "BadPriority", "10 in the background") { $0["apns-push-type"] = "background" },
        Row(400, "BadPriority", "1 for a live activity") {
            $0.use("liveactivity", topic: "com.example.app.push-type.liveactivity", priority: "1")
        },
        Row(400, "BadTopic", "with a space") { $0["apns-topic"] = "com.example app" },
        Row(400, "DeviceTokenNotForTopic", "another app's device") { try $0.push(to: .wrongTopic) },
        Row(400, "DuplicateHeaders", "priority twice") { $0.headers.append(("apns-priority", "5")) },
        Row(400, "DuplicateHeaders", "authorization twice") {
            $0.headers.append(("authorization", $0["authorization"] ?? ""))
        },
        Row(400, "IdleTimeout", "an hour and a second without a request") {
            $0.bench.changeAPNs { $0.idleTimeout = 60 * minute }
            $0.earlier = [try $0.bench.providerToken()]
            $0.pause = 60 * minute + second
        },
        Row(400, "InvalidPushType", "capitalised") { $0["apns-push-type"] = "Alert" },
        Row(400, "MissingDeviceToken", "nothing after the slash") { $0[":path"] = "/3/device/" },
        Row(400, "MissingTopic", "under a token") { $0["apns-topic"] = nil },
        Row(400, "PayloadEmpty", "no body") { $0.body = [] },
        Row(400, "TopicDisallowed", "somebody else's") { $0["apns-topic"] = "com.example.stranger" },
        Row(400, "TopicDisallowed", "VoIP without its suffix") { $0["apns-push-type"] = "voip" },
        Row(400, "TopicDisallowed", "outside the key's scope") {
            $0.authorize(try $0.bench.providerToken(Key.oneTopic))
            $0["apns-topic"] = "com.example.other"
        },
        Row(400, "TopicDisallowed", "not the certificate's") {
            $0.certificate = .init(topic: "com.example.app", environments: [.production])
            $0["apns-topic"] = "com.example.other"
        },
    ]

    private static let credentialRows = [
        Row(403, "BadCertificate", "one that is no push certificate") {
            $0.certificate = .init(topic: "com.example.app", environments: [])
        },
        Row(403, "BadCertificate", "one that names no topic") {
            $0.certificate = .init(topic: "", environments: [.production])
        },
        Row(403, "BadCertificateEnvironment", "the sandbox's in production") {
            $0.certificate = .init(topic: "com.example.app", environments: [.sandbox])
        },
        Row(403, "Forbidden", "a location push under a certificate") {
            $0.certificate = .init(topic: "com.example.app", environments: [.production])
            $0.use("location", topic: "com.example.app.location-query")
        },
        Row(403, "MissingProviderToken", "no authorization") { $0["authorization"] = nil },
        Row(403, "MissingProviderToken", "another scheme") { $0["authorization"] = "basic YTpi" },
        Row(403, "InvalidProviderToken", "no JSON web token") { $0.authorize("abc") },
        Row(403, "InvalidProviderToken", "a forged signature") {
            $0.authorize(try $0.bench.providerToken(isForged: true))
        },
        Row(403, "InvalidProviderToken", "an unknown key, and two hours old") {
            $0.authorize(try $0.bench.providerToken(.init(id: "STRANGER12", team: "TEAM123456"), age: 7200))
        },
        Row(403, "InvalidProviderToken", "another team's name") {
            $0.authorize(try $0.bench.providerToken(.init(id: Key.main.id, team: "OTHERTEAM1")))
        },
        Row(403, "InvalidProviderToken", "from the future") { $0.authorize(try $0.bench.providerToken(age: -3600)) },
        Row(403, "ExpiredProviderToken", "an hour and a second old") {
            $0.authorize(try $0.bench.providerToken(age: 3601))
        },
        Row(403, "BadEnvironmentKeyInToken", "the sandbox's key, as the live service says it") {
            $0.authorize(try $0.bench.providerToken(Key.sandboxOnly))
        },
        Row(403, "BadEnvironmentKeyIdInToken", "the sandbox's key, as documented") {
            $0.bench.changeAPNs { $0.environmentKeySpelling = .documented }
            $0.authorize(try $0.bench.providerToken(Key.sandboxOnly))
        },
        Row(403, "UnrelatedKeyIdInToken", "a second team on one connection") {
            $0.earlier = [try $0.bench.providerToken()]
            $0.authorize(try $0.bench.providerToken(Key.otherTeam))
        },
        Row(403, "UnrelatedKeyIdInToken", "a key for some topics after one for all") {
            $0.earlier = [try $0.bench.providerToken()]
            $0.authorize(try $0.bench.providerToken(Key.oneTopic))
        },
        Row(429, "TooManyProviderTokenUpdates", "two tokens within a second") {
            $0.earlier = [try $0.bench.providerToken(age: 60)]
        },
        Row(429, "TooManyProviderTokenUpdates", "a token for each push, made in the same second") {
            $0.earlier = [try $0.bench.providerToken(more: ",\"jti\":1")]
        },
        Row(429, "TooManyProviderTokenUpdates", "19 minutes after the last one") {
            $0.earlier = [try $0.bench.providerToken()]
            $0.pause = 19 * minute
            $0.authorize(try $0.bench.providerToken(age: -19 * 60))
        },
        Row(429, "TooManyProviderTokenUpdates", "two tokens in turn") {
            $0.earlier = [try $0.bench.providerToken(age: 1800), try $0.bench.providerToken()]
            $0.authorize($0.earlier[0])
        },
    ]

    private static let otherRows = [
        Row(404, "BadPath", "version 2") { $0[":path"] = "/2/device/0123" },
        Row(405, "MethodNotAllowed", "GET") {
            $0[":method"] = "GET"
            $0.body = []
        },
        Row(410, "Unregistered", "the app is gone") { try $0.push(to: .unregistered) },
        Row(410, "ExpiredToken", "the token's time is over") {
            $0.bench.changeAPNs { $0.expiredTokenShare = 1 }
            try $0.push(to: .unregistered)
        },
        Row(413, "PayloadTooLarge", "4097 bytes") { $0.body = Array(repeating: 0x20, count: 4097) },
        Row(413, "PayloadTooLarge", "5121 bytes of VoIP") {
            $0.use("voip", topic: "com.example.app.voip")
            $0.body = Array(repeating: 0x20, count: 5121)
        },
        Row(413, "PayloadTooLarge", "more than the session keeps") { $0.body = Array(repeating: 0x20, count: 16_000) },
        Row(429, "TooManyRequests", "a third push to a device that may have two a minute") {
            $0.bench.changeAPNs { $0.deviceLimit = .init(2, per: minute) }
            let token = try $0.bench.providerToken()
            $0.earlier = [token, token]
            $0.authorize(token)
        },
        Row(500, "InternalServerError", "whatever is asked") { $0.fault = .internalServerError },
        Row(503, "ServiceUnavailable", "whatever is asked") { $0.fault = .serviceUnavailable },
        Row(503, "Shutdown", "whatever is asked") { $0.fault = .shutdown },
    ]

    /// What a host must take although others refuse it.
    static let acceptedRows = [
        Row(200, nil, "as it should be") { _ in },
        Row(200, nil, "in the sandbox, with an id of its own") { $0.port = .apnsSandbox },
        Row(200, nil, "on the second port") { $0.port = .apnsProductionAlternate },
        Row(200, nil, "on the sandbox's second port") { $0.port = .apnsSandboxAlternate },
        Row(200, nil, "Bearer") { $0["authorization"] = "Bearer " + (try $0.bench.providerToken()) },
        Row(200, nil, "BEARER") { $0["authorization"] = "BEARER " + (try $0.bench.providerToken()) },
        Row(200, nil, "iat as text, and a claim too many") {
            let now = $0.bench.now / second
            $0.authorize(try $0.bench.providerToken(issuedAt: "\"\(now)\"", more: ",\"kid\":\"ABC123DEFG\""))
        },
        Row(200, nil, "iat with a fraction") {
            $0.authorize(try $0.bench.providerToken(issuedAt: "\($0.bench.now / second).25"))
        },
        Row(200, nil, "host in place of :authority") {
            $0[":authority"] = nil
            $0["host"] = "localhost"
        },
        Row(200, nil, "with a content-length") { $0["content-length"] = String($0.body.count) },
        Row(200, nil, "a token of 160 digits") { $0[":path"] = "/3/device/" + String(repeating: "aB", count: 80) },
        Row(200, nil, "no push type") { $0["apns-push-type"] = nil },
        Row(200, nil, "64 bytes to collapse by") { $0["apns-collapse-id"] = String(repeating: "c", count: 64) },
        Row(200, nil, "to be kept until a far date") { $0["apns-expiration"] = "2000000000" },
        Row(200, nil, "5120 bytes of VoIP") {
            $0.use("voip", topic: "com.example.app.voip")
            $0.body = Array(repeating: 0x20, count: 5120)
        },
        Row(200, nil, "in the background") { $0.use("background", priority: "5") },
        Row(200, nil, "location") { $0.use("location", topic: "com.example.app.location-query") },
        Row(200, nil, "complication") { $0.use("complication", topic: "com.example.app.complication") },
        Row(200, nil, "file provider") { $0.use("fileprovider", topic: "com.example.app.pushkit.fileprovider") },
        Row(200, nil, "MDM") { $0.use("mdm", topic: "com.apple.mgmt.External.9a1b") },
        Row(200, nil, "live activity") {
            $0.use("liveactivity", topic: "com.example.app.push-type.liveactivity", priority: "5")
        },
        Row(200, nil, "push to talk") { $0.use("pushtotalk", topic: "com.example.app.voip-ptt") },
        Row(200, nil, "widgets") { $0.use("widgets", topic: "com.example.app.push-type.widgets") },
        Row(200, nil, "controls") { $0.use("controls", topic: "com.example.app.push-type.controls") },
        Row(200, nil, "a key for this environment only") {
            $0.authorize(try $0.bench.providerToken(Key.productionOnly))
        },
        Row(200, nil, "a key for this topic only") { $0.authorize(try $0.bench.providerToken(Key.oneTopic)) },
        Row(200, nil, "the team's other key, 20 minutes later") {
            $0.earlier = [try $0.bench.providerToken()]
            $0.pause = 20 * minute
            $0.authorize(try $0.bench.providerToken(Key.second, age: -20 * 60))
        },
        Row(200, nil, "a refreshed token on a connection that is younger than 20 minutes") {
            $0.earlier = [try $0.bench.providerToken(age: 3000)]
            $0.authorize(try $0.bench.providerToken())
        },
        Row(200, nil, "a certificate, and nothing else") {
            $0.certificate = .init(topic: "com.example.app", environments: [.production, .sandbox])
            $0["authorization"] = nil
            $0["apns-topic"] = nil
        },
        Row(200, nil, "a certificate's VoIP topic") {
            $0.certificate = .init(topic: "com.example.app", environments: [.production])
            $0["authorization"] = nil
            $0.use("voip", topic: "com.example.app.voip")
        },
        Row(200, nil, "a certificate and a token that nobody looks at") {
            $0.certificate = .init(topic: "com.example.app", environments: [.production])
            $0.authorize("abc")
        },
        Row(200, nil, "a certificate for MDM") {
            $0.certificate = .init(topic: "com.apple.mgmt.External.9a1b", environments: [.production])
            $0.use("mdm", topic: "com.apple.mgmt.External.9a1b")
        },
    ]
}

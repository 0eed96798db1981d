import Fleet
import Foundation
import Hosts
import Push
import Testing

/// An FCM host with one access token given out.
struct FCMFixture {
    static let now: Int64 = 1_793_523_600_000_000_000
    var host: FCMHost
    var connection = FCMHost.Connection()
    var tokens = AccessTokens()
    let token: String
    let narrowToken: String

    init(_ change: (inout FCMHost.Configuration) -> Void = { _ in }) {
        var configuration = FCMHost.Configuration(projectID: DefectiveTokens.project, seed: 1)
        change(&configuration)
        host = FCMHost(configuration)
        var random = SplitMix(seed: 3)
        let expiry = Self.now + 3_600_000_000_000
        token = String(
            decoding: tokens.issue(.init(expiresAt: expiry, allowsMessaging: true), using: &random),
            as: UTF8.self
        )
        narrowToken = String(
            decoding: tokens.issue(.init(expiresAt: expiry, allowsMessaging: false), using: &random),
            as: UTF8.self
        )
    }

    func request(_ body: String) -> WrittenRequest {
        WrittenRequest(
            path: "/v1/projects/example-project/messages:send",
            headers: ["authorization": "Bearer " + token, "content-type": "application/json"],
            body: body
        )
    }

    mutating func answer(_ request: WrittenRequest, at now: Int64 = now) -> FCMAnswer {
        host.answer(request.view, over: &connection, tokens: tokens, at: now)
    }

    func body(_ answer: FCMAnswer) -> [UInt8] {
        if let reason = answer.reason { return host.bodies.refusal(reason, answer) }
        return withUnsafeTemporaryAllocation(byteCount: host.bodies.longestSuccess, alignment: 1) { scratch in
            Array(scratch[0..<host.bodies.writeSuccess(answer.messageID, into: scratch)])
        }
    }

    /// A registration token that is nobody's in particular.
    static let deviceToken = "c0123456789abcdefghijk:APA91b" + String(repeating: "x", count: 120)
}

/// From a raw request to the answer of the FCM host.
@Suite struct FCMHostTests {
    static let token = FCMFixture.deviceToken

    @Test func aMessageIsNamed() throws {
        var fixture = FCMFixture()
        var names: Set<String> = []
        for _ in 0..<3 {
            let answer = fixture.answer(fixture.request(#"{"message":{"token":"\#(Self.token)"}}"#))
            #expect(answer.status == 200)
            let body = String(decoding: fixture.body(answer), as: UTF8.self)
            let pattern = /\{\n  "name": "projects\/example-project\/messages\/(0:1793523600000000%[0-9a-f]{16})"\n\}\n/
            let match = try #require(body.wholeMatch(of: pattern))
            names.insert(String(match.1))
        }
        #expect(names.count == 3)
    }

    @Test func aMessageThatIsOnlyValidatedGetsAFakeName() {
        var fixture = FCMFixture()
        for key in ["validate_only", "validateOnly"] {
            let answer = fixture.answer(fixture.request(#"{"\#(key)":true,"message":{"token":"\#(Self.token)"}}"#))
            let body = String(decoding: fixture.body(answer), as: UTF8.self)
            #expect(body == "{\n  \"name\": \"projects/example-project/messages/fake_message_id\"\n}\n")
        }
    }

    @Test(arguments: [
        ("POST", "/fcm/send"), ("POST", "/batch"), ("GET", "/v1/projects/example-project/messages:send"),
        ("POST", "/v1/projects//messages:send"), ("POST", "/v1/projects/a/b/messages:send"),
        ("POST", "/v1/projects/messages:send"), ("POST", ""), ("POST", "/v1/projects/x/messages:sent"),
    ])
    func aPathThatLeadsNowhereGetsAPage(_ method: String, _ path: String) {
        var fixture = FCMFixture()
        let request = fixture.request("{}")
        request.method = method
        request.path = path
        request.headers["authorization"] = nil
        let answer = fixture.answer(request)
        #expect(answer.status == 404)
        #expect(FCMAnswer.headers(answer.reason).map(\.value) == ["text/html; charset=UTF-8"])
        let page = String(decoding: fixture.body(answer), as: UTF8.self)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<code>\(path)</code>"))
    }

    @Test func aPageShowsThePathAsText() {
        var fixture = FCMFixture()
        let request = fixture.request("")
        request.path = "/<script>&\"\u{1}" + String(repeating: "a", count: 1000)
        let page = String(decoding: fixture.body(fixture.answer(request)), as: UTF8.self)
        #expect(page.contains("<code>/&lt;script&gt;&amp;&quot;?aaa"))
        #expect(page.utf8.count < 1000)
    }

    @Test func aQueryIsAllowed() {
        var fixture = FCMFixture()
        let request = fixture.request(#"{"message":{"token":"\#(Self.token)"}}"#)
        request.path += "?alt=json"
        #expect(fixture.answer(request).reason == nil)
    }

    @Test func credentials() {
        var fixture = FCMFixture()
        let request = fixture.request(#"{"message":{"token":"\#(Self.token)"}}"#)
        request.headers["authorization"] = nil
        #expect(fixture.answer(request).reason == .missingCredentials)
        request.headers["authorization"] = "Bearer " + String(repeating: "x", count: AccessTokens.length)
        #expect(fixture.answer(request).reason == .invalidCredentials)
        request.headers["authorization"] = "Bearer ya29.short"
        #expect(fixture.answer(request).reason == .invalidCredentials)
        request.headers["authorization"] = "key=AAAA"
        #expect(fixture.answer(request).reason == .invalidCredentials)
        request.headers["authorization"] = "bearer " + fixture.token
        #expect(fixture.answer(request).reason == nil)
        #expect(fixture.answer(request, at: FCMFixture.now + 3_600_000_000_000).reason == .expiredCredentials)
        request.headers["authorization"] = "Bearer " + fixture.narrowToken
        #expect(fixture.answer(request).reason == .insufficientScope)
    }

    /// Each breaks two rules; the first one answers.
    @Test func theFirstBrokenRuleAnswers() {
        var fixture = FCMFixture()
        let request = fixture.request("nonsense")
        request.path = "/v1/projects/stranger/messages:send"
        request.headers["authorization"] = nil
        #expect(fixture.answer(request).reason == .missingCredentials)
        request.headers["authorization"] = "Bearer " + fixture.token
        #expect(fixture.answer(request).reason == .invalidBody)
        request.body = Array(#"{"message":{}}"#.utf8)
        #expect(fixture.answer(request).reason == .permissionDenied)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: String
        var reason: FCMReason?

        init(_ name: String, _ message: String, _ reason: FCMReason?) {
            testDescription = name
            self.message = message
            self.reason = reason
        }
    }

    static let cases = [
        Case("no target", #"{"data":{"a":"b"}}"#, .missingRecipient),
        Case("a null target", #"{"token":null}"#, .missingRecipient),
        Case("empty", "{}", .missingRecipient),
        Case("no token at all", #"{"token":""}"#, .invalidToken),
        Case("a short token", #"{"token":"abc"}"#, .invalidToken),
        Case("an installation id", #"{"fid":"c0123456789abcdefghijk"}"#, nil),
        Case("a short installation id", #"{"fid":"c0123456789"}"#, .invalidToken),
        Case("a topic", #"{"topic":"weather-2026_a.b~c%"}"#, nil),
        Case("a topic with its old prefix", #"{"topic":"/topics/weather"}"#, .invalidTopic),
        Case("an empty topic", #"{"topic":""}"#, .invalidTopic),
        Case("a condition", #"{"condition":"'a' in topics && 'b' in topics"}"#, nil),
        Case("an empty condition", #"{"condition":""}"#, .invalidTopic),
        Case("a token with escapes", #"{"token":"\#(token.replacing(":", with: "\\u003a"))"}"#, nil),
        Case("4096 bytes of data", #"{"token":"\#(token)","data":{"k":"\#(repeating(4095))"}}"#, nil),
        Case("4097 bytes of data", #"{"token":"\#(token)","data":{"k":"\#(repeating(4096))"}}"#, .messageTooLarge),
        Case(
            "4097 bytes of data and texts",
            #"{"token":"\#(token)","notification":{"body":"\#(repeating(2048))"},"data":{"k":"\#(repeating(2048))"}}"#,
            .messageTooLarge
        ),
        Case("2049 bytes for a topic", #"{"topic":"t","data":{"k":"\#(repeating(2048))"}}"#, .messageTooLarge),
    ]

    private static func repeating(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(arguments: cases) func aMessageGetsItsAnswer(_ each: Case) {
        var fixture = FCMFixture()
        #expect(fixture.answer(fixture.request("{\"message\":\(each.message)}")).reason == each.reason)
    }

    @Test func anEmptyBodyHasNoRecipient() {
        var fixture = FCMFixture()
        #expect(fixture.answer(fixture.request("")).reason == .missingRecipient)
        let request = fixture.request("{}")
        request.bodyLength = 1_000_000
        #expect(fixture.answer(request).reason == .bodyTooLarge)
    }

    @Test(arguments: [
        (Defect.none, nil), (.unregistered, FCMReason.unregistered), (.malformed, .invalidToken),
        (.otherSender, .senderIDMismatch), (.wrongEnvironment, nil), (.wrongTopic, nil),
    ])
    func aDefectGetsItsReason(_ defect: Defect, _ reason: FCMReason?) throws {
        var fixture = FCMFixture()
        for device in try DefectiveTokens(defect).devices(of: .fcm) {
            let text = String(decoding: try JSONEncoder().encode(device.token), as: UTF8.self)
            let answer = fixture.answer(fixture.request("{\"message\":{\"token\":\(text)}}"))
            #expect(answer.reason == reason)
        }
    }
}

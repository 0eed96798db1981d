import Foundation
import Hosts
import Testing

@Suite struct OAuthHostTests {
    static let now: Int64 = 1_793_523_600_000_000_000
    static let second: Int64 = 1_000_000_000
    static let endpoint = "https://localhost:1234/token"
    static let account = "sender@example-project.iam.gserviceaccount.com"

    private func host() -> OAuthHost {
        OAuthHost(OAuthHost.Configuration(accounts: [Self.account], tokenURI: Self.endpoint))
    }

    static func facts(_ change: (inout AssertionFacts) -> Void = { _ in }) -> AssertionFacts {
        var facts = AssertionFacts(
            algorithm: "RS256",
            keyID: "k",
            issuer: account,
            scope: "https://www.googleapis.com/auth/firebase.messaging",
            audience: endpoint,
            issuedAt: now,
            expiresAt: now + 3600 * second,
            signature: .genuine
        )
        change(&facts)
        return facts
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reason: OAuthReason?
        var facts: AssertionFacts?

        init(_ name: String, _ reason: OAuthReason?, _ change: (inout AssertionFacts) -> Void = { _ in }) {
            testDescription = name
            self.reason = reason
            facts = OAuthHostTests.facts(change)
        }
    }

    static let cases = [
        Case("as it should be", nil),
        Case("another algorithm", .unreadableAssertion) { $0.algorithm = "HS256" },
        Case("a stranger", .accountNotFound) { $0.issuer = "stranger@example.com" },
        Case("a stranger with a key of his own", .accountNotFound) {
            $0.issuer = "stranger@example.com"
            $0.signature = .unknownKey
        },
        Case("a stranger's signature", .wrongSignature) { $0.signature = .wrong },
        Case("an unknown key", .wrongSignature) { $0.signature = .unknownKey },
        Case("another audience", .wrongAudience) { $0.audience = "https://example.com/token" },
        Case("the public audience", nil) { $0.audience = "https://oauth2.googleapis.com/token" },
        Case("no iat", .unreasonableTimeframe) { $0.issuedAt = nil },
        Case("no exp", .unreasonableTimeframe) { $0.expiresAt = nil },
        Case("longer than an hour", .unreasonableTimeframe) { $0.expiresAt = now + 3601 * second },
        Case("expired", .unreasonableTimeframe) {
            $0.issuedAt = now - 3660 * second
            $0.expiresAt = now - 60 * second
        },
        Case("from a clock an hour ahead", .unreasonableTimeframe) {
            $0.issuedAt = now + 3600 * second
            $0.expiresAt = now + 7200 * second
        },
        Case("from a clock a minute ahead", nil) {
            $0.issuedAt = now + 60 * second
            $0.expiresAt = now + 3660 * second
        },
        Case("expiring before it was issued", .unreasonableTimeframe) {
            $0.issuedAt = now + 10 * second
            $0.expiresAt = now + 5 * second
        },
        Case("no scope", .invalidScope) { $0.scope = "" },
        Case("a strange scope", .invalidScope) { $0.scope = "https://example.com/auth/x" },
        Case("several scopes", nil) {
            $0.scope = "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/userinfo.email"
        },
    ]

    @Test(arguments: cases) func anAssertionIsJudged(_ each: Case) throws {
        var host = host()
        var random = SplitMix(seed: 1)
        let answer = host.answer(to: each.facts, at: Self.now, using: &random)
        #expect(answer.reason == each.reason)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        if let reason = each.reason {
            #expect(answer.status == 400)
            #expect(body["error"] as? String == reason.label)
            #expect((body["error_description"] as? String)?.isEmpty == false)
        } else {
            #expect(answer.status == 200)
            #expect(body["expires_in"] as? Int == 3599)
            #expect(body["token_type"] as? String == "Bearer")
            #expect((body["access_token"] as? String)?.hasPrefix("ya29.") == true)
        }
    }

    @Test func anUnreadableAssertionIsAnInvalidGrant() {
        var host = host()
        var random = SplitMix(seed: 1)
        #expect(host.answer(to: nil, at: Self.now, using: &random).reason?.label == "invalid_grant")
    }

    @Test(arguments: [
        ("POST", "/token", "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c", nil),
        ("POST", "/token?x", "assertion=a.b.c&grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&x", nil),
        ("GET", "/token", "", OAuthReason.notFound), ("POST", "/", "", .notFound),
        ("POST", "/token", "", .missingGrantType), ("POST", "/token", "grant_type", .unsupportedGrantType),
        ("POST", "/token", "grant_type=password&assertion=x", .unsupportedGrantType),
        ("POST", "/token", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", .missingAssertion),
        ("POST", "/token", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=", .missingAssertion),
    ])
    func aFormIsRead(_ method: String, _ path: String, _ body: String, _ reason: OAuthReason?) {
        let request = WrittenRequest(path: path, body: body)
        request.method = method
        switch host().request(request.view) {
        case .exchange(let assertion):
            #expect(reason == nil)
            #expect(assertion == "a.b.c")
        case .refused(let answer):
            #expect(answer.reason == reason)
        }
    }

    @Test func tokensAreFoundUntilThereAreTooMany() {
        var tokens = AccessTokens(capacity: 3)
        var random = SplitMix(seed: 1)
        var hint = 0
        var issued: [[UInt8]] = []
        for number in 0..<5 {
            issued.append(tokens.issue(.init(expiresAt: Int64(number), allowsMessaging: true), using: &random))
        }
        let found = issued.map { token in token.withUnsafeBytes { tokens.find($0, hint: &hint)?.expiresAt } }
        #expect(found == [nil, nil, 2, 3, 4])
        #expect(issued.allSatisfy { $0.count == AccessTokens.length })
    }
}

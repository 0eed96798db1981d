import Foundation
import Hosts
import Testing

@testable import MockHosts

/// Every error of the token endpoint, from the bytes of a request to the bytes of its answer.
@Suite struct OAuthTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reason: OAuthReason
        var status: String
        /// `error` and `error_description`, as a sender finds them.
        var error: String
        var text: String
        var path = "/token"
        /// What a fault has the host answer, whatever the request is.
        var isFault = false
        var form: @Sendable (HostBench) throws -> String

        init(
            _ reason: OAuthReason,
            _ status: String,
            _ error: String,
            _ text: String,
            _ name: String,
            isFault: Bool = false,
            _ form: @escaping @Sendable (HostBench) throws -> String
        ) {
            testDescription = "\(status) \(error): \(name)"
            self.reason = reason
            self.status = status
            self.error = error
            self.text = text
            self.isFault = isFault
            self.form = form
        }
    }

    private static let timeframe =
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim."
    private static let oldTimeframe =
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values and use a clock with skew to account for clock differences between systems."
    private static let bad = "400 Bad Request"

    static let rows: [Row] = [
        Row(.missingGrantType, bad, "invalid_request", "Required parameter is missing: grant_type", "an empty form") {
            _ in ""
        },
        Row(.unsupportedGrantType, bad, "unsupported_grant_type", "Invalid grant_type", "a password") { _ in
            "grant_type=password&assertion=x"
        },
        Row(.missingAssertion, bad, "invalid_request", "Required parameter is missing: assertion", "no assertion") {
            _ in
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        },
        Row(.unreadableAssertion, bad, "invalid_grant", "Invalid JWT: The token could not be read.", "no web token") {
            _ in
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=abc"
        },
        Row(
            .unreadableAssertion,
            bad,
            "invalid_grant",
            "Invalid JWT: The token could not be read.",
            "another algorithm"
        ) {
            try $0.form(header: #"{"alg":"HS256","kid":"accountkey"}"#)
        },
        Row(.accountNotFound, bad, "invalid_grant", "Invalid grant: account not found", "a stranger") {
            try $0.form(["iss": #""stranger@example.com""#])
        },
        Row(.wrongSignature, bad, "invalid_grant", "Invalid JWT Signature.", "a forged signature") {
            try $0.form(isForged: true)
        },
        Row(.wrongSignature, bad, "invalid_grant", "Invalid JWT Signature.", "a key that was taken away") {
            try $0.form(header: #"{"alg":"RS256","kid":"oldkey"}"#)
        },
        Row(.wrongAudience, bad, "invalid_grant", "Invalid JWT: Failed audience check.", "for another endpoint") {
            try $0.form(["aud": #""https://example.com/token""#])
        },
        Row(.unreasonableTimeframe, bad, "invalid_grant", timeframe, "two hours long") {
            try $0.form(["exp": "\($0.now / 1_000_000_000 + 7200)"])
        },
        Row(.unreasonableTimeframe, bad, "invalid_grant", timeframe, "from a clock an hour ahead") {
            try $0.form(["iat": "\($0.now / 1_000_000_000 + 3600)", "exp": "\($0.now / 1_000_000_000 + 7200)"])
        },
        Row(.unreasonableTimeframe, bad, "invalid_grant", timeframe, "from a clock two hours behind") {
            try $0.form(["iat": "\($0.now / 1_000_000_000 - 7200)", "exp": "\($0.now / 1_000_000_000 - 3600)"])
        },
        Row(.unreasonableTimeframe, bad, "invalid_grant", timeframe, "no iat") { try $0.form(["iat": nil]) },
        Row(.unreasonableTimeframe, bad, "invalid_grant", timeframe, "a clock that may be off by nothing") {
            $0.changeOAuth { $0.clockAllowance = 0 }
            return try $0.form(["iat": "\($0.now / 1_000_000_000 + 1)"])
        },
        Row(.unreasonableTimeframe, bad, "invalid_grant", oldTimeframe, "in the words of earlier years") {
            $0.changeOAuth { $0.usesOldTexts = true }
            return try $0.form(["exp": nil])
        },
        Row(.invalidScope, bad, "invalid_scope", "Invalid OAuth scope or ID token audience provided.", "no scope") {
            try $0.form(["scope": #""""#])
        },
        Row(
            .unauthorizedClient,
            "401 Unauthorized",
            "unauthorized_client",
            "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the "
                + "scopes requested.",
            "on behalf of somebody"
        ) {
            try $0.form(["sub": #""somebody@example.com""#])
        },
        Row(
            .internalFailure,
            "500 Internal Server Error",
            "internal_failure",
            "Backend Error",
            "whatever is asked",
            isFault: true
        ) {
            try $0.form()
        },
        Row(
            .unavailable,
            "503 Service Unavailable",
            "temporarily_unavailable",
            "The service is currently unavailable.",
            "whatever is asked",
            isFault: true
        ) {
            try $0.form()
        },
    ]

    private static func request(_ form: String, path: String = "/token") -> String {
        "POST \(path) HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n"
            + "content-length: \(form.utf8.count)\r\n\r\n\(form)"
    }

    private static func response(_ status: String, type: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\ncontent-type: \(type)\r\ncache-control: no-cache, no-store, max-age=0, must-revalidate\r\n"
            + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(arguments: rows) func aRequestGetsItsAnswer(_ row: Row) throws {
        let bench = try HostBench()
        let request = Self.request(try row.form(bench))
        let response = try bench.sendHTTP1(request, to: .oauth) { deciders, answer in
            row.isFault ? .oauth(deciders.oauth.refuse(row.reason)) : answer
        }
        let body = #"{"error":"\#(row.error)","error_description":"\#(row.text)"}"#
        #expect(response == Self.response(row.status, type: "application/json; charset=utf-8", body))
        #expect(row.reason.label == row.error)
    }

    @Test func pagesStandWhereNoEndpointAnswers() throws {
        let bench = try HostBench()
        let lost = try bench.sendHTTP1(Self.request("", path: "/tokens"), to: .oauth)
        #expect(lost.hasPrefix("HTTP/1.1 404 Not Found\r\ncontent-type: text/html; charset=UTF-8\r\n"))
        #expect(lost.contains("<code>/tokens</code> was not found on this server."))
        let cut = try bench.sendHTTP1(Self.request(try bench.form()), to: .oauth) { deciders, _ in
            .oauth(deciders.oauth.refuse(.badGateway))
        }
        #expect(cut.hasPrefix("HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html; charset=UTF-8\r\n"))
        #expect(cut.contains("<title>Error 502 (Server Error)!!1</title>"))
    }

    /// A reason that nobody wrote a row for fails here; the two pages have a test of their own.
    @Test func everyReasonHasARow() {
        #expect(Set(Self.rows.map(\.reason)).union([.notFound, .badGateway]) == Set(OAuthReason.allCases))
    }

    @Test func aGoodAssertionIsExchanged() throws {
        let bench = try HostBench()
        let response = try bench.sendHTTP1(Self.request(try bench.form()), to: .oauth)
        let body = try #require(response.split(separator: "\r\n\r\n").last)
        #expect(
            body.wholeMatch(of: /\{"access_token":"ya29\.c\.[A-Za-z0-9_-]+","expires_in":3599,"token_type":"Bearer"\}/)
                != nil
        )
        #expect(response == Self.response("200 OK", type: "application/json; charset=utf-8", String(body)))
    }
}

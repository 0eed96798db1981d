import Foundation
import Testing

@testable import Credentials

@Suite struct OAuthExchangeTests {
    @Test func formCarriesTheAssertion() {
        let form = String(decoding: OAuthExchange.form(assertion: Array("a.b-_.c".utf8)), as: UTF8.self)
        #expect(form == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b-_.c")
    }

    @Test(arguments: [
        (#"{"access_token":"ya29.c_x-Y","expires_in":3599,"token_type":"Bearer"}"#, 3_599),
        (#"{"access_token":"ya29.c_x-Y","expires_in":3599.9,"token_type":"bearer","scope":"x"}"#, 3_599),
        (#"{"access_token":"ya29.c_x-Y","expires_in":1}"#, 1),
    ])
    func readsTokens(body: String, expiresIn: Int64) throws {
        let token = try OAuthExchange.read(status: 200, body: Array(body.utf8))
        #expect(token == AccessToken(bytes: Array("ya29.c_x-Y".utf8), expiresIn: expiresIn))
        #expect("\(token)" == "access token of 10 characters, valid for \(expiresIn) s")
        var dumped = ""
        dump(token, to: &dumped)
        // 121 is the token's first byte, as a dump of an array of bytes would show it.
        #expect(!dumped.contains("ya29") && !dumped.contains("121"))
    }

    private static let answers: [(Int, String, OAuthError.Fault)] = [
        (200, "", .badAnswer(status: 200, reason: "a bad body: it is not valid JSON")),
        (200, "{}", .badAnswer(status: 200, reason: "a bad body: field \"access_token\" is missing")),
        (200, #"{"id_token":"x"}"#, .badAnswer(status: 200, reason: "a bad body: field \"access_token\" is missing")),
        (
            200, #"{"access_token":"a","token_type":"Bearer"}"#,
            .badAnswer(status: 200, reason: "a bad body: field \"expires_in\" is missing")
        ),
        (
            200, #"{"access_token":"a","expires_in":"3599"}"#,
            .badAnswer(status: 200, reason: "a bad body: field \"expires_in\" is not a number")
        ),
        (
            200, #"{"access_token":"a\r\nx: y","expires_in":3599}"#,
            .badAnswer(status: 200, reason: "an access_token that fits no header")
        ),
        (
            200, #"{"access_token":"","expires_in":3599}"#,
            .badAnswer(status: 200, reason: "an access_token that fits no header")
        ),
        (
            200, #"{"access_token":"a","expires_in":3599,"token_type":"MAC"}"#,
            .badAnswer(status: 200, reason: "a token_type other than Bearer")
        ),
        (
            200, #"{"access_token":"a","expires_in":0}"#,
            .badAnswer(status: 200, reason: "expires_in 0.0, which is no length of time")
        ),
        (
            200, #"{"access_token":"a","expires_in":1e30}"#,
            .badAnswer(status: 200, reason: "expires_in 1e+30, which is no length of time")
        ),
        (
            400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#,
            .refused(status: 400, error: "invalid_grant", detail: "Invalid JWT Signature.")
        ),
        (400, #"{"error":"invalid_scope"}"#, .refused(status: 400, error: "invalid_scope", detail: nil)),
        (
            401, #"{"error":"unauthorized_client","error_description":"two\nlines"}"#,
            .refused(status: 401, error: "unauthorized_client", detail: "two lines")
        ),
        (
            403, #"{"error":{"code":403,"message":"Disabled.","status":"PERMISSION_DENIED"}}"#,
            .refused(status: 403, error: "PERMISSION_DENIED", detail: "Disabled.")
        ),
        (404, "<html>", .badAnswer(status: 404, reason: "a body that is no OAuth error")),
        (429, #"{"error":"rate"}"#, .unavailable(status: 429, retryAfter: 7, detail: "rate")),
        (503, "<html>", .unavailable(status: 503, retryAfter: 7, detail: nil)),
        (
            500, #"{"error":"internal_failure","error_description":"Backend"}"#,
            .unavailable(status: 500, retryAfter: 7, detail: "internal_failure: Backend")
        ),
        (302, "", .badAnswer(status: 302, reason: "a status that the protocol does not know")),
        (0, "", .badAnswer(status: 0, reason: "a status that the protocol does not know")),
    ]

    @Test(arguments: answers)
    func namesWhatWentWrong(status: Int, body: String, fault: OAuthError.Fault) {
        #expect(throws: fault) { try OAuthExchange.read(status: status, body: Array(body.utf8), retryAfter: 7) }
    }

    @Test(
        arguments: [
            (
                .refused(status: 400, error: "invalid_grant", detail: "Invalid JWT Signature."), true,
                "https://h/token: refused with 400 invalid_grant: Invalid JWT Signature."
            ),
            (
                .unavailable(status: 503, retryAfter: 30, detail: nil), false,
                "https://h/token: unavailable, status 503, retry after 30 s"
            ),
            (
                .timedOut(reason: "Connection timed out"), false,
                "https://h/token: no answer in time: Connection timed out"
            ),
            (.notHTTPS, true, "https://h/token: the token endpoint must be an https URL"),
        ] as [(OAuthError.Fault, Bool, String)]
    )
    func describesInOneLine(fault: OAuthError.Fault, isPermanent: Bool, text: String) {
        let error = OAuthError(url: "https://h/token", fault: fault)
        #expect(error.description == text)
        #expect(error.isPermanent == isPermanent)
    }
}

/// The client against loopback sockets that are no token endpoint; a real one is tried with the mock hosts.
@Suite struct OAuthClientTests {
    private var client: OAuthClient {
        var client = OAuthClient()
        client.proxy = ""
        return client
    }

    private func fault(
        _ client: OAuthClient,
        _ url: String,
        cancellation: Cancellation = Cancellation()
    ) -> OAuthError.Fault? {
        let error = #expect(throws: OAuthError.self) {
            try client.exchange(assertion: Array("a.b.c".utf8), at: url, cancellation: cancellation)
        }
        return error?.fault
    }

    @Test(arguments: ["http://127.0.0.1:1/token", "ftp://h/", "https://", "token", "", "https://h/a b"])
    func takesOnlyHTTPS(url: String) {
        #expect(fault(client, url) == .notHTTPS)
    }

    @Test func namesARefusedConnection() throws {
        // A port that was bound a moment ago and has no listener.
        let port = try Loopback(listening: false).port
        guard case .unreachable(let reason) = fault(client, "https://127.0.0.1:\(port)/token") else {
            Issue.record("expected unreachable")
            return
        }
        #expect(reason.contains("refused") || reason.contains("Failed to connect"))
    }

    @Test func givesUpOnAHostThatNeverAnswers() throws {
        // The kernel accepts; nobody ever reads, so the TLS handshake gets no answer.
        let silent = try Loopback(listening: true)
        for limits in [(30, 5_000), (5_000, 30)] {
            var client = client
            client.connectLimit = Int64(limits.0) * 1_000_000
            client.totalLimit = Int64(limits.1) * 1_000_000
            guard case .timedOut = fault(client, "https://127.0.0.1:\(silent.port)/token") else {
                Issue.record("expected timedOut with \(limits)")
                return
            }
        }
    }

    @Test func givesUpWhenCancelled() throws {
        let silent = try Loopback(listening: true)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(fault(client, "https://127.0.0.1:\(silent.port)/token", cancellation: cancellation) == .cancelled)
    }

    @Test func namesACAFileThatCannotBeUsed() throws {
        let silent = try Loopback(listening: true)
        var client = client
        client.caFile = "/nonexistent/ca.pem"
        guard case .untrusted(let reason) = fault(client, "https://127.0.0.1:\(silent.port)/token") else {
            Issue.record("expected untrusted")
            return
        }
        #expect(reason.contains("/nonexistent/ca.pem"))
    }
}

/// A socket on a free port of 127.0.0.1.
private final class Loopback {
    let port: Int
    private let descriptor: Int32

    init(listening: Bool) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) == 0 && getsockname(socket, generic, &length) == 0
            }
        }
        try #require(isBound && (!listening || listen(descriptor, 8) == 0))
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}

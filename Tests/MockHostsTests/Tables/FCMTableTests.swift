import Foundation
import Hosts
import Push
import Testing

@testable import MockHosts

/// Every error of FCM, from the bytes of a request to the bytes of its answer.
@Suite struct FCMTableTests {
    static let token = "c0123456789abcdefghijk:APA91b" + String(repeating: "x", count: 120)
    static let path = "/v1/projects/example-project/messages:send"

    /// A request that is accepted, until a row changes it.
    struct Scene {
        let bench: HostBench
        var method = "POST"
        var path = FCMTableTests.path
        /// The `authorization` header; nil for none.
        var authorization: String?
        var body = #"{"message":{"token":"\#(FCMTableTests.token)"}}"#
        /// How often the same request was sent before.
        var earlier = 0
        /// What a fault has the host answer, whatever the request is.
        var fault: FCMReason?

        init() throws {
            bench = try HostBench()
            authorization = "Bearer " + (try bench.accessToken())
        }

        mutating func message(_ text: String) { body = "{\"message\":\(text)}" }

        func response() throws -> Response {
            let header = authorization.map { "authorization: \($0)\r\n" } ?? ""
            let request =
                "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\n\(header)content-type: application/json\r\n"
                + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
            for _ in 0..<earlier { _ = try bench.sendHTTP1(request, to: .fcm) }
            return try Response(
                bench.sendHTTP1(request, to: .fcm) { deciders, answer in
                    fault.map { .fcm(deciders.fcm.refuse($0)) } ?? answer
                }
            )
        }
    }

    /// A response of HTTP/1.1, its body without the white space that lays it out.
    struct Response {
        var status: String
        var headers: [String]
        var body: String

        init(_ text: String) throws {
            let parts = text.components(separatedBy: "\r\n\r\n")
            try #require(parts.count == 2)
            let lines = parts[0].components(separatedBy: "\r\n")
            status = lines[0]
            headers = lines.dropFirst().filter { !$0.hasPrefix("content-length: ") }
            #expect(lines.last == "content-length: \(parts[1].utf8.count)")
            body = parts[1].split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reason: FCMReason
        var status: String
        /// What stands in the body's `error`, without its code.
        var error: String
        var more: [String]
        var change: @Sendable (inout Scene) throws -> Void

        init(
            _ reason: FCMReason,
            _ status: String,
            _ name: String,
            more: [String] = [],
            _ error: String,
            _ change: @escaping @Sendable (inout Scene) throws -> Void
        ) {
            testDescription = "\(status): \(name)"
            self.reason = reason
            self.status = status
            self.error = error
            self.more = more
            self.change = change
        }
    }

    @Test(arguments: rows) func aRequestGetsItsAnswer(_ row: Row) throws {
        var scene = try Scene()
        try row.change(&scene)
        let response = try scene.response()
        #expect(response.status == "HTTP/1.1 " + row.status)
        #expect(response.headers == ["content-type: application/json; charset=UTF-8"] + row.more)
        #expect(response.body == #"{"error": {"code": \#(row.status.prefix(3)),\#(row.error)}}"#)
    }

    @Test func pagesStandWhereNoServiceAnswers() throws {
        for path in ["/fcm/send", "/batch", "/v1/projects/example-project/messages"] {
            var scene = try Scene()
            scene.path = path
            let response = try scene.response()
            #expect(response.status == "HTTP/1.1 404 Not Found")
            #expect(response.headers == ["content-type: text/html; charset=UTF-8"])
            #expect(response.body.hasPrefix("<!DOCTYPE html><html lang=en>"))
            #expect(response.body.contains("<code>\(path)</code> was not found on this server."))
        }
        var scene = try Scene()
        scene.fault = .badGateway
        let response = try scene.response()
        #expect(response.status == "HTTP/1.1 502 Bad Gateway")
        #expect(response.headers == ["content-type: text/html; charset=UTF-8"])
        #expect(response.body.contains("<title>Error 502 (Server Error)!!1</title>"))
    }

    /// A reason or code that nobody wrote a row for fails here; the two pages have a test of their own.
    @Test func everyReasonHasARow() {
        let reasons = Set(Self.rows.map(\.reason))
        #expect(reasons.union([.notFound, .badGateway]) == Set(FCMReason.allCases))
        #expect(Set(reasons.compactMap(\.code)) == Set(FCMErrorCode.allCases))
        for row in Self.rows {
            #expect(row.status.hasPrefix("\(row.reason.status) "))
            #expect(row.error.contains("\"\(row.reason.label)\""))
        }
    }

    @Test(arguments: [
        #"{"message":{"token":"TOKEN"}}"#, #"{"message":{"fid":"c0123456789abcdefghijk"}}"#,
        #"{"message":{"topic":"weather"}}"#, #"{"message":{"condition":"'a' in topics || 'b' in topics"}}"#,
        #"{"message":{"token":"TOKEN","android":{"collapse_key":"k","restricted_package_name":"p","direct_boot_ok":true}}}"#,
        #"{"message":{"token":"TOKEN","android":{"collapseKey":"k","restrictedPackageName":"p","directBootOk":true}}}"#,
        #"{"message":{"token":"TOKEN","fcmOptions":{"analyticsLabel":"a"},"apns":{"headers":{"apns-priority":"5"}}}}"#,
        #"{"validateOnly":true,"message":{"token":"TOKEN"}}"#, #"{"validate_only":true,"message":{"token":"TOKEN"}}"#,
    ])
    func aGoodMessageIsNamed(_ body: String) throws {
        var scene = try Scene()
        scene.body = body.replacing("TOKEN", with: Self.token)
        let response = try scene.response()
        #expect(response.status == "HTTP/1.1 200 OK")
        #expect(response.headers == ["content-type: application/json; charset=UTF-8"])
        let name =
            /\{"name": "projects\/example-project\/messages\/(0:1793523600000000%[0-9a-f]{16}|fake_message_id)"\}/
        #expect(response.body.wholeMatch(of: name)?.1.hasPrefix("fake") == body.contains("validate"))
    }

    @Test func aPathMayNameTheProjectByItsNumber() throws {
        var scene = try Scene()
        scene.path = "/v1/projects/123456789012/messages:send"
        #expect(try scene.response().status == "HTTP/1.1 200 OK")
    }

    @Test func revokedTokensAreRefusedAndNewOnesAreNot() throws {
        var scene = try Scene()
        #expect(try scene.response().status == "HTTP/1.1 200 OK")
        scene.bench.deciders.revokeAccessTokens()
        #expect(try scene.response().status == "HTTP/1.1 401 Unauthorized")
        scene.authorization = "Bearer " + (try scene.bench.accessToken())
        #expect(try scene.response().status == "HTTP/1.1 200 OK")
    }
}

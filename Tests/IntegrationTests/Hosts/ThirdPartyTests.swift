import Foundation
import MockHosts
import Push
import TestSupport
import Testing

extension Processes {
    /// `pushbench mock` as strangers meet it: its first line, curl, openssl, h2load, its last line.
    ///
    /// What each host says in detail is tested in `MockHostsTests`.
    @Suite("Third parties", .enabled(if: Program.find("curl") != nil, "there is no curl"))
    struct ThirdPartyTests {
        private static let device = String(repeating: "0123456789abcdef", count: 4)
        private static let registration = "c0123456789abcdefghijk:APA91b" + String(repeating: "x", count: 120)

        /// What curl got: protocol, status, the value of one header, body.
        private struct Response: Equatable {
            var version: String
            var status: Int
            var type: String
            var body: String
        }

        /// POSTs with curl over HTTP/2.
        private func post(
            _ url: String,
            _ body: String,
            _ headers: [String] = [],
            to mock: RunningMock
        ) throws -> Response {
            let form = "\\n%{http_version} %{http_code} %{content_type}"
            let arguments = ["-sS", "--http2", "--max-time", "60", "--cacert", mock.announcement.ca, "-w", form]
            let outcome = try Program.run(
                "curl",
                arguments + headers.flatMap { ["-H", $0] } + ["--data-binary", "@-", url],
                input: Data(body.utf8)
            )
            try #require(outcome.code == 0, "\(outcome)")
            let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
            let words = try #require(lines.last).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            return Response(
                version: String(words[0]),
                status: try #require(Int(words[1])),
                type: String(words[2]),
                body: lines.dropLast().joined(separator: "\n")
            )
        }

        private func push(_ token: String?, to mock: RunningMock) throws -> Response {
            let authorization = token.map { ["authorization: bearer \($0)"] } ?? []
            return try post(
                try mock.url("apns-production") + "/3/device/\(Self.device)",
                #"{"aps":{"alert":"hello"}}"#,
                ["apns-topic: com.example.app", "apns-push-type: alert"] + authorization,
                to: mock
            )
        }

        @Test func curlToAPNs() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench)
            let apns = mock.announcement.apns
            let token = try OpenSSL.providerToken(keyFile: apns.key, keyID: apns.keyId, teamID: apns.teamId)
            #expect(try push(token, to: mock) == Response(version: "2", status: 200, type: "", body: ""))
            func refusal(_ reason: String) -> Response {
                Response(version: "2", status: 403, type: "application/json", body: #"{"reason":"\#(reason)"}"#)
            }
            #expect(try push(nil, to: mock) == refusal("MissingProviderToken"))
            let stranger = bench.folder.path("stranger.p8")
            try OpenSSL.makeKey(.p256, in: stranger)
            let old = try OpenSSL.providerToken(
                keyFile: stranger,
                keyID: "STRANGER12",
                teamID: apns.teamId,
                age: 7200
            )
            #expect(try push(old, to: mock) == refusal("InvalidProviderToken"))
            let audit = try JSONDecoder().decode(MockSummary.self, from: Data(mock.end().utf8))
            #expect(
                audit.answers.map { "\($0.host) \($0.status) \($0.reason) \($0.count)" }.sorted() == [
                    "apns-production 200  1", "apns-production 403 InvalidProviderToken 1",
                    "apns-production 403 MissingProviderToken 1",
                ]
            )
        }

        /// From the service account's key, through an assertion and an access token, to a message: all without our code.
        @Test func curlToFCM() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench)
            let account = try Self.decoder.decode(
                Account.self,
                from: Data(contentsOf: URL(filePath: mock.announcement.fcm.serviceAccount))
            )
            #expect(try account.tokenUri == mock.url("oauth"))
            let key = try bench.folder.write(account.privateKey, to: "account.pem")
            func grant(_ keyFile: String) throws -> Response {
                let assertion = try OpenSSL.assertion(
                    keyFile: keyFile,
                    keyID: account.privateKeyId,
                    issuer: account.clientEmail,
                    audience: account.tokenUri
                )
                let type = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
                return try post(account.tokenUri, "\(type)&assertion=\(assertion)", to: mock)
            }
            let granted = try grant(key)
            #expect(granted.status == 200)
            let token = try Self.decoder.decode(Grant.self, from: Data(granted.body.utf8)).accessToken
            let url = try mock.url("fcm") + "/v1/projects/\(mock.announcement.fcm.projectId)/messages:send"
            let message = #"{"message":{"token":"\#(Self.registration)","notification":{"title":"hello"}}}"#
            let sent = try post(url, message, ["authorization: Bearer \(token)"], to: mock)
            #expect(sent.status == 200 && sent.body.contains("projects/example-project/messages/"))

            let missing = try post(url, message, to: mock)
            #expect(missing.status == 401 && missing.version == "2")
            #expect(missing.body.contains(#""status": "UNAUTHENTICATED""#))
            #expect(missing.body.contains(#""reason": "CREDENTIALS_MISSING""#))
            let retired = try post(try mock.url("fcm") + "/fcm/send", "{}", to: mock)
            #expect(retired.status == 404 && retired.type.hasPrefix("text/html"))
            #expect(retired.body.hasPrefix("<!DOCTYPE html>"))

            // The account's name is no secret; its key is.
            let stranger = bench.folder.path("stranger.pem")
            try OpenSSL.makeKey(.rsa, in: stranger)
            let refused = try grant(stranger)
            #expect(refused.status == 400 && refused.body.contains(#""error":"invalid_grant""#))
            _ = try mock.end()
        }

        @Test(.enabled(if: Program.find("h2load") != nil, "there is no h2load"), arguments: ["faithful", "canned"])
        func h2loadRunsClean(policy: String) throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--policy", policy, "--service-time", "1ms"])
            let apns = mock.announcement.apns
            let token = try OpenSSL.providerToken(keyFile: apns.key, keyID: apns.keyId, teamID: apns.teamId)
            let body = try bench.folder.write(#"{"aps":{"alert":"hello"}}"#, to: "body.json")
            let outcome = try Program.run(
                "h2load",
                [
                    "-n", "4000", "-c", "4", "-m", "100", "-d", body, "-H", "authorization: bearer \(token)", "-H",
                    "apns-topic: com.example.app", try mock.url("apns-production") + "/3/device/\(Self.device)",
                ]
            )
            #expect(outcome.output.contains("4000 done, 4000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(outcome)")
            let audit = try JSONDecoder().decode(MockSummary.self, from: Data(mock.end().utf8))
            #expect(audit.answered == 4000 && audit.refusedStreams == 0)
        }

        private static var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }

        private struct Account: Decodable {
            let clientEmail: String
            let privateKey: String
            let privateKeyId: String
            let tokenUri: String
        }

        private struct Grant: Decodable {
            let accessToken: String
        }
    }
}

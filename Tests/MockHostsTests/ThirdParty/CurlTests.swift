import Foundation
import MockHosts
import Push
import TestSupport
import Testing

/// curl over HTTP/2 and HTTP/1.1.
@Suite(.enabled(if: Program.find("curl") != nil)) struct CurlTests {
    struct Response {
        var version: String
        var status: Int
        var headers: [String: String] = [:]
        var body = ""
    }

    private func curl(_ mock: MockFixture, _ arguments: [String]) throws -> Response {
        let common = ["-sS", "-i", "--max-time", "30", "--cacert", mock.announcement.ca]
        let result = try Program.run("curl", common + arguments)
        try #require(result.code == 0, "curl: \(result.errors)")
        let parts = result.output.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        var response = Response(version: String(words[0]), status: Int(words[1]) ?? 0)
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            response.headers[String(field[0]).lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
        }
        response.body = parts.count > 1 ? String(parts[1]) : ""
        return response
    }

    private func push(
        _ mock: MockFixture,
        _ host: HostPort = .apnsProduction,
        token: String?,
        _ more: [String] = []
    ) throws -> Response {
        let authorization = token.map { ["-H", "authorization: bearer \($0)"] } ?? []
        return try curl(
            mock,
            ["--http2", "-H", "apns-topic: com.example.app", "-d", GoodRequest.payload] + authorization + more
                + [mock.url(host) + GoodRequest.apnsPath]
        )
    }

    private func foreignToken(_ mock: MockFixture, age: Int = 0) throws -> String {
        let apns = mock.announcement.apns
        return try OpenSSL.providerToken(keyFile: apns.key, keyID: apns.keyId, teamID: apns.teamId, age: age)
    }

    @Test func aTokenMadeByOpenSSLIsAccepted() throws {
        let mock = try MockFixture()
        let id = "123e4567-e89b-12d3-a456-4266554400a0"
        let response = try push(mock, token: try foreignToken(mock), ["-H", "apns-id: \(id)"])
        #expect(response.version == "HTTP/2")
        #expect(response.status == 200)
        #expect(response.headers == ["apns-id": id])
        #expect(response.body.isEmpty)
    }

    @Test func onlyTheSandboxGivesAUniqueID() throws {
        let mock = try MockFixture()
        let token = try foreignToken(mock)
        let sandbox = try push(mock, .apnsSandbox, token: token)
        #expect(sandbox.status == 200)
        #expect(sandbox.headers["apns-unique-id"]?.utf8.count == 36)
        #expect(try push(mock, token: token).headers["apns-unique-id"] == nil)
    }

    @Test func withoutATokenAPushIsForbidden() throws {
        let mock = try MockFixture()
        let response = try push(mock, token: nil)
        #expect(response.status == 403)
        #expect(response.body == #"{"reason":"MissingProviderToken"}"#)
        #expect(response.headers["content-type"] == "application/json")
        #expect(response.headers["apns-id"]?.utf8.count == 36)
    }

    @Test func anUnknownKeyWinsOverAnOldToken() throws {
        let mock = try MockFixture()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stranger-\(UUID().uuidString).p8")
            .path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try OpenSSL.makeKey(.p256, in: file)
        let team = mock.announcement.apns.teamId
        let token = try OpenSSL.providerToken(keyFile: file, keyID: "STRANGER12", teamID: team, age: 7200)
        let response = try push(mock, token: token)
        #expect(response.status == 403)
        #expect(response.body == #"{"reason":"InvalidProviderToken"}"#)
        let old = try push(mock, token: try foreignToken(mock, age: 7200))
        #expect(old.body == #"{"reason":"ExpiredProviderToken"}"#)
    }

    /// Another number, the same host.
    @Test(arguments: [HostPort.apnsProductionAlternate, .apnsSandboxAlternate])
    func theSecondPortAnswersAlike(_ port: HostPort) throws {
        let mock = try MockFixture()
        #expect(try push(mock, port, token: try foreignToken(mock)).status == 200)
        let response = try push(mock, port, token: nil)
        #expect(response.status == 403)
        #expect(response.body == #"{"reason":"MissingProviderToken"}"#)
    }

    @Test func aCertificateStandsForAToken() throws {
        let mock = try MockFixture()
        let both = ["--cert", mock.folder + "/apns.pem"]
        for host in [HostPort.apnsProduction, .apnsSandbox] {
            #expect(try push(mock, host, token: nil, both).status == 200)
        }
        let packed = ["--cert-type", "P12", "--cert", mock.announcement.apns.certificate + ":"]
        #expect(try push(mock, token: nil, packed).status == 200)
        let sandbox = ["--cert", mock.folder + "/apns-sandbox.pem"]
        #expect(try push(mock, .apnsSandbox, token: nil, sandbox).status == 200)
        let refused = try push(mock, token: nil, sandbox)
        #expect(refused.status == 403)
        #expect(refused.body == #"{"reason":"BadCertificateEnvironment"}"#)
    }

    /// By the right authority, but for nothing that has to do with pushes.
    @Test func anotherCertificateIsBad() throws {
        let mock = try MockFixture()
        let (key, request) = (mock.folder + "/other-key.pem", mock.folder + "/other.csr")
        let (extensions, file) = (mock.folder + "/other.ext", mock.folder + "/other.pem")
        try OpenSSL.makeKey(.p256, in: key)
        try OpenSSL.run(["req", "-new", "-key", key, "-subj", "/UID=com.example.app/CN=other", "-out", request])
        try Data("extendedKeyUsage=clientAuth".utf8).write(to: URL(filePath: extensions))
        try OpenSSL.run([
            "x509", "-req", "-in", request, "-CA", mock.announcement.ca, "-CAkey", mock.folder + "/ca-key.pem",
            "-CAcreateserial", "-extfile", extensions, "-days", "1", "-out", file,
        ])
        let refused = try push(mock, token: nil, ["--cert", file, "--key", key])
        #expect(refused.status == 403)
        #expect(refused.body == #"{"reason":"BadCertificate"}"#)
    }

    @Test func aChannelIsMadeAndBroadcastTo() throws {
        let mock = try MockFixture()
        let common = ["--http2", "-H", "authorization: bearer \(try foreignToken(mock))"]
        let channels = mock.url(.apnsProductionChannels) + "/1/apps/com.example.app/channels"
        let form = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        let made = try curl(mock, common + ["-d", form, channels])
        #expect(made.status == 201)
        let channel = try #require(made.headers["apns-channel-id"])
        func broadcast(to channel: String) throws -> Response {
            let headers = ["-H", "apns-channel-id: \(channel)", "-H", "apns-push-type: liveactivity"]
            let url = mock.url(.apnsProduction) + "/4/broadcasts/apps/com.example.app"
            return try curl(mock, common + headers + ["-d", GoodRequest.payload, url])
        }
        #expect(try broadcast(to: channel).status == 200)
        let refused = try broadcast(to: "AAAAAAAAAAAAAAAAAAAAAA==")
        #expect(refused.status == 400)
        #expect(refused.body == #"{"reason":"ChannelNotRegistered"}"#)
        #expect(refused.headers["apns-request-id"]?.utf8.count == 36)
    }

    @Test func aRepeatedHeaderIsRefused() throws {
        let mock = try MockFixture()
        let twice = ["-H", "apns-priority: 5", "-H", "apns-priority: 10"]
        let response = try push(mock, token: try foreignToken(mock), twice)
        #expect(response.status == 400)
        #expect(response.body == #"{"reason":"DuplicateHeaders"}"#)
    }

    @Test(arguments: ["--http2", "--http1.1"]) func fcmWithoutAToken(_ version: String) throws {
        let mock = try MockFixture()
        let response = try curl(mock, [version, "-d", GoodRequest.fcmBody, mock.url(.fcm) + GoodRequest.fcmPath])
        #expect(response.version == (version == "--http2" ? "HTTP/2" : "HTTP/1.1"))
        #expect(response.status == 401)
        #expect(response.headers["content-type"] == "application/json; charset=UTF-8")
        #expect(response.headers["www-authenticate"]?.hasPrefix("Bearer realm=") == true)
        #expect(response.body.contains(#""status": "UNAUTHENTICATED""#))
        #expect(response.body.contains(#""reason": "CREDENTIALS_MISSING""#))
    }

    @Test(arguments: ["--http2", "--http1.1"]) func theRetiredPathHasAPage(_ version: String) throws {
        let mock = try MockFixture()
        let response = try curl(mock, [version, "-d", "{}", mock.url(.fcm) + "/fcm/send"])
        #expect(response.status == 404)
        #expect(response.headers["content-type"] == "text/html; charset=UTF-8")
        #expect(response.body.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(arguments: ["--http2", "--http1.1"]) func aStrangersAssertionIsNoGrant(_ version: String) throws {
        let mock = try MockFixture()
        // Well formed, by an account that does not exist.
        let assertion = [
            "eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleSJ9",
            "eyJpc3MiOiJzdHJhbmdlckBleGFtcGxlLmNvbSIsInNjb3BlIjoieCIsImF1ZCI6InkiLCJpYXQiOjEsImV4cCI6Mn0", "AAAA",
        ]
        .joined(separator: ".")
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
        let response = try curl(mock, [version, "-d", form, mock.url(.oauth)])
        #expect(response.status == 400)
        #expect(
            response.body == #"{"error":"invalid_grant","error_description":"Invalid grant: account not found"}"#
        )
    }

    /// A body above curl's threshold for asking first, and one in chunks.
    @Test func largeBodiesOverHTTP1() throws {
        let mock = try MockFixture()
        let url = mock.url(.fcm) + GoodRequest.fcmPath
        let large = String(repeating: "x", count: 50_000)
        let asked = try curl(mock, ["--http1.1", "-H", "expect: 100-continue", "-d", large, url])
        #expect(asked.version == "HTTP/1.1")
        #expect(asked.status == 100 || asked.status == 401)
        let chunked = try curl(mock, ["--http1.1", "-H", "transfer-encoding: chunked", "-d", large, url])
        #expect(chunked.status == 401)
        let tooLarge = try curl(mock, ["--http1.1", "-d", large + large, url])
        #expect(tooLarge.status == 413)
    }
}

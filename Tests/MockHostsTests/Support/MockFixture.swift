import Credentials
import Foundation
import LoadPlan
import MockHosts
import Push
import Testing
import Transport

/// A mock on a thread of its own, with its credentials in a directory that goes with it.
final class MockFixture: Sendable {
    let announcement: HostAnnouncement
    /// Where its certificates and keys lie.
    let folder: String
    private let thread: MockThread

    init(_ change: (inout Profile) -> Void = { _ in }, mostConnections: Int? = nil) throws {
        var profile = Profile()
        profile.mock.serviceTime = .constant(0)
        change(&profile)
        folder = Self.newPath()
        try FileManager.default.copyItem(atPath: try Self.template.get(), toPath: folder)
        let site = try MockSite(
            profile: profile,
            directory: folder,
            processID: 1,
            mostConnections: mostConnections
        )
        announcement = site.announcement
        thread = try MockThread(running: site.server)
    }

    /// Credentials made once: an RSA key takes longer than most tests here.
    private static let template = Result {
        let path = newPath()
        _ = try MockCredentials.make(in: path)
        atexit { MockFixture.removeTemplate() }
        return path
    }

    private static func removeTemplate() {
        guard case .success(let path) = template else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func newPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("pushbench-mock-test-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Ends the mock and tells what it has served.
    func stop() throws -> MockSummary { try thread.stop() }

    func url(_ port: HostPort) -> String { announcement.hosts[port.name] ?? "" }

    func address(_ port: HostPort) throws -> SocketAddress {
        let port = url(port).dropFirst("https://127.0.0.1:".count).prefix { $0.isNumber }
        return .loopback(port: UInt16(port) ?? 0)
    }

    func clientContext(
        _ protocols: [TLSContext.ApplicationProtocol] = [.http2],
        _ identity: TLSContext.Identity? = nil
    ) throws -> TLSContext {
        try TLSContext.client(caFile: announcement.ca, protocols: protocols, identity: identity)
    }

    /// An access token for the mock's own service account.
    func accessToken() throws -> String {
        let account = try ServiceAccount.load(announcement.fcm.serviceAccount)
        #expect(account.tokenURI == url(.oauth))
        let assertion = try account.assertion(issuedAt: WallTime.seconds())
        let sender = try TestSender(to: .oauth, of: self)
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        let response = try sender.send(path: "/token", body: form + String(decoding: assertion, as: UTF8.self))
        #expect(response.status == 200)
        let start = try #require(response.text.firstRange(of: #""access_token":""#)).upperBound
        return String(response.text[start...].prefix { $0 != "\"" })
    }

    /// A provider token by the mock's own key, so many seconds old.
    func providerToken(age: Int64 = 0) throws -> String {
        let key = try SigningKey.loadP8(announcement.apns.key)
        let identity = try ProviderIdentity(keyID: announcement.apns.keyId, teamID: announcement.apns.teamId)
        let now = WallClock.now() / 1_000_000_000
        return String(
            decoding: try ProviderToken.make(key: key, identity: identity, issuedAt: now - age),
            as: UTF8.self
        )
    }
}

extension MockSummary {
    /// How many answers of that kind were given.
    func count(_ host: HostName, _ status: Int, _ reason: String = "") -> UInt64 {
        answers.first { $0.host == host.name && $0.status == status && $0.reason == reason }?.count ?? 0
    }

    func connections(_ host: HostName) -> ConnectionCount? { connections.first { $0.host == host.name } }
}

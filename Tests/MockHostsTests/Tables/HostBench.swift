import Credentials
import Fleet
import Foundation
import HTTP2
import Hosts
import LoadPlan
import Transport

@testable import MockHosts

/// The mock's hosts without sockets and clocks: bytes of a request in, bytes of its answer out, at a time that the test
/// chooses.
final class HostBench {
    static let start: Int64 = 1_793_523_600_000_000_000
    static let tokenURI = "https://127.0.0.1:4711/token"
    static let accountEmail = "sender@example-project.iam.gserviceaccount.com"
    static let topics = ["com.example.app", "com.example.other"]

    /// One pair of keys for all: a key's id says who it belongs to.
    private static let keys = Result {
        (apns: try SigningKey.generate(.es256), account: try SigningKey.generate(.rs256))
    }

    /// What the developer accounts hold.
    enum Key {
        static let main = ProviderKey(id: "ABC123DEFG", team: "TEAM123456")
        static let second = ProviderKey(id: "SECOND1234", team: "TEAM123456")
        static let otherTeam = ProviderKey(id: "OTHERKEY12", team: "OTHERTEAM1")
        static let sandboxOnly = ProviderKey(id: "SANDBOX123", team: "TEAM123456", environment: .sandbox)
        static let productionOnly = ProviderKey(id: "PRODUCT123", team: "TEAM123456", environment: .production)
        static let oneTopic = ProviderKey(id: "ONETOPIC12", team: "TEAM123456", topics: ["com.example.app"])
        static let all = [main, second, otherTeam, sandboxOnly, productionOnly, oneTopic]
    }

    var now = HostBench.start
    var deciders: Deciders
    private let apnsKey: SigningKey
    private let accountKey: SigningKey

    init() throws {
        let keys = try Self.keys.get()
        (apnsKey, accountKey) = keys
        let verifier = try apnsKey.publicKey
        let credentials = HostCredentials(
            identity: .pem(certificate: "", key: ""),
            providers: Key.all.map { .init(key: $0, verifier: verifier) },
            accounts: [.init(email: Self.accountEmail, keyID: "accountkey", verifier: try accountKey.publicKey)],
            projectID: "example-project"
        )
        let configuration = MockConfiguration(
            behaviour: MockSection(),
            credentials: credentials,
            bundleIDs: Self.topics,
            seed: 1
        )
        deciders = Deciders(configuration, tokenURI: Self.tokenURI, at: Self.start)
    }

    /// Puts an APNs host with other rules in the place of one.
    func changeAPNs(_ environment: Environment = .production, _ change: (inout APNsHost.Configuration) -> Void) {
        var configuration = APNsHost.Configuration(
            environment: environment,
            keys: Key.all,
            bundleIDs: Self.topics,
            startedAt: Self.start,
            seed: 1
        )
        change(&configuration)
        if environment == .production {
            deciders.production = APNsHost(configuration)
        } else {
            deciders.sandbox = APNsHost(configuration)
        }
    }

    func changeFCM(_ change: (inout FCMHost.Configuration) -> Void) {
        var configuration = FCMHost.Configuration(projectID: "example-project", seed: 1)
        change(&configuration)
        deciders.fcm = FCMHost(configuration)
    }

    func changeOAuth(_ change: (inout OAuthHost.Configuration) -> Void) {
        var configuration = OAuthHost.Configuration(accounts: [Self.accountEmail], tokenURI: Self.tokenURI)
        change(&configuration)
        deciders.oauth = OAuthHost(configuration)
    }

    /// A provider token; a wrong signature is one over other claims.
    func providerToken(
        _ key: ProviderKey = Key.main,
        age: Int64 = 0,
        issuedAt: String? = nil,
        more: String = "",
        isForged: Bool = false
    ) throws -> String {
        let time = issuedAt ?? String(now / 1_000_000_000 - age)
        let claims = #"{"iss":"\#(key.team)","iat":\#(time)\#(more)}"#
        return try Self.sign(#"{"alg":"ES256","kid":"\#(key.id)"}"#, claims, with: apnsKey, isForged: isForged)
    }

    /// The form that exchanges an assertion, whose claims are the usual ones but for those given as JSON text.
    func form(
        _ changes: [String: String?] = [:],
        header: String = #"{"alg":"RS256","typ":"JWT","kid":"accountkey"}"#,
        isForged: Bool = false
    ) throws -> String {
        let seconds = now / 1_000_000_000
        var claims: [String: String?] = [
            "iss": "\"\(Self.accountEmail)\"", "aud": "\"\(Self.tokenURI)\"", "iat": "\(seconds)",
            "exp": "\(seconds + 3600)", "scope": #""https://www.googleapis.com/auth/firebase.messaging""#,
        ]
        claims.merge(changes) { $1 }
        let text = claims.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.sorted()
            .joined(separator: ",")
        let assertion = try Self.sign(header, "{\(text)}", with: accountKey, isForged: isForged)
        return "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
    }

    /// An access token that the token endpoint gives out for a good assertion.
    func accessToken(scope: String = "https://www.googleapis.com/auth/firebase.messaging") throws -> String {
        let form = try form(["scope": "\"\(scope)\""])
        let request = "POST /token HTTP/1.1\r\ncontent-length: \(form.utf8.count)\r\n\r\n\(form)"
        let response = try sendHTTP1(request, to: .oauth)
        guard let token = response.firstMatch(of: /"access_token":"([^"]+)"/)?.1 else {
            throw RawHTTP2.Failure(text: response)
        }
        return String(token)
    }

    private static func sign(_ header: String, _ claims: String, with key: SigningKey, isForged: Bool) throws -> String
    {
        let text = [header, claims].map { String(decoding: Base64URL.encode(Array($0.utf8)), as: UTF8.self) }
            .joined(separator: ".")
        let signature = try key.sign(Array((isForged ? text + "x" : text).utf8))
        return text + "." + String(decoding: Base64URL.encode(signature), as: UTF8.self)
    }
}

extension HostBench {
    /// One connection of HTTP/2 after another over which the hosts remember the same sender.
    final class Sender {
        let port: HostPort
        var memory = ConnectionMemory()

        init(_ port: HostPort, certificate: ClientCertificate? = nil) {
            self.port = port
            memory.apns = APNsHost.Connection(certificate: certificate)
        }
    }

    /// Sends a request over HTTP/2 and returns its response.
    ///
    /// - Parameter replace: stands in for what the host answers, as a fault does.
    func send(
        _ headers: [(String, String)],
        body: [UInt8],
        over sender: Sender,
        replacing replace: (inout Deciders, HostRequest, HostAnswer) -> HostAnswer = { _, _, answer in answer }
    ) throws -> RawHTTP2.Response {
        let limits = deciders.streamLimits(of: sender.port.host, for: sender.memory)
        let connection = try HTTP2Connection(streamLimit: limits.initial, mostStreams: Int(limits.most))
        let writer = AnswerWriter(fcm: deciders.fcm.bodies)
        // The session looks at the bytes until its last event was taken.
        try RawHTTP2.request(headers, body: body)
            .withUnsafeBytes { bytes in
                connection.session.receive(bytes)
                while let event = try connection.session.nextEvent() {
                    guard event.kind == .request, let view = connection.session.request(event.stream) else { continue }
                    let request = connection.hostRequest(view, likeness: connection.likeness(of: view))
                    let answer = deciders.answer(sender.port, request, over: &sender.memory, at: now)
                    _ = try writer.send(
                        replace(&deciders, request, answer),
                        retryAfter: writer.text(nil, at: now),
                        on: event.stream,
                        of: connection
                    )
                }
            }
        return try RawHTTP2.response(in: try output(of: connection.session))
    }

    private func output(of session: ServerSession) throws -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try chunk.withUnsafeMutableBytes { (bytes) throws(HTTP2Error) in
                try session.collect(into: bytes)
            }
            if count == 0 { return all }
            all += chunk[..<count]
        }
    }

    /// Sends a request of HTTP/1.1, written out, and returns the response, written out.
    func sendHTTP1(
        _ request: String,
        to port: HostPort,
        replacing replace: (inout Deciders, HostAnswer) -> HostAnswer = { $1 }
    ) throws -> String {
        let connection = HTTP1Connection()
        guard Array(request.utf8).withUnsafeBytes(connection.receive), connection.advance() == .complete else {
            throw RawHTTP2.Failure(text: "no whole request: \(request.prefix(200))")
        }
        var memory = ConnectionMemory()
        let answer = connection.withRequest { deciders.answer(port, $0, over: &memory, at: now) }
        let writer = AnswerWriter(fcm: deciders.fcm.bodies)
        let canned = deciders.cannedAnswers[port.host]
        let bytes = writer.http1(replace(&deciders, answer), canned: canned, keepsAlive: connection.keepsAlive)
        return String(decoding: bytes, as: UTF8.self)
    }
}

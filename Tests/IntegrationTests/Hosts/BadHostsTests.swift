import Credentials
import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// Hosts and credentials that a run can't begin with: one clear line before any push, exit 1, nothing left behind.
    @Suite("Bad hosts") struct BadHostsTests {
        /// A change to what good hosts announced, and what is said about it.
        struct Case: Sendable {
            var what: String
            var change: @Sendable (inout HostAnnouncement) -> Void
            /// What is said on standard error, after `pushbench: `.
            var line: String
        }

        /// Files beside the announcement; the keys are made anew.
        private static func prepare(_ bench: Workbench) throws {
            try bench.folder.write(
                """
                { load: { phases: [{ duration: "100ms", rate: "100/s" }] },
                  lanes: { fcm: { timeouts: { handshake: "500ms" } } } }
                """,
                to: "good.json"
            )
            try bench.folder.write("nothing of use\n", to: "text")
            try SigningKey.generate(.rs256).write(to: bench.folder.path("rsa.p8"))
        }

        static let files: [Case] = [
            Case(what: "no CA", change: { $0.ca = "none" }, line: "none: No such file or directory"),
            Case(
                what: "a CA that is none",
                change: { $0.ca = "text" },
                line: "text: not a PEM file of CA certificates (no certificate or crl found)"
            ),
            Case(
                what: "no key",
                change: { $0.apns.key = "none" },
                line: "lane apns-production: credential: none: no such file"
            ),
            Case(
                what: "a key that is none",
                change: { $0.apns.key = "text" },
                line:
                    "lane apns-production: credential: text: not a PEM file (text without a -----BEGIN line); a private key in PKCS#8 PEM form is "
                    + "needed (-----BEGIN PRIVATE KEY-----)"
            ),
            Case(
                what: "an RSA key",
                change: { $0.apns.key = "rsa.p8" },
                line: "lane apns-production: credential: rsa.p8: holds an RSA key of 2048 bits; ES256 needs an EC key "
                    + "on P-256 (prime256v1)"
            ),
            Case(
                what: "a key id of the wrong length",
                change: { $0.apns.keyId = "short" },
                line: "lane apns-production: credential: APNs credential: \"key id\" is \"short\", 5 long; it must be "
                    + "10 letters or digits (A-Z, 0-9)"
            ),
            Case(
                what: "no service account",
                change: { $0.fcm.serviceAccount = "none" },
                line: "lane fcm: credential: none: no such file"
            ),
            Case(
                what: "a service account that is none",
                change: { $0.fcm.serviceAccount = "text" },
                line: "lane fcm: credential: text: not a service account's JSON file: it is not valid JSON"
            ),
            Case(
                what: "a lane without a host",
                change: { $0.hosts["fcm"] = nil },
                line: "profile: lanes.fcm.host: no host is known for this lane"
            ),
            Case(
                what: "a host without TLS",
                change: { $0.hosts["fcm"] = "http://127.0.0.1:1" },
                line: #"profile: lanes.fcm.host: "http://127.0.0.1:1" is not https://name or https://name:port"#
            ),
        ]

        /// All with the same hosts, since making their keys takes longer than refusing them.
        @Test func whatTheHostsFileNames() throws {
            let bench = try Workbench()
            try Self.prepare(bench)
            let mock = try RunningMock(in: bench)
            for wrong in Self.files {
                try mock.writeAnnouncement(to: "hosts.json", in: bench, wrong.change)
                try Self.expectRefusal(wrong.line, in: bench, of: Comment(rawValue: wrong.what))
            }
            // Nothing was sent, either.
            #expect(try !mock.end().contains(#""status":"#))
        }

        @Test(arguments: StubbornHost.Manner.allCases) func aHost(that manner: StubbornHost.Manner) throws {
            let bench = try Workbench()
            try Self.prepare(bench)
            let host = try StubbornHost(manner)
            let mock = try RunningMock(in: bench)
            try mock.writeAnnouncement(to: "hosts.json", in: bench) { $0.hosts["fcm"] = host.url }
            let address = "127.0.0.1:\(host.port)"
            let reason =
                switch manner {
                case .refuses: "connection to \(address) refused: nobody listens there"
                case .closes: "connection closed by the peer without TLS close_notify"
                case .staysSilent: "TLS handshake timed out"
                case .greetsInClear: "TLS failed: wrong version number"
                }
            try Self.expectRefusal("lane fcm: host \(address): \(reason)", in: bench)
            _ = try mock.end()
        }

        /// Each lane's host is checked, and so is the token endpoint.
        @Test(arguments: ["apns-production", "fcm"]) func certificatesOfAnotherAuthority(lane: String) throws {
            let bench = try Workbench()
            try Self.prepare(bench)
            let (mock, other) = (try RunningMock(in: bench), try RunningMock(in: bench))
            try mock.writeAnnouncement(to: "hosts.json", in: bench) { $0.ca = other.announcement.ca }
            let address = try mock.url(lane).replacing("https://", with: "")
            let line =
                if lane == "fcm" {
                    "no token: \(try mock.url("oauth")): not trusted: SSL certificate problem: unable to get local "
                        + "issuer certificate"
                } else {
                    "lane \(lane): host \(address): certificate of \"127.0.0.1\" rejected: unable to get local issuer "
                        + "certificate"
                }
            try Self.expectRefusal(line, in: bench, ["--set", "fleet.mix={\"\(lane)\":1}"])
            _ = try (mock.end(), other.end())
        }

        @Test func aPortInUse() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench)
            let port = try #require(try mock.url("fcm").split(separator: ":").last)
            let outcome = try bench.start(["mock", "--port", "fcm=\(port)"]).wait()
            let line = "fcm: 127.0.0.1:\(port) is in use by another process; choose another port with --port fcm=N"
            try BadInputTests.expect(outcome, line, in: bench, except: [])
            _ = try mock.end()
            #expect(try bench.temporaries.contents() == [])
        }

        private static func expectRefusal(
            _ line: String,
            in bench: Workbench,
            _ more: [String] = [],
            of what: Comment? = nil
        ) throws {
            let before = try bench.folder.contents()
            let outcome = try bench.start(["run", "good.json", "--hosts", "hosts.json"] + more).wait()
            try BadInputTests.expect(outcome, line, in: bench, except: before, of: what)
        }
    }
}

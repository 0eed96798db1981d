import Foundation
import Push
import TestSupport
import Testing

/// Other people's HTTP/2 servers, over TLS on a free port of loopback, serving in processes of their own.
final class ForeignServer: Sendable {
    /// Which program.
    enum Kind: String, Sendable, CaseIterable {
        case nghttpd
        case nginx
        case node

        /// Where the program is; nil where it is not installed.
        var program: String? { Program.find(rawValue) ?? Program.find("/usr/sbin", rawValue) }
    }

    let program: Program
    private let port: String

    /// Starts a server in the workbench's folder and waits until it listens.
    ///
    /// - Parameter configuration: options of nghttpd; the rest of a `server` block of nginx; of Node, what happens to a
    ///   stream.
    init(_ kind: Kind, in bench: Workbench, _ configuration: [String]) throws {
        try Self.writeCredentials(in: bench)
        let path = try #require(kind.program)
        let folder = bench.folder.path
        // Free a moment ago; Node finds a port by itself.
        let port = String(try StubbornHost(.refuses).port)
        switch kind {
        case .nghttpd:
            let options = ["-v", "-a", "127.0.0.1"] + configuration + [port, "server.key", "server.pem"]
            program = try Program(path, options, in: folder)
            try program.waitForOutput { $0.contains("listen") }
        case .nginx:
            try bench.folder.write(Self.nginx(port: port, configuration), to: "nginx.conf")
            program = try Program(path, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"], in: folder)
            try program.waitForErrors { $0.contains("RLIMIT_NOFILE") }
        case .node:
            try bench.folder.write(Self.node(configuration), to: "server.mjs")
            program = try Program(path, ["server.mjs"], in: folder)
            try program.waitForOutput { $0.contains("\n") }
        }
        self.port = kind == .node ? String(program.outputSoFar.prefix { $0 != "\n" }) : port
    }

    /// A certificate that is its own authority, and a provider token's key.
    private static func writeCredentials(in bench: Workbench) throws {
        try OpenSSL.run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + ["-keyout", bench.folder.path("server.key"), "-out", bench.folder.path("server.pem")]
                + ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
        )
        try OpenSSL.makeKey(.p256, in: bench.folder.path("provider.p8"))
    }

    private static func nginx(port: String, _ configuration: [String]) -> String {
        let temporaries = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temporary;" }
        return """
            daemon off; master_process off; pid nginx.pid; error_log stderr notice;
            events { worker_connections 64; }
            http {
              access_log off; \(temporaries.joined(separator: " "))
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate server.pem; ssl_certificate_key server.key;
                \(configuration.joined(separator: "\n"))
              }
            }
            """
    }

    private static func node(_ configuration: [String]) -> String {
        """
        import { createSecureServer, constants } from 'node:http2';
        import { readFileSync } from 'node:fs';
        const options = { key: readFileSync('server.key'), cert: readFileSync('server.pem') };
        const server = createSecureServer({ ...options, settings: { maxConcurrentStreams: 30 } });
        const counts = { streams: 0, refused: 0, broken: 0, sessions: 0 };
        server.on('session', (session) => { counts.sessions += 1; session.count = 0; });
        server.on('stream', (stream) => {
          stream.on('error', () => {});
          counts.streams += 1;
          const session = stream.session;
          session.count += 1;
          \(configuration.joined(separator: "\n  "))
        });
        server.listen(0, '127.0.0.1', () => console.log(server.address().port));
        process.on('SIGTERM', () => { console.log(JSON.stringify(counts)); process.exit(0); });
        """
    }

    /// Sends pushes to it, a hundred at a time over two connections, and takes the result.
    func receive(pushes: Int, payloadBytes: Int, http2: String, in bench: Workbench) throws -> RunResult {
        let announcement = HostAnnouncement(
            pid: program.pid,
            ca: "server.pem",
            hosts: ["apns-production": "https://127.0.0.1:\(port)"],
            apns: HostAnnouncement.APNs(
                key: "provider.p8",
                keyId: "ABC123DEFG",
                teamId: "TEAM123456",
                topics: ["com.example.app"],
                certificate: ""
            ),
            fcm: HostAnnouncement.FCM(serviceAccount: "", projectId: "")
        )
        let line = String(decoding: try JSONEncoder().encode(announcement), as: UTF8.self)
        try bench.folder.write(line + "\n", to: "hosts.json")
        try bench.folder.write(
            """
            { name: "foreign", workers: 1, fleet: { mix: { "apns-production": 1 } },
              messages: [{ name: "alert", pushType: "alert", payloadBytes: \(payloadBytes) }],
              load: { phases: [{ name: "all", duration: "5m", inFlight: { "apns-production": 100 }, pushes: \(pushes) }] },
              lanes: { "apns-production": { connections: 2, http2: "\(http2)", timeouts: { push: "2m" } } } }
            """,
            to: "profile.json"
        )
        return try bench.result("profile.json", ["--hosts", "hosts.json"])
    }

    /// Asks it to end, and returns what it printed after its first line.
    func end() throws -> String {
        program.send(SIGTERM)
        return String(try program.wait().output.drop { $0 != "\n" }.dropFirst())
    }
}

extension Program {
    /// Where a program is in a folder that may not be on the PATH; nil where it is not.
    fileprivate static func find(_ folder: String, _ name: String) -> String? {
        let path = "\(folder)/\(name)"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}

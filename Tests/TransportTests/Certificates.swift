import Foundation

@testable import Transport

/// A CA, certificates and keys, made once per test process by the `openssl` command in a temporary folder.
final class Certificates: Sendable {
    /// Shared: making keys takes longer than most tests.
    static let shared = Certificates()

    private let folder: String

    var ca: String { folder + "/ca.pem" }
    var otherCA: String { folder + "/other-ca.pem" }
    var server: (certificate: String, key: String) { (folder + "/server.pem", folder + "/server.key") }
    var client: (certificate: String, key: String) { (folder + "/client.pem", folder + "/client.key") }
    /// The client's certificate and key with the password `secret`.
    var clientP12: String { folder + "/client.p12" }
    /// Not a certificate, nor a key, nor a PKCS#12 file.
    var nonsense: String { folder + "/nonsense.pem" }

    private init() {
        folder = NSTemporaryDirectory() + "pushbench-transport-\(getpid())"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Self.script.write(toFile: folder + "/make.sh", atomically: true, encoding: .utf8)
            let shell = try ChildProcess(path: "/bin/sh", arguments: ["-eu", folder + "/make.sh", folder])
            let line = try shell.firstLine(until: MonotonicClock.now() + Conversation.limit)
            precondition(line == "made", "openssl could not make the certificates in \(folder)")
        } catch {
            preconditionFailure("cannot make certificates in \(folder): \(error)")
        }
        atexit { try? FileManager.default.removeItem(atPath: Certificates.shared.folder) }
    }

    private static let script = """
        cd "$1"
        exec 2> log
        ca() {
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \\
                -subj "/CN=$2" -keyout "$1.key" -out "$1.pem"
        }
        signed() {
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr"
            printf '%s\\n' "$3" > "$1.ext"
            openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile "$1.ext" \\
                -out "$1.pem"
        }
        ca ca "Test CA"
        ca other-ca "Another CA"
        signed server "/CN=server" "subjectAltName=DNS:localhost,DNS:push.example,IP:127.0.0.1,IP:::1"
        signed client "/CN=client/UID=com.example.app" "extendedKeyUsage=clientAuth"
        openssl pkcs12 -export -in client.pem -inkey client.key -passout pass:secret -out client.p12
        echo nonsense > nonsense.pem
        echo made
        """
}

import Foundation
import Testing

@testable import Credentials

@Suite struct MockCredentialsTests {
    private let scratch: Scratch
    private let directory: String

    init() throws {
        scratch = try Scratch()
        directory = scratch.file("state")
    }

    private static let files: Set<String> = [
        "ca.pem", "ca-key.pem", "server.pem", "server-key.pem", "apns.p12", "apns.pem", "apns-sandbox.p12",
        "apns-sandbox.pem", "AuthKey_ABC123DEFG.p8", "AuthKey_SANDBOXKEY.p8", "AuthKey_ONETOPICKY.p8",
        "AuthKey_OTHERTEAMK.p8", "AuthKey_NEXTKEY456.p8",
        "service-account.json",
    ]

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let read = try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: directory + "/" + $0))) }
        return Dictionary(uniqueKeysWithValues: read)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func onlyTheOwnerMayReadThem() throws {
        _ = try MockCredentials.make(in: directory)
        #expect(try Set(contents().keys) == Self.files)
        #expect(try mode(directory) == 0o700)
        for file in Self.files { #expect(try mode(directory + "/" + file) == 0o600) }
    }

    @Test func aDirectoryThatWasThereKeepsItsMode() throws {
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        _ = try MockCredentials.make(in: directory)
        #expect(try mode(directory) == 0o755)
    }

    @Test func opensslTrustsTheServer() throws {
        let made = try MockCredentials.make(
            in: directory,
            names: MockCredentials.loopbackNames + ["api.push.apple.com"]
        )
        for (check, name, isTrusted) in [
            ("-verify_hostname", "localhost", true), ("-verify_hostname", "api.push.apple.com", true),
            ("-verify_ip", "127.0.0.1", true), ("-verify_ip", "::1", true),
            ("-verify_hostname", "example.org", false), ("-verify_ip", "127.0.0.2", false),
        ] {
            let arguments = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", made.authorityFile]
            let answer = try Judge.run("openssl", arguments + [check, name, made.serverCertificateFile])
            #expect((answer.status == 0) == isTrusted, "\(name): \(answer.errors)")
        }
        #expect(
            try Judge.openssl("x509", "-in", made.serverCertificateFile, "-noout", "-pubkey")
                == Judge.openssl("pkey", "-in", made.serverKeyFile, "-pubout")
        )
    }

    @Test func opensslReadsTheClientCertificate() throws {
        let made = try MockCredentials.make(in: directory)
        let all = try Judge.openssl(
            "pkcs12",
            "-in",
            made.pushCertificate.p12,
            "-passin",
            "pass:",
            "-nodes"
        )
        let file = try scratch.write(all, to: "client.pem")
        let answer = try Judge.run(
            "openssl",
            ["verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", made.authorityFile, file]
        )
        #expect(answer.status == 0, "\(answer.errors)")
        let subject = try Judge.openssl("x509", "-in", file, "-noout", "-subject", "-nameopt", "RFC2253")
        #expect(
            String(decoding: subject, as: UTF8.self)
                == "subject=CN=Apple Push Services: com.example.app,UID=com.example.app\n"
        )
        #expect(
            try Judge.openssl("x509", "-in", file, "-noout", "-pubkey") == Judge.openssl("pkey", "-in", file, "-pubout")
        )
    }

    @Test func keyAndAccountAreWhatSendersLoad() throws {
        let made = try MockCredentials.make(in: directory)
        #expect(try SigningKey.loadP8(made.keyFile).fingerprint == made.apnsKey.fingerprint)
        let account = try ServiceAccount.load(made.serviceAccountFile)
        #expect(account.projectID == "example-project")
        #expect(account.key.fingerprint == made.serviceAccount.key.fingerprint)
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: made.serviceAccountFile)))
        let fields = try #require(json as? [String: String])
        let key = try #require(fields["private_key"])
        try Judge.openssl("pkey", "-check", "-noout", input: Data(key.utf8))
        #expect(fields["type"] == "service_account")
    }

    @Test func tokenURIIsGivenLater() throws {
        var made = try MockCredentials.make(in: directory)
        let fingerprint = made.serviceAccount.key.fingerprint
        try made.setTokenURI("https://127.0.0.1:4711/token")
        #expect(made.serviceAccount.tokenURI == "https://127.0.0.1:4711/token")
        let account = try ServiceAccount.load(made.serviceAccountFile)
        #expect(account.tokenURI == "https://127.0.0.1:4711/token")
        #expect(account.key.fingerprint == fingerprint)
        #expect(try Set(contents().keys) == Self.files)
    }

    @Test func whatIsThereIsKept() throws {
        _ = try MockCredentials.make(in: directory)
        let before = try contents()
        _ = try MockCredentials.make(in: directory)
        #expect(try contents() == before)
    }

    @Test func onlyWhatIsMissingIsMade() throws {
        _ = try MockCredentials.make(in: directory)
        for (missing, renewed) in [
            ("AuthKey_ABC123DEFG.p8", ["AuthKey_ABC123DEFG.p8"]),
            ("service-account.json", ["service-account.json"]),
            ("server.pem", ["server.pem", "server-key.pem"]),
            ("apns.p12", ["apns.p12", "apns.pem"]), ("apns.pem", ["apns.p12", "apns.pem"]),
            ("apns-sandbox.pem", ["apns-sandbox.p12", "apns-sandbox.pem"]),
            (
                "ca-key.pem",
                [
                    "ca.pem", "ca-key.pem", "server.pem", "server-key.pem", "apns.p12", "apns.pem", "apns-sandbox.p12",
                    "apns-sandbox.pem",
                ]
            ),
        ] {
            let before = try contents()
            try FileManager.default.removeItem(atPath: directory + "/" + missing)
            _ = try MockCredentials.make(in: directory)
            let after = try contents()
            #expect(Set(after.keys.filter { after[$0] != before[$0] }) == Set(renewed), "without \(missing)")
        }
    }

    @Test func aNewNameRenewsTheServerOnly() throws {
        _ = try MockCredentials.make(in: directory)
        let before = try contents()
        _ = try MockCredentials.make(in: directory, names: ["push.test"])
        let after = try contents()
        #expect(Set(after.keys.filter { after[$0] != before[$0] }) == ["server.pem", "server-key.pem"])
    }

    @Test func anAuthorityThatExpiresIsMadeAgain() throws {
        _ = try MockCredentials.make(in: directory)
        let key = try SigningKey.loadP8(directory + "/ca-key.pem").key
        let old = try CertificateRequest.authority(name: "old", days: 1).issue(for: key)
        #expect(old.isValid(forSeconds: 3_600) && !old.isValid(forSeconds: 86_401))
        try old.write(to: directory + "/ca.pem")
        let before = try contents()
        let made = try MockCredentials.make(in: directory)
        let after = try contents()
        for file in ["ca.pem", "ca-key.pem", "server.pem", "apns.p12"] { #expect(after[file] != before[file]) }
        let answer = try Judge.run("openssl", ["verify", "-CAfile", made.authorityFile, made.serverCertificateFile])
        #expect(answer.status == 0)
    }

    @Test func aDamagedFileIsRefusedNotReplaced() throws {
        _ = try MockCredentials.make(in: directory)
        for file in Self.files {
            let path = directory + "/" + file
            let good = try Data(contentsOf: URL(fileURLWithPath: path))
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: CredentialError.self) { try MockCredentials.make(in: directory) }
            #expect(error?.file == path)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("damaged".utf8))
            try good.write(to: URL(fileURLWithPath: path))
        }
        let other = try SigningKey.generate(.es256)
        try other.write(to: directory + "/ca-key.pem")
        let error = #expect(throws: CredentialError.self) { try MockCredentials.make(in: directory) }
        #expect(error?.fault == .otherKey(certificate: directory + "/ca.pem"))
    }

    @Test func namesADirectoryThatCannotBe() throws {
        let file = try scratch.write("", to: "file")
        let notADirectory = #expect(throws: CredentialError.self) { try MockCredentials.make(in: file) }
        #expect(notADirectory?.description == "\(file): cannot be used: Not a directory")
        let nowhere = scratch.file("a/b")
        let missingParent = #expect(throws: CredentialError.self) { try MockCredentials.make(in: nowhere) }
        #expect(missingParent?.description == "\(nowhere): cannot be used: No such file or directory")
    }

    @Test(arguments: ["", "a,DNS:b", "a b", "é"])
    func refusesNamesThatWouldChangeTheCertificate(name: String) {
        let error = #expect(throws: CredentialError.self) { try MockCredentials.make(in: directory, names: [name]) }
        guard case .badField("host name", _, _) = error?.fault else {
            Issue.record("expected badField, got \(String(describing: error))")
            return
        }
    }
}

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Credentials

@Suite("Client certificates")
struct SenderCertificateTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// A certificate made by `openssl` alone: key, PEM, and a `.p12` under a password.
    private func make(days: Int = 100, password: String = "secret") throws -> (key: String, pem: String, p12: String) {
        let (key, pem, p12) = (scratch.file("k.pem"), scratch.file("c.pem"), scratch.file("c.p12"))
        try OpenSSL.makeKey(.p256, in: key)
        let subject = "/UID=com.example.app/CN=Apple Push Services: com.example.app"
        try OpenSSL.run(["req", "-x509", "-new", "-key", key, "-subj", subject, "-days", "\(days)", "-out", pem])
        try OpenSSL.run(
            ["pkcs12", "-export", "-inkey", key, "-in", pem, "-out", p12, "-passout", "stdin"],
            input: Data((password + "\n").utf8)
        )
        return (key, pem, p12)
    }

    private static func password(_ text: String) -> CertificatePassword {
        let copy = strdup(text)
        defer { free(copy) }
        return CertificatePassword(UnsafeRawBufferPointer(start: copy, count: text.utf8.count))
    }

    @Test("A .p12 under its password, and PEM with its key beside it, show name, topic and dates")
    func loads() throws {
        let files = try make()
        let now = Int64(time(nil))
        for certificate in [
            try SenderCertificate.load(files.p12, key: nil, password: Self.password("secret")),
            try SenderCertificate.load(files.pem, key: files.key, password: CertificatePassword()),
        ] {
            #expect(certificate.name == "Apple Push Services: com.example.app")
            #expect(certificate.topic == "com.example.app")
            #expect(certificate.startsAt <= now && certificate.startsAt > now - 3600)
            #expect(certificate.expiresAt - certificate.startsAt == 100 * 86_400)
            #expect(certificate.validity(at: now).isUsable)
        }
    }

    @Test("The mock's own certificate opens without a password")
    func mock() throws {
        let made = try MockCredentials.make(in: scratch.file("state"))
        let certificate = try SenderCertificate.load(
            made.pushCertificate.p12,
            key: nil,
            password: CertificatePassword()
        )
        #expect(certificate.topic == MockCredentials.topic)
    }

    @Test("A wrong password, another's key, a file that is neither: one line that says so")
    func faults() throws {
        let files = try make()
        let other = scratch.file("other.pem")
        try OpenSSL.makeKey(.p256, in: other)
        func fault(_ file: String, _ key: String?, _ password: String) -> CredentialError.Fault? {
            do {
                _ = try SenderCertificate.load(file, key: key, password: Self.password(password))
                return nil
            } catch {
                return error.fault
            }
        }
        #expect(fault(files.p12, nil, "wrong") == .wrongPassword)
        #expect(fault(files.p12, nil, "") == .wrongPassword)
        #expect(fault(files.pem, other, "") == .otherKey(certificate: files.pem))
        #expect(fault(scratch.file("none.p12"), nil, "") == .missing)
        let noise = scratch.file("noise.p12")
        try Data("no container".utf8).write(to: URL(filePath: noise))
        guard case .notCertificate = fault(noise, nil, "") else {
            Issue.record("noise was taken for a container")
            return
        }
    }

    @Test(
        "Dates are judged at any time",
        arguments: [
            (-1, SenderCertificate.Validity.notYet), (0, .good(days: 100)), (70 * 86_400, .good(days: 30)),
            (70 * 86_400 + 1, .expiresSoon(days: 29)), (100 * 86_400 - 1, .expiresSoon(days: 0)),
            (100 * 86_400, .expired),
        ] as [(Int64, SenderCertificate.Validity)]
    )
    func validity(after: Int64, validity: SenderCertificate.Validity) throws {
        let files = try make()
        let certificate = try SenderCertificate.load(files.pem, key: files.key, password: CertificatePassword())
        #expect(certificate.validity(at: certificate.startsAt + after) == validity)
    }

    @Test("A password is the first line of a file, or an environment variable; without either it is empty")
    func passwords() throws {
        let file = scratch.file("password")
        try Data("pass word\r\nnot this\n".utf8).write(to: URL(filePath: file))
        func text(file: String?, variable: String?) throws -> String {
            try CertificatePassword.read(file: file, variable: variable).withCString { String(cString: $0) }
        }
        #expect(try text(file: file, variable: nil) == "pass word")
        #expect(try text(file: nil, variable: nil) == "")
        let name = "PUSHBENCH_TEST_\(getpid())"
        setenv(name, "from outside", 1)
        defer { unsetenv(name) }
        #expect(try text(file: nil, variable: name) == "from outside")
        #expect(throws: CredentialError(file: "environment variable \(name)_2", fault: .missingVariable)) {
            _ = try text(file: nil, variable: name + "_2")
        }
    }
}

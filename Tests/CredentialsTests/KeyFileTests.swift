import Foundation
import Testing

@testable import Credentials

/// Keys as `openssl` writes them, made once for all tests of this file.
private enum Sample {
    static let p256 = pem("EC", "ec_paramgen_curve:P-256")

    static func pem(_ algorithm: String, _ options: String...) -> Data {
        let settings = options.flatMap { ["-pkeyopt", $0] }
        guard let made = try? Judge.run("openssl", ["genpkey", "-algorithm", algorithm] + settings), made.status == 0
        else { preconditionFailure("openssl genpkey \(algorithm) \(options)") }
        return made.output
    }

    /// The contents of a PEM file with one block.
    static func der(_ pem: Data) -> Data {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()) ?? Data()
    }

    static func text(_ der: Data, label: String = "PRIVATE KEY") -> String {
        let body = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }
}

/// A file that must be refused, and how.
private struct Refusal: CustomTestStringConvertible, Sendable {
    var name: String
    var contents: @Sendable () throws -> Data
    var fault: CredentialError.Fault
    var testDescription: String { name }

    init(_ name: String, _ fault: CredentialError.Fault, _ contents: @escaping @Sendable () throws -> Data) {
        (self.name, self.fault, self.contents) = (name, fault, contents)
    }
}

@Suite struct KeyFileTests {
    private static let curves: [Refusal] = [
        Refusal("P-384", .wrongCurve(found: "secp384r1")) { Sample.pem("EC", "ec_paramgen_curve:P-384") },
        Refusal("secp256k1", .wrongCurve(found: "secp256k1")) { Sample.pem("EC", "ec_paramgen_curve:secp256k1") },
        Refusal("RSA", .wrongKeyType(found: "an RSA key of 2048 bits", needed: .es256)) {
            Sample.pem("RSA", "rsa_keygen_bits:2048")
        },
        Refusal("Ed25519", .wrongKeyType(found: "an ED25519 key of 256 bits", needed: .es256)) {
            Sample.pem("ED25519")
        },
    ]

    private static let otherFiles: [Refusal] = [
        Refusal("empty", .empty) { Data() },
        Refusal("white space", .notPEM(looksLike: "only white space")) { Data("\n \n".utf8) },
        Refusal("text", .notPEM(looksLike: "text without a -----BEGIN line")) { Data("hello".utf8) },
        Refusal("JSON", .notPEM(looksLike: "it looks like JSON")) { Data("{\"private_key\":1}".utf8) },
        Refusal("DER", .notPEM(looksLike: "it looks like DER")) { Sample.der(Sample.p256) },
        Refusal("UTF-16", .notPEM(looksLike: "it looks like UTF-16 text")) {
            Data([0xff, 0xfe]) + Data(String(decoding: Sample.p256, as: UTF8.self).utf16.flatMap { [UInt8($0), 0] })
        },
        Refusal("binary", .notPEM(looksLike: "binary data")) { Data([1, 0, 2]) },
        Refusal("too large", .tooLarge(limit: 65_536)) { Data(count: 65_537) },
        Refusal("encrypted PKCS#8", .encrypted) {
            try Judge.openssl("pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:secret", input: Sample.p256)
        },
        Refusal("encrypted SEC1", .encrypted) {
            try Judge.openssl("ec", "-aes256", "-passout", "pass:secret", input: Sample.p256)
        },
        Refusal("SEC1", .wrongPEM(labels: ["EC PRIVATE KEY"])) { try Judge.openssl("ec", input: Sample.p256) },
        Refusal("SEC1 with parameters", .wrongPEM(labels: ["EC PARAMETERS", "EC PRIVATE KEY"])) {
            try Judge.openssl("ecparam", "-genkey", "-name", "prime256v1")
        },
        Refusal("PKCS#1", .wrongPEM(labels: ["RSA PRIVATE KEY"])) { try Judge.openssl("genrsa", "-traditional") },
        Refusal("public key", .wrongPEM(labels: ["PUBLIC KEY"])) {
            try Judge.openssl("pkey", "-pubout", input: Sample.p256)
        },
        Refusal("certificate", .wrongPEM(labels: ["CERTIFICATE"])) {
            try Judge.openssl("req", "-new", "-x509", "-key", "/dev/stdin", "-subj", "/CN=x", input: Sample.p256)
        },
    ]

    private static let truncated: [Refusal] = [
        Refusal("no END line", .truncated(label: "PRIVATE KEY")) { Sample.p256.prefix(150) },
        Refusal("half an END line", .truncated(label: "PRIVATE KEY")) { Sample.p256.dropLast(10) },
        Refusal("SEC1 without END line", .truncated(label: "EC PRIVATE KEY")) {
            try Judge.openssl("ec", input: Sample.p256).prefix(100)
        },
    ]

    @Test(arguments: curves + otherFiles + truncated)
    private func refusesWith(_ refusal: Refusal) throws {
        let scratch = try Scratch()
        let path = try scratch.write(refusal.contents(), to: "key.p8")
        let error = #expect(throws: CredentialError.self) { try SigningKey.loadP8(path) }
        #expect(error?.fault == refusal.fault)
        #expect(error?.file == path)
        let line = "\(try #require(error))"
        #expect(line.hasPrefix("\(path): ") && line.count > path.count + 10 && !line.contains("\n"))
    }

    @Test(arguments: [10, 60, 100, 137])
    func refusesShortenedContents(bytes: Int) throws {
        let scratch = try Scratch()
        let path = try scratch.write(Sample.text(Sample.der(Sample.p256).prefix(bytes)), to: "key.p8")
        let error = #expect(throws: CredentialError.self) { try SigningKey.loadP8(path) }
        guard case .undecodable = error?.fault else {
            Issue.record("expected undecodable, got \(String(describing: error))")
            return
        }
    }

    @Test func refusesContentsThatAreNoBase64() throws {
        let scratch = try Scratch()
        let path = try scratch.write("-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n", to: "key.p8")
        let error = #expect(throws: CredentialError.self) { try SigningKey.loadP8(path) }
        guard case .undecodable = error?.fault else {
            Issue.record("expected undecodable, got \(String(describing: error))")
            return
        }
    }

    @Test func refusesACurveGivenByParameters() throws {
        let scratch = try Scratch()
        let pem = Sample.pem("EC", "ec_paramgen_curve:secp256k1", "ec_param_enc:explicit")
        let error = #expect(throws: CredentialError.self) {
            try SigningKey.loadP8(scratch.write(pem, to: "key.p8"))
        }
        guard case .wrongCurve = error?.fault else {
            Issue.record("expected wrongCurve, got \(String(describing: error))")
            return
        }
    }

    @Test func refusesHalvesOfTwoKeys() throws {
        let scratch = try Scratch()
        // The public point is the last 65 bytes of a P-256 key in PKCS#8.
        let other = Sample.der(Sample.pem("EC", "ec_paramgen_curve:P-256"))
        let mixed = Sample.der(Sample.p256).dropLast(65) + other.suffix(65)
        let path = try scratch.write(Sample.text(mixed), to: "key.p8")
        let error = #expect(throws: CredentialError.self) { try SigningKey.loadP8(path) }
        #expect(error?.fault == .inconsistentKey)
    }

    @Test func namesAMissingFileAndADirectory() throws {
        let scratch = try Scratch()
        let missing = #expect(throws: CredentialError.self) { try SigningKey.loadP8(scratch.file("none.p8")) }
        #expect(missing?.fault == .missing)
        let directory = #expect(throws: CredentialError.self) { try SigningKey.loadP8(scratch.path) }
        #expect(directory?.fault == .inaccessible(reason: "Is a directory"))
    }

    @Test(arguments: ["as is", "CRLF", "text before", "no last newline", "another block before"])
    func acceptsHarmlessDifferences(form: String) throws {
        let scratch = try Scratch()
        let plain = String(decoding: Sample.p256, as: UTF8.self)
        let text =
            switch form {
            case "CRLF": plain.replacingOccurrences(of: "\n", with: "\r\n")
            case "text before": "Key ID: ABC123DEFG\n\n" + plain
            case "no last newline": String(plain.dropLast())
            case "another block before":
                String(decoding: try Judge.openssl("ecparam", "-name", "prime256v1"), as: UTF8.self) + plain
            default: plain
            }
        let key = try SigningKey.loadP8(scratch.write(text, to: "key.p8"))
        #expect(key.algorithm == .es256)
    }

    @Test func fingerprintIsTheDigestOfThePublicKey() throws {
        let scratch = try Scratch()
        let key = try SigningKey.loadP8(scratch.write(Sample.p256, to: "key.p8"))
        let der = try Judge.openssl("pkey", "-pubout", "-outform", "DER", input: Sample.p256)
        let digest = try Judge.openssl("dgst", "-sha256", "-r", input: der)
        #expect(key.fingerprint == String(decoding: digest.prefix(64), as: UTF8.self))
        #expect(try key.publicKey.fingerprint == key.fingerprint)
    }

    @Test func showsNothingOfThePrivateKey() throws {
        let scratch = try Scratch()
        let key = try SigningKey.loadP8(scratch.write(Sample.p256, to: "key.p8"))
        #expect("\(key)" == "ES256 key \(key.fingerprint.prefix(8))")
        var dumped = ""
        dump(key, to: &dumped)
        // The private scalar of a P-256 key in PKCS#8 stands at byte 36.
        let scalar = Sample.der(Sample.p256).dropFirst(36).prefix(32)
        #expect(!dumped.contains(scalar.base64EncodedString()))
        #expect(!dumped.lowercased().contains(hexadecimal(Array(scalar))))
    }
}

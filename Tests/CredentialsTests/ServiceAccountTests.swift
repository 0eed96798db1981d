import Foundation
import Testing

@testable import Credentials

@Suite struct ServiceAccountTests {
    private static let pem = key("RSA", "rsa_keygen_bits:2048")

    private static func key(_ algorithm: String, _ option: String) -> String {
        guard let made = try? Judge.run("openssl", ["genpkey", "-algorithm", algorithm, "-pkeyopt", option]) else {
            preconditionFailure("openssl genpkey \(algorithm)")
        }
        return made.text
    }

    /// The JSON literal of a text.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }

    /// A good file, with fields replaced by raw JSON or (nil) left out.
    private static func file(_ changes: [String: String?] = [:]) -> String {
        var fields: [String: String?] = [
            "type": "\"service_account\"", "project_id": "\"example-project\"", "private_key_id": "\"0123abcd\"",
            "private_key": quoted(pem), "client_email": "\"push@example-project.iam.gserviceaccount.com\"",
            "client_id": "\"1\"", "token_uri": "\"https://oauth2.googleapis.com/token\"",
        ]
        fields.merge(changes) { $1 }
        let members = fields.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
        return "{\n  \(members.joined(separator: ",\n  "))\n}\n"
    }

    private func load(_ text: String) throws -> ServiceAccount {
        let scratch = try Scratch()
        return try ServiceAccount.load(scratch.write(text, to: "sa.json"))
    }

    @Test func loadsWhatTheConsoleHandsOut() throws {
        let account = try load(Self.file())
        #expect(account.projectID == "example-project")
        #expect(account.clientEmail == "push@example-project.iam.gserviceaccount.com")
        #expect(account.keyID == "0123abcd")
        #expect(account.tokenURI == "https://oauth2.googleapis.com/token")
        #expect(account.key.algorithm == .rs256)
        #expect(
            "\(account)" == "service account \(account.clientEmail), RS256 key \(account.key.fingerprint.prefix(8))"
        )
    }

    private static let missing: [(String, CredentialError.Fault)] = [
        "type", "project_id", "private_key_id", "private_key", "client_email", "token_uri",
    ]
    .map { (file([$0: String?.none]), .missingFields([$0])) }

    private static let bad: [(String, CredentialError.Fault)] = [
        (file(["type": "\"authorized_user\""]), field("type", "\"authorized_user\"", "\"service_account\"")),
        ("{\"type\":\"external_account\"}", field("type", "\"external_account\"", "\"service_account\"")),
        (file(["project_id": "7"]), field("project_id", "of another type", "a string")),
        (file(["project_id": "\"a/b\""]), field("project_id", "\"a/b\"", #"letters, digits, "-", "." or ":""#)),
        (file(["project_id": "\"\""]), field("project_id", "empty", #"letters, digits, "-", "." or ":""#)),
        (file(["private_key_id": "\"a b\""]), field("private_key_id", "\"a b\"", #"letters, digits, "-" or "_""#)),
        (file(["client_email": "\"nobody\""]), field("client_email", "\"nobody\"", "an e-mail address")),
        (file(["client_email": "\"a\\\"@b\""]), field("client_email", "\"a\"@b\"", "an e-mail address")),
        (file(["token_uri": "\"http://h/token\""]), field("token_uri", "\"http://h/token\"", "an https URL")),
        (file(["token_uri": "\"https://\""]), field("token_uri", "\"https://\"", "an https URL")),
        (file(["token_uri": "null"]), .missingFields(["token_uri"])),
        (file(["private_key": "[]"]), field("private_key", "of another type", "a string")),
        (file(["private_key": "\"\\u00e9\""]), field("private_key", "not plain text", "a key in PKCS#8 PEM form")),
        (file(["private_key": "\"\""]), inKey(.notPEM(looksLike: "only white space"))),
        (file(["private_key": quoted(key("EC", "ec_paramgen_curve:P-256"))]), inKey(ecKey)),
        (file(["private_key": quoted(key("RSA", "rsa_keygen_bits:1024"))]), inKey(.shortKey(bits: 1_024))),
        (file(["private_key": quoted(String(pem.prefix(900)))]), inKey(.truncated(label: "PRIVATE KEY"))),
        ("{}", .missingFields(["type", "project_id", "private_key_id", "private_key", "client_email", "token_uri"])),
        ("[]", .notJSON(reason: "the text is not an object")),
        ("{\"type\":", .notJSON(reason: "it is not valid JSON")),
        ("-----BEGIN PRIVATE KEY-----", .notJSON(reason: "it is not valid JSON")),
        ("", .empty),
    ]

    private static let ecKey = CredentialError.Fault.wrongKeyType(found: "an EC key on prime256v1", needed: .rs256)

    private static func field(_ name: String, _ found: String, _ allowed: String) -> CredentialError.Fault {
        .badField(name, found: found, allowed: allowed)
    }

    private static func inKey(_ fault: CredentialError.Fault) -> CredentialError.Fault {
        .inField("private_key", fault)
    }

    @Test(arguments: missing + bad)
    func refuses(text: String, fault: CredentialError.Fault) throws {
        let error = #expect(throws: CredentialError.self) { try load(text) }
        #expect(error?.fault == fault)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func namesEveryMissingField() {
        #expect(
            CredentialError(file: "sa.json", fault: .missingFields(["type", "token_uri"])).description
                == "sa.json: no field \"type\", \"token_uri\"; a service account's JSON file has them all"
        )
    }

    @Test func assertionHasGooglesClaims() throws {
        let account = try load(Self.file())
        let token = try JSONWebToken(parsing: account.assertion(issuedAt: 1_700_000_000))
        #expect(token.header == .init(alg: "RS256", kid: "0123abcd", typ: "JWT"))
        #expect(token.claims.iss == account.clientEmail)
        #expect(token.claims.scope == "https://www.googleapis.com/auth/firebase.messaging")
        #expect(token.claims.aud == ["https://oauth2.googleapis.com/token"])
        #expect(token.claims.iat == 1_700_000_000)
        #expect(token.claims.exp == 1_700_003_600)
        #expect(token.isSigned(by: try account.key.publicKey))
    }

    /// Where the key stands and how it is escaped must not matter, and nothing of it may stay in the text.
    @Test(arguments: [
        #"{"private_key":"a\nb"}"#,
        #"{"x":{"private_key":"inner"},"private_key":"a\nb"}"#,
        #"{"x":["private_key","y"], "private_key" : "a\u000ab" , "z":1}"#,
        #"{"x":"\"private_key\":\"no\"","private_key":"a\nb"}"#,
        #"{"private_key":"first","private_key":"a\nb"}"#,
        #"{"x":"private_key","private_key":"a\nb"}"#,
    ])
    func takesTheSecretOut(text: String) throws {
        var bytes = SecretBytes(capacity: text.utf8.count)
        for byte in text.utf8 { bytes.append(byte) }
        let secret = JSONSecret.take("private_key", from: &bytes)
        let value = secret?.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(value == "a\nb")
        let rest = bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(rest.utf8.count == text.utf8.count)
        for part in [#"a\n"#, "000ab", "first"] { #expect(!rest.contains(part)) }
        _ = try JSONSerialization.jsonObject(with: Data(rest.utf8))
    }

    @Test(arguments: ["{}", #"{"private_key":1}"#, #"["private_key"]"#, #"{"private_key":"#, #"{"private_key":"\"#])
    func leavesWhatIsNoSecret(text: String) {
        var bytes = SecretBytes(capacity: text.utf8.count)
        for byte in text.utf8 { bytes.append(byte) }
        let isTaken = JSONSecret.take("private_key", from: &bytes) != nil
        #expect(!isTaken)
    }
}

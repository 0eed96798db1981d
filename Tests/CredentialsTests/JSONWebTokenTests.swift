import Foundation
import TestSupport
import Testing

@testable import Credentials

@Suite struct JSONWebTokenTests {
    private static func token(_ header: String, _ claims: String, signature: String = "AA") -> [UInt8] {
        Base64URL.encode(Array(header.utf8)) + [46] + Base64URL.encode(Array(claims.utf8)) + [46]
            + Array(signature.utf8)
    }

    @Test func madeTokensHaveExactlyWhatApplesPageNames() throws {
        let key = try SigningKey.generate(.es256)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let text = try ProviderToken.make(key: key, identity: identity, issuedAt: 1_700_000_000)
        let parts = text.split(separator: 46).map { Base64URL.decode($0) ?? [] }
        #expect(String(decoding: parts[0], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(String(decoding: parts[1], as: UTF8.self) == #"{"iss":"TEAM123456","iat":1700000000}"#)
        #expect(parts[2].count == 64)

        let parsed = try JSONWebToken(parsing: text)
        #expect(parsed.header.kid == "ABC123DEFG")
        #expect(parsed.claims.iss == "TEAM123456")
        #expect(parsed.claims.iat == 1_700_000_000)
        #expect(parsed.isSigned(by: try key.publicKey))
        #expect(!parsed.isSigned(by: try SigningKey.generate(.es256).publicKey))
    }

    @Test(arguments: [
        ("", "TEAM123456", "\"key id\" is \"\", 0 long; it must be 10 letters or digits (A-Z, 0-9)"),
        ("ABC123DEF", "TEAM123456", "\"key id\" is \"ABC123DEF\", 9 long; it must be 10 letters or digits (A-Z, 0-9)"),
        ("ABC123DEFG", "TEAM12345\"", "\"team id\" is \"TEAM12345\"\"; it must be 10 letters or digits (A-Z, 0-9)"),
        ("abc123defg", "TEAM123456", "\"key id\" is \"abc123defg\"; it must be 10 letters or digits (A-Z, 0-9)"),
    ])
    func refusesIDs(keyID: String, teamID: String, text: String) {
        let error = #expect(throws: CredentialError.self) {
            try ProviderIdentity(keyID: keyID, teamID: teamID, source: "profile")
        }
        #expect(error?.description == "profile: " + text)
    }

    /// Senders differ: APNSwift writes `iat` as a string and repeats `kid`, PyAPNs2 writes a fraction.
    @Test(
        arguments: [
            (#"{"iss":"TEAM123456","iat":1700000000}"#, 1_700_000_000),
            (#"{"iss":"TEAM123456","iat":1700000000.75}"#, 1_700_000_000.75),
            (#"{"iss":"TEAM123456","iat":"1700000000","kid":"ABC123DEFG"}"#, 1_700_000_000),
            (#"{"iss":"TEAM123456","iat":1.7e9,"more":{"a":[1,null,true]}}"#, 1_700_000_000),
            (#"{"iss":"TEAM123456","iat":-5}"#, -5),
            (#"{"iss":"TEAM123456"}"#, nil),
            (#"{"iss":"TEAM123456","iat":null}"#, nil),
        ] as [(String, Double?)]
    )
    func toleratesFormsOfIssueTime(claims: String, issuedAt: Double?) throws {
        let parsed = try JSONWebToken(parsing: Self.token(#"{"alg":"ES256","kid":"ABC123DEFG","x":1}"#, claims))
        #expect(parsed.claims.iat == issuedAt)
        #expect(parsed.claims.iss == "TEAM123456")
    }

    @Test(arguments: [(#""https://a/token""#, ["https://a/token"]), (#"["a","b"]"#, ["a", "b"]), ("null", [])])
    func readsAudiences(json: String, audiences: [String]) throws {
        let parsed = try JSONWebToken(parsing: Self.token(#"{"alg":"RS256"}"#, #"{"aud":\#(json)}"#))
        #expect(parsed.claims.aud == audiences)
    }

    @Test(
        arguments: [
            ([], .parts(1)),
            (Array("a.b".utf8), .parts(2)),
            (Array("a.b.c.d".utf8), .parts(4)),
            (Array("=.e30.AA".utf8), .encoding(part: "header")),
            (token(#"{"alg":"ES256"}"#, "{}", signature: "A"), .encoding(part: "signature")),
            (token("{}", "{}"), .content(part: "header", reason: "field \"alg\" is missing")),
            (token(#"{"alg":1}"#, "{}"), .content(part: "header", reason: "field \"alg\" is not a string")),
            (token("nonsense", "{}"), .content(part: "header", reason: "it is not valid JSON")),
            (token(#"{"alg":"ES256"}"#, "[]"), .content(part: "claims", reason: "the text is not an object")),
            (
                token(#"{"alg":"ES256"}"#, #"{"iat":true}"#),
                .content(part: "claims", reason: "field \"iat\" is not a number")
            ),
            (token(#"{"alg":"ES256"}"#, #"{"iat":"now"}"#), outOfRange),
            (token(#"{"alg":"ES256"}"#, #"{"iat":"nan"}"#), outOfRange),
            (token(#"{"alg":"ES256"}"#, #"{"iat":1e300}"#), outOfRange),
            (token(#"{"alg":"ES256"}"#, #"{"iat":"inf"}"#), outOfRange),
            ([UInt8](repeating: 65, count: 20_000), .content(part: "text", reason: "longer than 16384 characters")),
        ] as [([UInt8], JSONWebTokenError)]
    )
    func refuses(text: [UInt8], error: JSONWebTokenError) {
        #expect(throws: error) { try JSONWebToken(parsing: text) }
    }

    private static let outOfRange = JSONWebTokenError.content(
        part: "claims",
        reason: "field \"iat\": it is no time in seconds"
    )

    /// RFC 7515 appendix A.3: a token, its P-256 key, and its signature as the RFC prints them.
    @Test func verifiesTheExampleOfTheRFC() throws {
        let text =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
            + "Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        // SubjectPublicKeyInfo of id-ecPublicKey on prime256v1, up to the uncompressed point.
        let prefix: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let der = Data(prefix + (Base64URL.decode(x.utf8) ?? []) + (Base64URL.decode(y.utf8) ?? []))
        let pem = "-----BEGIN PUBLIC KEY-----\n\(der.base64EncodedString())\n-----END PUBLIC KEY-----\n"
        let token = try JSONWebToken(parsing: text.utf8)
        #expect(token.isSigned(by: try VerificationKey(pem: pem, algorithm: .es256)))
        #expect(token.claims.exp == 1_300_819_380)
    }

    /// RFC 8725 section 2.1: the header must not be able to choose another algorithm than the key's.
    @Test(arguments: ["none", "HS256", "RS256", "es256", "ES384"])
    func headerCannotChooseTheAlgorithm(name: String) throws {
        let key = try SigningKey.generate(.es256)
        let header = Array(#"{"alg":"\#(name)","kid":"ABC123DEFG"}"#.utf8)
        let text = try JSONWebToken.sign(header: header, claims: Array("{}".utf8), key: key)
        #expect(!(try JSONWebToken(parsing: text)).isSigned(by: try key.publicKey))
    }
}

/// PyJWT, which many senders use, as the judge in both directions.
@Suite(.enabled(if: Python.hasModules("jwt, cryptography"))) struct PyJWTTests {
    @Test(arguments: JWTAlgorithm.allCases)
    func pyjwtAcceptsOurs(algorithm: JWTAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let account = ServiceAccount(
            projectID: "p",
            clientEmail: "a@b",
            keyID: "k",
            tokenURI: "https://h/token",
            key: key
        )
        let token = try account.assertion(issuedAt: 1_700_000_000)
        let script = """
            import jwt, sys
            token, key, algorithm = sys.stdin.read().split("|")
            claims = jwt.decode(token, key, algorithms=[algorithm], audience="https://h/token",
                                options={"verify_exp": False, "verify_iat": False})
            print(claims["iss"], claims["iat"], claims["exp"], jwt.get_unverified_header(token)["kid"])
            """
        let text = String(decoding: token, as: UTF8.self)
        let input = Data("\(text)|\(key.key.publicPEM)|\(algorithm.rawValue)".utf8)
        let answer = try Python.run(script, input: input)
        #expect(answer == Data("a@b 1700000000 1700003600 k\n".utf8))
    }

    @Test(arguments: JWTAlgorithm.allCases)
    func weAcceptPyjwts(algorithm: JWTAlgorithm) throws {
        let options = algorithm == .es256 ? ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["RSA"]
        let pem = try Judge.run("openssl", ["genpkey", "-algorithm"] + options).output
        let publicText = try Judge.openssl("pkey", "-pubout", input: pem)
        let key = try VerificationKey(pem: String(decoding: publicText, as: UTF8.self), algorithm: algorithm)
        let script = """
            import jwt, sys
            print(jwt.encode({"iss": "TEAM123456", "iat": 1700000000.25}, sys.stdin.read(), algorithm=sys.argv[1],
                             headers={"kid": "ABC123DEFG"}), end="")
            """
        let token = try JSONWebToken(parsing: Python.run(script, [algorithm.rawValue], input: pem))
        #expect(token.isSigned(by: key))
        #expect(token.header.kid == "ABC123DEFG")
        #expect(token.claims.iat == 1_700_000_000.25)
    }
}

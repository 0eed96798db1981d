package import Foundation

/// Keys and tokens made with `openssl` alone, so that nothing of ours judges its own work.
package enum OpenSSL {
    /// The kinds of key that push services know.
    package enum KeyKind {
        /// For APNs provider tokens.
        case p256
        /// For Google's service accounts.
        case rsa
    }

    /// A new private key in a file.
    package static func makeKey(_ kind: KeyKind, in file: String) throws {
        let algorithm =
            switch kind {
            case .p256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            }
        try run(["genpkey"] + algorithm + ["-out", file])
    }

    /// An APNs provider token, issued some seconds ago and signed with the key in a file.
    package static func providerToken(keyFile: String, keyID: String, teamID: String, age: Int = 0) throws -> String {
        let signed = unsigned(
            header: #"{"alg":"ES256","kid":"\#(keyID)"}"#,
            claims: #"{"iss":"\#(teamID)","iat":\#(now - age)}"#
        )
        return signed + "." + base64URL(rawSignature(try sign(signed, keyFile)))
    }

    /// An assertion for an OAuth token endpoint, signed with the key in a file (RFC 7523).
    package static func assertion(keyFile: String, keyID: String, issuer: String, audience: String) throws -> String {
        let scope = "https://www.googleapis.com/auth/firebase.messaging"
        let signed = unsigned(
            header: #"{"alg":"RS256","typ":"JWT","kid":"\#(keyID)"}"#,
            claims: #"{"iss":"\#(issuer)","scope":"\#(scope)","aud":"\#(audience)","iat":\#(now),"exp":\#(now + 3600)}"#
        )
        return signed + "." + base64URL(try sign(signed, keyFile))
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }

    private static func unsigned(header: String, claims: String) -> String {
        [header, claims].map { base64URL(Data($0.utf8)) }.joined(separator: ".")
    }

    private static func sign(_ text: String, _ keyFile: String) throws -> Data {
        try run(["dgst", "-sha256", "-sign", keyFile], input: Data(text.utf8))
    }

    /// Runs `openssl`, which must succeed, and returns its output.
    @discardableResult
    package static func run(_ arguments: [String], input: Data = Data()) throws -> Data {
        let outcome = try Program.run("openssl", arguments, input: input)
        guard outcome.code == 0 else {
            throw ProgramFailure("openssl \(arguments.joined(separator: " ")): \(outcome.errors)")
        }
        return outcome.bytes
    }

    /// ECDSA's two numbers out of their DER, 32 bytes each (RFC 7518, 3.4).
    private static func rawSignature(_ der: Data) -> Data {
        var rest = Array(der)[2...]
        var raw = Data()
        for _ in 0..<2 {
            let length = Int(rest[rest.startIndex + 1])
            let number = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
            raw += Data(repeating: 0, count: 32 - number.count) + Data(number)
            rest = rest.dropFirst(2 + length)
        }
        return raw
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

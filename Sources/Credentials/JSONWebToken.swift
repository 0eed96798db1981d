import FoundationEssentials

/// Why bytes are not a JSON web token.
///
/// For the verifying side a stranger's token is data; this names what is wrong.
package enum JSONWebTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not header, claims and signature between two dots; how many parts there are.
    case parts(Int)
    /// A part that is no base64url.
    case encoding(part: String)
    /// A part that is no JSON object, or a field in it that is not what it must be.
    case content(part: String, reason: String)

    package var description: String {
        switch self {
        case .parts(let count): "a JSON web token has 3 parts, this has \(count)"
        case .encoding(let part): "the token's \(part) is not base64url"
        case .content(let part, let reason): "the token's \(part): \(reason)"
        }
    }
}

/// A JSON web token in compact form (RFC 7515 section 7.1, RFC 7519): parsed, not yet believed.
///
/// Lenient where real senders differ: `iat` and `exp` may be an integer, a fraction or a string, and further
/// headers and claims are ignored. Call `isSigned(by:)` before believing a claim.
package struct JSONWebToken: Sendable, Equatable {
    package struct Header: Sendable, Equatable, Decodable {
        package let alg: String
        package let kid: String?
        package let typ: String?
    }

    /// The claims that push services look at; nil where absent.
    package struct Claims: Sendable, Equatable, Decodable {
        package let iss: String?
        package let sub: String?
        package let scope: String?
        /// All audiences: the claim may be one string or an array.
        package let aud: [String]
        /// Seconds since 1970.
        package let iat: Double?
        package let exp: Double?
    }

    package let header: Header
    package let claims: Claims
    /// The decoded third part.
    package let signature: [UInt8]
    /// What the signature is for: the first two parts with their dot.
    package let signingInput: [UInt8]

    /// The longest token that is looked at; real ones have a few hundred characters.
    package static let longest = 16 * 1024

    package init(parsing text: some Collection<UInt8>) throws(JSONWebTokenError) {
        guard text.count <= Self.longest else {
            throw .content(part: "text", reason: "longer than \(Self.longest) characters")
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .parts(parts.count) }
        self.header = try Self.decode(parts[0], part: "header")
        self.claims = try Self.decode(parts[1], part: "claims")
        guard let signature = Base64URL.decode(parts[2]) else { throw .encoding(part: "signature") }
        self.signature = signature
        self.signingInput = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    /// Whether the signature is this key's, by the algorithm that both the header and the key name.
    ///
    /// The key decides: a token cannot choose another algorithm than the key's (RFC 8725 section 3.1).
    package func isSigned(by key: VerificationKey) -> Bool {
        header.alg == key.algorithm.rawValue && key.verify(signature, of: signingInput)
    }

    private static func decode<Part: Decodable>(
        _ text: some Collection<UInt8>,
        part: String
    ) throws(JSONWebTokenError) -> Part {
        guard let bytes = Base64URL.decode(text) else { throw .encoding(part: part) }
        do {
            return try JSONDecoder().decode(Part.self, from: Data(bytes))
        } catch {
            throw .content(part: part, reason: JSONFault(error).text)
        }
    }

    /// Encodes both parts and signs them.
    static func sign(
        header: [UInt8],
        claims: [UInt8],
        key: SigningKey,
        repeatably: Bool = false
    ) throws(CredentialError) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(Base64URL.encodedCount(header.count + claims.count + 256) + 4)
        Base64URL.append(header, to: &token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(claims, to: &token)
        let signature = try key.sign(token, repeatably: repeatably)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return token
    }
}

extension JSONWebToken.Claims {
    private enum Name: String, CodingKey {
        case iss
        case sub
        case scope
        case aud
        case iat
        case exp
    }

    package init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: Name.self)
        iss = try claims.decodeIfPresent(String.self, forKey: .iss)
        sub = try claims.decodeIfPresent(String.self, forKey: .sub)
        scope = try claims.decodeIfPresent(String.self, forKey: .scope)
        aud = try Self.audiences(claims)
        iat = try Self.seconds(claims, .iat)
        exp = try Self.seconds(claims, .exp)
    }

    private static func audiences(_ claims: KeyedDecodingContainer<Name>) throws -> [String] {
        if let one = try? claims.decodeIfPresent(String.self, forKey: .aud) { return [one] }
        return try claims.decodeIfPresent([String].self, forKey: .aud) ?? []
    }

    private static func seconds(_ claims: KeyedDecodingContainer<Name>, _ name: Name) throws -> Double? {
        guard claims.contains(name), try !claims.decodeNil(forKey: name) else { return nil }
        let text = try? claims.decode(String.self, forKey: name)
        let value = try text.map { Double($0) } ?? claims.decode(Double.self, forKey: name)
        // The bound keeps every later conversion to an integer safe.
        guard let value, value.magnitude < 1e12 else {
            throw DecodingError.dataCorruptedError(
                forKey: name,
                in: claims,
                debugDescription: "it is no time in seconds"
            )
        }
        return value
    }
}

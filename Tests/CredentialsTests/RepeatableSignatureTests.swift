import Foundation
import Testing

@testable import Credentials

@Suite struct RepeatableSignatureTests {
    /// The private key of RFC 6979 appendix A.2.5, on P-256.
    private static let number = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

    /// As PKCS#8 (RFC 5208) around RFC 5915, without the public half, which OpenSSL computes.
    private static func key() throws -> SigningKey {
        let der = try bytes(
            "3041020100301306072a8648ce3d020106082a8648ce3d030107" + "042730250201010420" + number
        )
        let pem = "-----BEGIN PRIVATE KEY-----\n\(Data(der).base64EncodedString())\n-----END PRIVATE KEY-----\n"
        return try Data(pem.utf8)
            .withUnsafeBytes { try SigningKey(pem: $0, algorithm: .es256, source: "RFC 6979") }
    }

    private static func bytes(_ hex: String) throws -> [UInt8] {
        try stride(from: 0, to: hex.count, by: 2)
            .map { try #require(UInt8(hex.dropFirst($0).prefix(2), radix: 16)) }
    }

    /// RFC 6979 appendix A.2.5, "With SHA-256".
    @Test(arguments: [
        (
            "sample", "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            "test", "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func vectors(message: String, r: String, s: String) throws {
        let signature = try Self.key().sign(Array(message.utf8), repeatably: true)
        #expect(hexadecimal(signature) == (r + s).lowercased())
    }

    /// The nonces of the same appendix.
    @Test(arguments: [
        ("sample", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60"),
        ("test", "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0"),
    ])
    func nonces(message: String, nonce: String) throws {
        let key = try Self.key().key
        let found = SHA256.digest(message.utf8)
            .withUnsafeBytes { digest -> [String] in
                guard let secret = BigNumber(privateOf: key), let number = BigNumber(digest),
                    var nonces = NonceSequence(key: secret, digest: number)
                else { return [] }
                // Where the first does not serve there is another.
                return (0..<2)
                    .map { _ in
                        var written = [UInt8](repeating: 0, count: NonceSequence.width)
                        guard let nonce = nonces.next(), written.withUnsafeMutableBytes({ nonce.write(into: $0) })
                        else {
                            return ""
                        }
                        return hexadecimal(written)
                    }
            }
        try #require(found.count == 2)
        #expect(found[0] == nonce.lowercased())
        #expect(found[1].count == 64 && found[1] != found[0])
    }

    @Test func othersAcceptThem() throws {
        let key = try SigningKey.generate(.es256)
        let publicKey = try key.publicKey
        for number in 0..<50 {
            let message = Array("message \(number)".utf8)
            let signature = try key.sign(message, repeatably: true)
            #expect(signature.count == 64)
            #expect(publicKey.verify(signature, of: message))
            #expect(try key.sign(message, repeatably: true) == signature)
            #expect(!publicKey.verify(signature, of: message + [0]))
        }
        #expect(try key.sign([1]) != key.sign([1]), "an ordinary signature has a nonce of chance")
    }

    @Test func ofRSAAllAre() throws {
        let key = try SigningKey.generate(.rs256)
        #expect(try key.sign([1, 2, 3], repeatably: true) == key.sign([1, 2, 3]))
    }
}

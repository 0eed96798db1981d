import Foundation
import Testing

@testable import Credentials

@Suite struct SignatureTests {
    private let message = Array("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNMTIzNDU2In0".utf8)

    @Test(arguments: JWTAlgorithm.allCases)
    func opensslAcceptsOurs(algorithm: JWTAlgorithm) throws {
        let scratch = try Scratch()
        let key = try SigningKey.generate(algorithm)
        let publicKey = try scratch.write(key.key.publicPEM, to: "public.pem")
        let text = try scratch.write(Data(message), to: "message")
        for _ in 0..<20 {
            let signature = try key.sign(message)
            #expect(signature.count == (algorithm == .es256 ? 64 : 256))
            let encoded = algorithm == .es256 ? try der(signature) : signature
            let file = try scratch.write(Data(encoded), to: "signature")
            let answer = try Judge.run("openssl", ["dgst", "-sha256", "-verify", publicKey, "-signature", file, text])
            #expect(answer.text == "Verified OK\n")
        }
    }

    @Test(arguments: JWTAlgorithm.allCases)
    func weAcceptOpenssls(algorithm: JWTAlgorithm) throws {
        let scratch = try Scratch()
        let options = algorithm == .es256 ? ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["RSA"]
        let pem = try Judge.run("openssl", ["genpkey", "-algorithm"] + options).output
        let file = try scratch.write(pem, to: "key.pem")
        let publicText = try Judge.openssl("pkey", "-pubout", input: pem)
        let key = try VerificationKey(pem: String(decoding: publicText, as: UTF8.self), algorithm: algorithm)
        for _ in 0..<20 {
            let encoded = try Judge.openssl("dgst", "-sha256", "-sign", file, input: Data(message))
            let signature = algorithm == .es256 ? try #require(raw(encoded)) : Array(encoded)
            #expect(key.verify(signature, of: message))
        }
    }

    @Test(arguments: JWTAlgorithm.allCases)
    func refusesAnythingElse(algorithm: JWTAlgorithm) throws {
        let (key, stranger) = (try SigningKey.generate(algorithm), try SigningKey.generate(algorithm))
        let publicKey = try key.publicKey
        let signature = try key.sign(message)
        #expect(publicKey.verify(signature, of: message))
        #expect(!publicKey.verify(signature, of: message + [0]))
        #expect(!publicKey.verify(try stranger.sign(message), of: message))
        for position in [0, 31, 32, 63] {
            var changed = signature
            changed[position] ^= 1
            #expect(!publicKey.verify(changed, of: message))
        }
        for count in [0, 1, 63] { #expect(!publicKey.verify(Array(signature.prefix(count)), of: message)) }
        #expect(!publicKey.verify(signature + [0], of: message))
        #expect(!publicKey.verify([UInt8](repeating: 0, count: signature.count), of: message))
        // A refusal must not spoil the prepared context.
        #expect(publicKey.verify(signature, of: message))
    }

    @Test func readsPublicKeysStrictly() throws {
        let key = try SigningKey.generate(.es256)
        let error = #expect(throws: CredentialError.self) {
            try VerificationKey(pem: key.key.publicPEM, algorithm: .rs256)
        }
        #expect(error?.fault == .wrongKeyType(found: "an EC key on prime256v1", needed: .rs256))
        #expect(throws: CredentialError.self) { try VerificationKey(pem: "no key", algorithm: .es256) }
    }

    /// DER and raw forms with leading zeros and high bits, from RFC 7518's rule and X.690 section 8.3.
    @Test(arguments: [
        ([1], [1], "3006020101020101"),
        ([0x80], [0x7f], "300702020080" + "02017f"),
        ([0x01, 0x00], [0xff, 0xff], "3009020201000203" + "00ffff"),
    ])
    func convertsBothWays(r: [UInt8], s: [UInt8], encoded: String) throws {
        let raw = [UInt8](repeating: 0, count: 32 - r.count) + r + [UInt8](repeating: 0, count: 32 - s.count) + s
        #expect(hexadecimal(try der(raw)) == encoded)
        #expect(self.raw(Data(try der(raw))) == raw)
    }

    @Test func refusesMalformedDER() {
        let good: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 1]
        var bad: [[UInt8]] = [[], [0x30], good + [0], Array(good.dropLast())]
        for position in [0, 1, 2, 3, 5, 6] {
            var changed = good
            changed[position] &+= 1
            bad.append(changed)
        }
        bad.append([0x30, 38, 2, 33, 1] + [UInt8](repeating: 0, count: 32) + [2, 1, 1])
        for encoded in bad { #expect(raw(Data(encoded)) == nil) }
    }

    @Test func threadsShareOneKey() async throws {
        let key = try SigningKey.generate(.es256)
        let publicKey = try key.publicKey
        let valid = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<50)
                        .count { number in
                            let message = Array("\(worker) \(number)".utf8)
                            return (try? key.sign(message)).map { publicKey.verify($0, of: message) } ?? false
                        }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(valid == 400)
    }

    private func der(_ raw: [UInt8]) throws -> [UInt8] {
        try #require(raw.withUnsafeBytes { ECDSASignature.der(raw: $0) })
    }

    private func raw(_ der: Data) -> [UInt8]? {
        var raw = [UInt8](repeating: 0xee, count: 64)
        let isRead = raw.withUnsafeMutableBytes { output in
            der.withUnsafeBytes { ECDSASignature.writeRaw(der: $0, into: output) }
        }
        return isRead ? raw : nil
    }
}

import Credentials

/// One ES256 signature of a message as long as a provider token's; `openssl speed ecdsap256` is its measure.
struct SignES256: Benchmark {
    static let name = "credentials/sign-es256"

    private let signing: Signing

    init() throws { signing = try Signing(.es256) }

    func run(_ count: Int) -> UInt64 { signing.run(count) }
}

/// What the signing benchmarks have in common.
struct Signing {
    private let key: SigningKey
    private let message = [UInt8](repeating: 0x61, count: 130)

    init(_ algorithm: JWTAlgorithm) throws { key = try SigningKey.generate(algorithm) }

    func run(_ count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<count {
            do {
                sum &+= UInt64(try key.sign(message)[0])
            } catch {
                preconditionFailure("a generated key does not sign: \(error)")
            }
        }
        return sum
    }
}

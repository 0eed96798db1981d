import Credentials

/// One RS256 signature with a key of 2,048 bits; `openssl speed rsa2048` is its measure.
struct SignRS256: Benchmark {
    static let name = "credentials/sign-rs256"

    private let signing: Signing

    init() throws { signing = try Signing(.rs256) }

    func run(_ count: Int) -> UInt64 { signing.run(count) }
}

import Credentials

/// One verification of an ES256 signature: what a faithful mock pays for a token that it has not seen.
struct VerifyES256: Benchmark {
    static let name = "credentials/verify-es256"

    private let key: VerificationKey
    private let message = [UInt8](repeating: 0x61, count: 130)
    private let signature: [UInt8]

    init() throws {
        let signing = try SigningKey.generate(.es256)
        key = try signing.publicKey
        signature = try signing.sign(message)
    }

    func run(_ count: Int) -> UInt64 {
        var valid: UInt64 = 0
        for _ in 0..<count { valid += key.verify(signature, of: message) ? 1 : 0 }
        precondition(valid == count, "a valid signature was refused")
        return valid
    }
}

/// How a token may be shown to people: its first eight characters and a hash.
///
/// Whole tokens address somebody's device, so they never appear in messages, logs or results. The hash (FNV-1a, 32
/// bits) tells apart tokens that start the same.
package struct TokenLabel: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ token: some Collection<UInt8>) {
        var hash: UInt32 = 0x811C_9DC5
        for byte in token { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        let start = token.prefix(8).map { (0x21...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
        description = String(start) + "...#" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}

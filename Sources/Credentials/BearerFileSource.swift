import Push
import Sending

/// Access tokens that somebody else renews in a file, as a workload identity's helper does.
package struct BearerFileSource: TokenSource {
    private static let longestToken = 16 * 1024
    /// How long a token is used before the file is read again: whoever writes it keeps it ahead of that.
    private static let lifetime: Int64 = 300 * 1_000_000_000

    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var name: String { "bearer file" }
    package var fingerprint: String { hexadecimal(SHA256.digest(path.utf8)) }

    package func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
        let start = clock.monotonic()
        let token: [UInt8]
        do {
            token = try SecretBytes.read(file: path)
                .withBytes { (bytes) throws(CredentialError) in
                    try Self.token(in: bytes, path: path)
                }
        } catch {
            throw .signing(error)
        }
        return MadeToken(
            bytes: token,
            issuedAt: start,
            lifetime: Self.lifetime,
            signingTime: clock.monotonic() - start
        )
    }

    /// The file's text without white space around it.
    private static func token(in bytes: UnsafeRawBufferPointer, path: String) throws(CredentialError) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let text = bytes.drop(while: isBlank)
        let token = Array(text.prefix { !isBlank($0) })
        let isWhole = text.dropFirst(token.count).allSatisfy(isBlank)
        guard !token.isEmpty, token.count <= longestToken, isWhole, token.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw CredentialError(
                file: path,
                fault: .badField(
                    "the token",
                    found: "\(bytes.count) bytes of another kind",
                    allowed: "one word of ASCII"
                )
            )
        }
        return token
    }
}

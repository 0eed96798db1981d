import COpenSSL

/// The nonces of RFC 6979 section 3.2 for one key and one message, where curve order and hash both have 256 bits.
struct NonceSequence: ~Copyable {
    static let width = 32

    /// What is hashed stands in one piece: V, a byte that separates, the key, the digest.
    private static let separator = width
    private static let keyStart = width + 1
    private static let digestStart = keyStart + width
    private static let end = digestStart + width

    /// All of that, then K, then room for a hash.
    private var memory: SecretBytes
    private var isFresh = true

    /// - Parameters:
    ///   - key: the private number.
    ///   - digest: of the message, modulo the order.
    init?(key: borrowing BigNumber, digest: borrowing BigNumber) {
        memory = SecretBytes(capacity: Self.end + 2 * Self.width)
        for _ in 0..<(Self.end + 2 * Self.width) { memory.append(0) }
        let isWritten = memory.withMutableBytes { bytes in
            for index in 0..<Self.width { bytes[index] = 1 }
            return key.write(into: .init(rebasing: bytes[Self.keyStart..<Self.digestStart]))
                && digest.write(into: .init(rebasing: bytes[Self.digestStart..<Self.end]))
        }
        guard isWritten else { return nil }
        for separator in [UInt8(0), 1] {
            guard renewKey(separator, upTo: Self.end), renewValue() else { return nil }
        }
    }

    /// The next candidate, which may be zero or beyond the order; nil when OpenSSL refuses.
    mutating func next() -> BigNumber? {
        if !isFresh { guard renewKey(0, upTo: Self.keyStart), renewValue() else { return nil } }
        isFresh = false
        guard renewValue() else { return nil }
        return memory.withMutableBytes { BigNumber(UnsafeRawBufferPointer(rebasing: $0[..<Self.width])) }
    }

    /// K = HMAC(K, V, separator and what follows it).
    private mutating func renewKey(_ separator: UInt8, upTo end: Int) -> Bool {
        memory.withMutableBytes { bytes in
            bytes[Self.separator] = separator
            return Self.authenticate(bytes, upTo: end, into: Self.end)
        }
    }

    /// V = HMAC(K, V).
    private mutating func renewValue() -> Bool {
        memory.withMutableBytes { Self.authenticate($0, upTo: Self.width, into: 0) }
    }

    private static func authenticate(_ bytes: UnsafeMutableRawBufferPointer, upTo end: Int, into place: Int) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        let output = start + Self.end + width
        var count: UInt32 = 0
        guard HMAC(EVP_sha256(), start + Self.end, Int32(width), start, end, output, &count) != nil else {
            return false
        }
        (start + place).update(from: output, count: width)
        return true
    }
}

/// Remembers the standing of provider tokens, by their bytes, in memory taken once.
///
/// Checking a signature costs thousands of times as much as comparing 200 bytes, and a sender sends one token with
/// many pushes. The cache is set-associative: a token can lie in one of four places, and a new one takes the place
/// that was filled longest ago. So a sender that signs for every push fills its own places in turn and costs its own
/// checks, and memory never grows. Tokens longer than `longest` are not kept.
package struct TokenCache: Sendable {
    private struct Entry: Sendable {
        var hash: UInt64
        var standing: ProviderTokenStanding
    }

    private static let ways = 4

    /// The longest token that is kept; provider tokens have about 200 bytes.
    private let longest: Int
    private let sets: Int
    private var entries: [Entry?]
    /// The bytes of the entry at index i start at `i * longest`; their count is in `lengths`.
    private var bytes: [UInt8]
    private var lengths: [Int]
    /// For each set, which of its places is filled next.
    private var next: [UInt8]

    /// A cache of `capacity` tokens, rounded up to a power of two.
    package init(capacity: Int, longest: Int = 512) {
        var sets = 1
        while sets * Self.ways < capacity { sets *= 2 }
        self.sets = sets
        self.longest = longest
        entries = Array(repeating: nil, count: sets * Self.ways)
        bytes = Array(repeating: 0, count: sets * Self.ways * longest)
        lengths = Array(repeating: 0, count: sets * Self.ways)
        next = Array(repeating: 0, count: sets)
    }

    /// The place of a token; nil if it is not here.
    ///
    /// `hint` is a place where the token may well be, such as that of the same sender's last one.
    package func find(_ token: UnsafeRawBufferPointer, hint: Int) -> Int? {
        if matches(token, at: hint) { return hint }
        let hash = token.hash64
        let first = set(of: hash) * Self.ways
        for index in first..<first + Self.ways where entries[index]?.hash == hash && matches(token, at: index) {
            return index
        }
        return nil
    }

    /// What is known of the token at a place that `find` or `insert` gave.
    package subscript(place: Int) -> ProviderTokenStanding? { entries[place]?.standing }

    /// Keeps a standing and returns its place; nil for a token that is too long.
    package mutating func insert(_ token: UnsafeRawBufferPointer, _ standing: ProviderTokenStanding) -> Int? {
        guard token.count <= longest else { return nil }
        let hash = token.hash64
        let set = set(of: hash)
        let place = set * Self.ways + Int(next[set])
        next[set] = (next[set] + 1) % UInt8(Self.ways)
        entries[place] = Entry(hash: hash, standing: standing)
        lengths[place] = token.count
        bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[place * longest..<place * longest + token.count])
                .copyMemory(from: token)
        }
        return place
    }

    private func set(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (sets - 1) }

    @inline(__always)
    private func matches(_ token: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard lengths[place] == token.count, token.count > 0 else { return false }
        return bytes.withUnsafeBytes { bytes in
            bytes.part(place * longest, place * longest + token.count).equals(token)
        }
    }
}

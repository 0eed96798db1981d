/// Which pushes were accepted before: a fixed number of fingerprints, in memory that is taken once.
///
/// Open addressing. Two pushes with the same 64 bits are taken for one, which among a million happens once in 30
/// million runs. When the table is full, what is new is not kept, and `unkept` tells how much that was.
struct FingerprintTable: ~Copyable {
    /// Where and how a push was accepted.
    struct Place: Equatable, BitwiseCopyable {
        /// The connection's number.
        var connection: UInt32
        var stream: Int32
        /// Whether the sender was kept from knowing.
        var isHidden: Bool
    }

    private struct Entry: BitwiseCopyable {
        /// 0 for a free entry.
        var fingerprint: UInt64
        var connection: UInt32
        /// The stream, and in the top bit whether the answer was hidden.
        var stream: UInt32
    }

    private static let hiddenBit: UInt32 = 1 << 31

    private let capacity: Int
    private var entries: UnsafeMutablePointer<Entry>?
    private var count = 0
    private(set) var unkept: UInt64 = 0
    /// What `fetch` has looked at, so that it does look.
    private var fetched: UInt64 = 0

    /// - Parameter capacity: a power of two; 16 bytes each, taken with the first push.
    init(capacity: Int) {
        precondition(capacity > 1 && capacity & (capacity - 1) == 0, "a table of \(capacity) fingerprints")
        self.capacity = capacity
    }

    deinit { entries?.deallocate() }

    /// Brings the places of two fingerprints into the cache.
    ///
    /// Nothing waits for what is read here, so that the next call's places are on their way at the same time.
    @inline(__always)
    mutating func fetch(_ first: UInt64, _ second: UInt64) {
        let entries = memory()
        fetched ^= entries[Int(truncatingIfNeeded: first) & (capacity - 1)].fingerprint
        fetched ^= entries[Int(truncatingIfNeeded: second) & (capacity - 1)].fingerprint
    }

    /// Keeps a push; returns where the same one was accepted before, and leaves that as it is.
    mutating func insert(_ fingerprint: UInt64, at place: Place) -> Place? {
        let entries = memory()
        let fingerprint = max(1, fingerprint)
        var index = Int(truncatingIfNeeded: fingerprint) & (capacity - 1)
        while entries[index].fingerprint != 0 {
            let entry = entries[index]
            if entry.fingerprint == fingerprint {
                return Place(
                    connection: entry.connection,
                    stream: Int32(bitPattern: entry.stream & ~Self.hiddenBit),
                    isHidden: entry.stream & Self.hiddenBit != 0
                )
            }
            index = (index + 1) & (capacity - 1)
        }
        guard count < capacity / 8 * 7 else {
            unkept &+= 1
            return nil
        }
        count += 1
        let stream = UInt32(bitPattern: place.stream) | (place.isHidden ? Self.hiddenBit : 0)
        entries[index] = Entry(fingerprint: fingerprint, connection: place.connection, stream: stream)
        return nil
    }

    private mutating func memory() -> UnsafeMutablePointer<Entry> {
        if let entries { return entries }
        let made = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        made.initialize(repeating: Entry(fingerprint: 0, connection: 0, stream: 0), count: capacity)
        entries = made
        return made
    }
}

/// Which pushes were refused lately, and until when they are not to be sent again.
///
/// A fixed number of places, one for each fingerprint that falls on it: what is newer takes the place of what is older,
/// so a sender may get away with something, but is never blamed for what it did not do.
struct RefusalTable: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var fingerprint: UInt64
        /// Nanoseconds since the mock's start; `Int64.max` for never again.
        var notBefore: Int64
    }

    private static let capacity = 1 << 15
    private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: RefusalTable.capacity)

    /// What `fetch` has looked at, so that it does look.
    private var fetched: UInt64 = 0

    init() {
        entries.initialize(repeating: Entry(fingerprint: 0, notBefore: 0), count: Self.capacity)
    }

    deinit { entries.deallocate() }

    mutating func keep(_ fingerprint: UInt64, notBefore: Int64) {
        entries[Self.place(of: fingerprint)] = Entry(fingerprint: fingerprint, notBefore: notBefore)
    }

    /// Brings a fingerprint's place into the cache.
    @inline(__always)
    mutating func fetch(_ fingerprint: UInt64) { fetched ^= entries[Self.place(of: fingerprint)].fingerprint }

    /// Until when the push is not to be sent again; nil if it may be.
    func notBefore(_ fingerprint: UInt64) -> Int64? {
        let entry = entries[Self.place(of: fingerprint)]
        return entry.fingerprint == fingerprint && entry.notBefore > 0 ? entry.notBefore : nil
    }

    private static func place(of fingerprint: UInt64) -> Int {
        Int(truncatingIfNeeded: fingerprint >> 20) & (capacity - 1)
    }
}

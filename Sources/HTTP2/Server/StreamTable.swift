/// The streams of a server session at stable addresses, each reused for streams that follow.
///
/// Memory is reserved for the largest number but touched only as far as streams are open at one time.
struct StreamTable: ~Copyable {
    private let base: UnsafeMutablePointer<ServerStream>
    private let capacity: Int
    private let places: Int
    /// How many entries have ever been in use.
    private var used = 0
    /// Entries that are free again; the one freed last is taken first, while its memory is in the cache.
    private let free: UnsafeMutablePointer<UInt32>
    private var freeCount = 0

    init(capacity: Int, places: Int) {
        self.capacity = capacity
        self.places = places
        base = .allocate(capacity: capacity)
        free = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<used { base[index].freeBuffers() }
        base.deallocate()
        free.deallocate()
    }

    /// An entry that no stream uses, or nil when all do.
    mutating func take() -> UnsafeMutablePointer<ServerStream>? {
        if freeCount > 0 {
            freeCount -= 1
            return base + Int(free[freeCount])
        }
        if used == capacity { return nil }
        let entry = base + used
        entry.initialize(to: ServerStream(index: UInt32(used), places: places))
        used += 1
        return entry
    }

    mutating func release(_ handle: StreamHandle) {
        base[Int(handle.index)].stream = 0
        (free + freeCount).initialize(to: handle.index)
        freeCount += 1
    }

    /// The entry of a stream that has not been released, or nil.
    func find(_ handle: StreamHandle) -> UnsafeMutablePointer<ServerStream>? {
        guard handle.index < used, base[Int(handle.index)].stream == handle.stream else { return nil }
        return base + Int(handle.index)
    }
}

/// The streams of a server session at stable addresses, each reused for streams that follow, and the way from an
/// identifier to its stream.
///
/// Memory grows with the number of streams that are open at one time. Streams are found by the low bits of their
/// identifiers, which rise by two: so clients that use them in order never collide.
struct StreamTable: ~Copyable {
    private static let chunkSize = 16

    private let capacity: Int
    private let places: Int
    private var chunks: [UnsafeMutablePointer<ServerStream>] = []
    /// How many entries have ever been in use.
    private(set) var used = 0
    /// Entries that are free again; the one freed last is taken first, while its memory is in the cache.
    private var free: [UInt32] = []

    /// An open-addressed table of streams and their entries, at most half full; a stream of 0 is an empty place.
    private var map: UnsafeMutablePointer<(stream: UInt32, index: UInt32)>
    private var mask = 15
    private var mapped = 0

    init(capacity: Int, places: Int) {
        self.capacity = capacity
        self.places = places
        map = .allocate(capacity: 16)
        map.initialize(repeating: (0, 0), count: 16)
    }

    deinit {
        for index in 0..<used { self[UInt32(index)].pointee.freeBuffers() }
        for chunk in chunks { chunk.deallocate() }
        map.deallocate()
    }

    @inline(__always)
    subscript(index: UInt32) -> UnsafeMutablePointer<ServerStream> {
        chunks[Int(index) / Self.chunkSize] + Int(index) % Self.chunkSize
    }

    // MARK: Entries

    /// An entry that no stream uses, or nil when all do.
    mutating func take() -> UnsafeMutablePointer<ServerStream>? {
        if let index = free.popLast() { return self[index] }
        if used == capacity { return nil }
        if used == chunks.count * Self.chunkSize { chunks.append(.allocate(capacity: Self.chunkSize)) }
        let entry = self[UInt32(used)]
        entry.initialize(to: ServerStream(index: UInt32(used), places: places))
        used += 1
        return entry
    }

    mutating func release(_ handle: StreamHandle) {
        let entry = self[handle.index]
        entry.pointee.stream = 0
        entry.pointee.phase = .free
        free.append(handle.index)
    }

    /// The entry of a stream that has not been released, or nil.
    @inline(__always)
    func find(_ handle: StreamHandle) -> UnsafeMutablePointer<ServerStream>? {
        guard handle.index < used else { return nil }
        let entry = self[handle.index]
        return entry.pointee.stream == UInt32(bitPattern: handle.stream) && handle.stream != 0 ? entry : nil
    }

    // MARK: Identifiers

    /// The entry of an open stream, or nil.
    @inline(__always)
    func find(_ stream: UInt32) -> UnsafeMutablePointer<ServerStream>? {
        var place = Int(stream >> 1) & mask
        while map[place].stream != 0 {
            if map[place].stream == stream { return self[map[place].index] }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Makes a stream known by its identifier.
    @inline(__always)
    mutating func open(_ stream: UInt32, _ entry: UnsafeMutablePointer<ServerStream>) {
        if 2 * mapped > mask { growMap() }
        insert(stream, entry.pointee.index)
        mapped += 1
    }

    @inline(__always)
    private func insert(_ stream: UInt32, _ index: UInt32) {
        var place = Int(stream >> 1) & mask
        while map[place].stream != 0 { place = (place + 1) & mask }
        map[place] = (stream, index)
    }

    /// Forgets an identifier, and moves up what had to give way to it.
    mutating func close(_ stream: UInt32) {
        var place = Int(stream >> 1) & mask
        while map[place].stream != stream { place = (place + 1) & mask }
        mapped -= 1
        var next = (place + 1) & mask
        while map[next].stream != 0 {
            let home = Int(map[next].stream >> 1) & mask
            if (next - home) & mask >= (next - place) & mask {
                map[place] = map[next]
                place = next
            }
            next = (next + 1) & mask
        }
        map[place] = (0, 0)
    }

    private mutating func growMap() {
        let old = map
        let count = mask + 1
        map = .allocate(capacity: 2 * count)
        map.initialize(repeating: (0, 0), count: 2 * count)
        mask = 2 * count - 1
        for place in 0..<count where old[place].stream != 0 { insert(old[place].stream, old[place].index) }
        old.deallocate()
    }
}

/// The dynamic table of a decoder (RFC 7541, sections 2.3.2 and 4).
///
/// Names and values lie one after another in one piece of memory, the oldest first. What evicted entries leave in front
/// is taken back when it is as much as what lives, so that the memory never holds more than twice the table and 512
/// bytes. It grows with what the peer puts in; nothing is allocated for entries that replace others.
struct DecoderTable: ~Copyable {
    /// The RFC's initial size.
    static let initialMaximum = 4096

    struct Entry: BitwiseCopyable {
        /// Where the name begins, counted from the first byte that was ever put in, modulo 2^32.
        fileprivate var position: UInt32
        var nameCount: Int32
        var valueCount: Int32
        /// The lowest entry of the static table that the name was taken from by index, or 0.
        var staticName: UInt8
        var kind: UInt8
        var isSound: Bool
        /// Of the name alone.
        var isNameSound: Bool
    }

    private var bytes = GrowingBuffer()
    /// The position of the first byte in `bytes`.
    private var origin: UInt32 = 0
    /// A ring; its capacity is a power of two, or 0.
    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = -1
    /// The number of insertions; the newest entry lies before it.
    private var insertions = 0
    private(set) var count = 0
    /// Counts up whenever an index may mean something else.
    private(set) var changes = 0
    /// By RFC 7541, section 4.1.
    private(set) var used = 0
    private(set) var maximum = DecoderTable.initialMaximum

    deinit {
        bytes.free()
        entries?.deallocate()
    }

    /// The entry that came in so many insertions ago, 0 for the newest, or nil.
    @inline(__always)
    func entry(_ age: Int) -> Entry? {
        guard age < count, age >= 0, let entries else { return nil }
        return entries[(insertions &- 1 &- age) & mask]
    }

    @inline(__always)
    func name(of entry: Entry) -> UnsafeRawBufferPointer {
        bytes.bytes(from: Int(entry.position &- origin), count: Int(entry.nameCount))
    }

    @inline(__always)
    func value(of entry: Entry) -> UnsafeRawBufferPointer {
        bytes.bytes(from: Int(entry.position &- origin) &+ Int(entry.nameCount), count: Int(entry.valueCount))
    }

    /// Makes room for a field of so many bytes, so that nothing moves when it is inserted.
    mutating func reserve(_ size: Int) {
        if size &+ 32 > maximum { return }
        let live = used &- 32 &* count
        let dead = bytes.count &- live
        if dead > live &+ 512 {
            bytes.removeFirst(dead)
            origin &+= UInt32(truncatingIfNeeded: dead)
        }
        bytes.reserve(bytes.count &+ size)
        // A full table of entries that could not be smaller loses one first.
        if count > mask && 32 &* count < maximum { growRing() }
    }

    /// Puts in a field for which room was made; what it needs the place of goes, and all if it is too large itself.
    ///
    /// - Parameter field: Its name may lie in the table.
    mutating func insert(_ field: DecodedField, staticName: UInt8, isNameSound: Bool) {
        let size = field.size
        changes &+= 1
        evict(to: max(0, maximum &- size))
        guard size <= maximum, let entries else { return }
        let position = origin &+ UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(field.name)
        bytes.append(field.value)
        (entries + (insertions & mask))
            .initialize(
                to: Entry(
                    position: position,
                    nameCount: Int32(field.name.count),
                    valueCount: Int32(field.value.count),
                    staticName: staticName,
                    kind: field.kind,
                    isSound: field.isSound,
                    isNameSound: isNameSound
                )
            )
        insertions &+= 1
        count += 1
        used += size
    }

    /// Sets another maximum size.
    mutating func limit(to size: Int) {
        maximum = size
        changes &+= 1
        evict(to: size)
    }

    private mutating func evict(to size: Int) {
        while used > size, let oldest = entry(count &- 1) {
            used &-= Int(oldest.nameCount) &+ Int(oldest.valueCount) &+ 32
            count -= 1
        }
    }

    private mutating func growRing() {
        let capacity = max(16, 2 * (mask + 1))
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        if let entries {
            for age in 0..<count {
                let number = insertions &- 1 &- age
                (larger + (number & (capacity - 1))).initialize(to: entries[number & mask])
            }
            entries.deallocate()
        }
        entries = larger
        mask = capacity - 1
    }
}

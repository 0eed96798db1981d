/// Decodes header blocks (RFC 7541); one per direction of a connection.
///
/// Nothing is allocated per block: strings are handed over where they lie in the block or in a table, or are decoded
/// into memory that stays. After an error the compression context is lost and the connection with it (RFC 9113,
/// section 4.3).
struct HeaderDecoder: ~Copyable {
    /// A string may have so many bytes as it is sent; nghttp2's bound.
    static let maximumString = 65_536
    /// So much memory for Huffman-coded strings is kept from one block to the next.
    private static let keptScratch = 16_384

    private var table = DecoderTable()
    /// Strings of one field that were Huffman-coded.
    private var scratch = GrowingBuffer()
    private var remembered = RememberedName()
    private let huffman = HuffmanDecoder.shared
    private let statics = StaticTable.entries
    /// What SETTINGS_HEADER_TABLE_SIZE allows the peer.
    private var allowed = DecoderTable.initialMaximum
    /// The next block must begin by lowering the table to at most this.
    private var owedSize: Int?

    deinit {
        scratch.free()
        remembered.free()
    }

    /// Applies a change of our SETTINGS_HEADER_TABLE_SIZE, which the peer has acknowledged.
    ///
    /// A smaller table must be confirmed at the beginning of the next block (RFC 7541, section 4.2).
    mutating func limitTable(to size: Int) {
        allowed = size
        guard table.maximum > size else { return }
        owedSize = min(owedSize ?? size, size)
        table.limit(to: size)
    }

    /// Decodes a whole block.
    ///
    /// - Parameters:
    ///   - block: Not empty, unless the header is.
    ///   - limit: Fields beyond this size of the whole list are not handed over (RFC 9113, section 6.5.2).
    ///   - sink: Gets the fields.
    /// - Returns: The size of the list.
    /// - Throws: A compression error; what was handed over before must not be used.
    mutating func decode(
        _ block: UnsafeRawBufferPointer,
        limit: Int,
        into sink: inout some HeaderSink
    ) throws(Violation) -> Int {
        scratch.reserve(HuffmanDecoder.bound(block.count))
        defer { scratch.shrink(above: Self.keptScratch) }
        var rest = BlockReader(block)
        try takeUpdates(&rest)
        var size = 0
        while let byte = rest.peek() {
            if byte & 0x80 != 0 {
                let field = try indexed(rest.integer(prefix: 7), sink)
                size &+= field.size
                if size <= limit { sink.take(field) }
            } else if byte & 0x60 == 0x20 {
                throw Violation(.compressionError, "table size update behind a field")
            } else {
                size &+= try takeLiteral(byte, &rest, room: limit &- size, &sink)
            }
        }
        return size
    }

    /// Changes with everything that makes a block mean something else; -1 while a size update is owed.
    @inline(__always)
    var epoch: Int { owedSize == nil ? table.changes : -1 }

    /// Where the literals lie in a block that has been decoded, and has left the table as it is; nil for a block that has
    /// changed it, and for one with too many.
    mutating func literals(
        of block: UnsafeRawBufferPointer,
        _ sink: borrowing some HeaderSink,
        into literals: UnsafeMutablePointer<Literal>
    ) -> Int? {
        scratch.reserve(HuffmanDecoder.bound(block.count))
        var rest = BlockReader(block)
        var count = 0
        do throws(Violation) {
            while let byte = rest.peek() {
                if byte & 0x80 != 0 {
                    _ = try rest.integer(prefix: 7)
                    continue
                }
                guard byte & 0x60 == 0, count < Literal.most else { return nil }
                let index = try rest.integer(prefix: 4)
                scratch.count = 0
                let name = index == 0 ? try literalName(&rest, sink) : try indexedName(index, sink)
                let start = block.count - rest.left
                let (value, isCoded) = try rest.string()
                literals[count] = Literal(
                    start: Int32(start),
                    end: Int32(block.count - rest.left),
                    count: Int32(value.count),
                    kind: name.kind,
                    isCoded: isCoded
                )
                count += 1
            }
        } catch {
            return nil
        }
        return count
    }

    // MARK: Representations

    /// Section 6.3 and 4.2.
    private mutating func takeUpdates(_ rest: inout BlockReader) throws(Violation) {
        while let byte = rest.peek(), byte & 0xe0 == 0x20 {
            let size = try rest.integer(prefix: 5)
            if size > min(allowed, owedSize ?? allowed) {
                throw Violation(.compressionError, "table size update above what is allowed")
            }
            owedSize = nil
            table.limit(to: size)
        }
        if owedSize != nil { throw Violation(.compressionError, "table size update is missing") }
    }

    /// Section 6.1.
    @inline(__always)
    private func indexed(_ index: Int, _ sink: borrowing some HeaderSink) throws(Violation) -> DecodedField {
        if index <= StaticTable.count {
            if index == 0 { throw Self.unknownIndex }
            let entry = statics[index]
            return DecodedField(
                name: entry.name,
                value: entry.value,
                source: .staticTable,
                staticIndex: UInt8(truncatingIfNeeded: index),
                kind: sink.kind(ofName: entry.name, staticIndex: entry.lowest),
                isSound: true
            )
        }
        guard let entry = table.entry(index &- StaticTable.count &- 1) else { throw Self.unknownIndex }
        return DecodedField(
            name: table.name(of: entry),
            value: table.value(of: entry),
            source: .dynamicTable,
            staticIndex: 0,
            kind: entry.kind,
            isSound: entry.isSound
        )
    }

    /// A literal's name, from wherever it came.
    private struct Name {
        var bytes: UnsafeRawBufferPointer
        var staticName: UInt8
        var kind: UInt8
        var isSound: Bool
        /// How long ago its entry of the dynamic table came in; -1 when it does not lie there.
        var age = -1
    }

    /// Section 6.2.
    ///
    /// - Returns: The field's size.
    @inline(__always)
    private mutating func takeLiteral(
        _ type: UInt8,
        _ rest: inout BlockReader,
        room: Int,
        _ sink: inout some HeaderSink
    ) throws(Violation) -> Int {
        let isAdded = type & 0x40 != 0
        let index = try rest.integer(prefix: isAdded ? 6 : 4)
        scratch.count = 0
        let name = index == 0 ? try literalName(&rest, sink) : try indexedName(index, sink)
        let value = try string(&rest)
        var field = DecodedField(
            name: name.bytes,
            value: value,
            source: isAdded ? .added : type & 0x10 != 0 ? .neverIndexed : .literal,
            staticIndex: 0,
            kind: name.kind,
            isSound: name.isSound && FieldSyntax.isSoundValue(value)
        )
        if isAdded {
            table.reserve(name.bytes.count &+ value.count)
            if let entry = table.entry(name.age) { field.name = table.name(of: entry) }
        }
        if field.size <= room { sink.take(field) }
        if isAdded { table.insert(field, staticName: name.staticName, isNameSound: name.isSound) }
        return field.size
    }

    /// A name in full; the one that came last is remembered as it was sent, since names repeat.
    @inline(__always)
    private mutating func literalName(
        _ rest: inout BlockReader,
        _ sink: borrowing some HeaderSink
    ) throws(Violation) -> Name {
        let (sent, isCoded) = try rest.string()
        if isCoded, remembered.isSame(sent) {
            return Name(bytes: remembered.name, staticName: 0, kind: remembered.kind, isSound: remembered.isSound)
        }
        let bytes = isCoded ? try decodeHuffman(sent) : sent
        let name = Name(
            bytes: bytes,
            staticName: 0,
            kind: sink.kind(ofName: bytes, staticIndex: 0),
            isSound: FieldSyntax.isSoundName(bytes)
        )
        if isCoded { remembered.keep(sent, name: bytes, kind: name.kind, isSound: name.isSound) }
        return name
    }

    @inline(__always)
    private func indexedName(_ index: Int, _ sink: borrowing some HeaderSink) throws(Violation) -> Name {
        if index <= StaticTable.count {
            let entry = statics[index]
            let kind = sink.kind(ofName: entry.name, staticIndex: entry.lowest)
            return Name(bytes: entry.name, staticName: entry.lowest, kind: kind, isSound: true)
        }
        let age = index &- StaticTable.count &- 1
        guard let entry = table.entry(age) else { throw Self.unknownIndex }
        return Name(
            bytes: table.name(of: entry),
            staticName: entry.staticName,
            kind: entry.kind,
            isSound: entry.isNameSound,
            age: age
        )
    }

    /// Section 5.2.
    @inline(__always)
    private mutating func string(_ rest: inout BlockReader) throws(Violation) -> UnsafeRawBufferPointer {
        let (bytes, isCoded) = try rest.string()
        return isCoded ? try decodeHuffman(bytes) : bytes
    }

    private mutating func decodeHuffman(_ coded: UnsafeRawBufferPointer) throws(Violation) -> UnsafeRawBufferPointer {
        // The room for a whole block was made at its beginning: what was decoded before does not move.
        let memory = scratch.room(for: HuffmanDecoder.bound(coded.count))
        guard let count = huffman.decode(coded, to: memory.assumingMemoryBound(to: UInt8.self)) else {
            throw Violation(.compressionError, "string that is not Huffman-coded as it says")
        }
        scratch.count += count
        return UnsafeRawBufferPointer(start: memory, count: count)
    }

    private static var unknownIndex: Violation { Violation(.compressionError, "index of no entry") }
}

/// The literal name that was decoded last, as it was sent and as it is.
private struct RememberedName: BitwiseCopyable {
    private static let longest = 64

    private var bytes = GrowingBuffer()
    private var sentCount = 0
    private(set) var kind: UInt8 = 0
    private(set) var isSound = false

    @inline(__always)
    func isSame(_ sent: UnsafeRawBufferPointer) -> Bool {
        sentCount > 0 && sent.count == sentCount && sent.equals(bytes.bytes(from: 0, count: sentCount))
    }

    @inline(__always)
    var name: UnsafeRawBufferPointer { bytes.bytes(from: sentCount, count: bytes.count &- sentCount) }

    mutating func keep(_ sent: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, kind: UInt8, isSound: Bool) {
        if sent.count > Self.longest { return }
        bytes.count = 0
        bytes.append(sent)
        bytes.append(name)
        sentCount = sent.count
        self.kind = kind
        self.isSound = isSound
    }

    func free() {
        bytes.free()
    }
}

/// What is left of a header block.
private struct BlockReader {
    private var next: UnsafeRawPointer?
    private(set) var left: Int

    static var endsEarly: Violation { Violation(.compressionError, "header block ends early") }

    init(_ block: UnsafeRawBufferPointer) {
        next = block.baseAddress
        left = block.count
    }

    @inline(__always)
    func peek() -> UInt8? {
        guard left > 0, let next else { return nil }
        return next.load(as: UInt8.self)
    }

    @inline(__always)
    private mutating func byte() throws(Violation) -> Int {
        guard let byte = peek(), let place = next else { throw Self.endsEarly }
        next = place + 1
        left &-= 1
        return Int(byte)
    }

    /// An integer with a prefix of so many bits (RFC 7541, section 5.1), below 2^32 and in at most six bytes.
    @inline(__always)
    mutating func integer(prefix bits: Int) throws(Violation) -> Int {
        let limit = 1 << bits &- 1
        let first = try byte() & limit
        return first < limit ? first : try longInteger(from: limit)
    }

    private mutating func longInteger(from start: Int) throws(Violation) -> Int {
        var value = start
        for shift in stride(from: 0, to: 32, by: 7) {
            let byte = try byte()
            value += (byte & 0x7f) << shift
            if value > UInt32.max { break }
            if byte & 0x80 == 0 { return value }
        }
        throw Violation(.compressionError, "integer that is too large")
    }

    /// A string as it was sent (RFC 7541, section 5.2), and whether it is Huffman-coded.
    @inline(__always)
    mutating func string() throws(Violation) -> (bytes: UnsafeRawBufferPointer, isCoded: Bool) {
        guard let byte = peek() else { throw Self.endsEarly }
        let count = try integer(prefix: 7)
        if count > HeaderDecoder.maximumString { throw Violation(.compressionError, "string that is too long") }
        return (try take(count), byte & 0x80 != 0)
    }

    @inline(__always)
    private mutating func take(_ count: Int) throws(Violation) -> UnsafeRawBufferPointer {
        guard count <= left, let start = next else { throw Self.endsEarly }
        next = start + count
        left &-= count
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}

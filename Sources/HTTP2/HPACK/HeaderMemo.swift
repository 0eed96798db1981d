internal import Glibc

/// A request's header block that came before, taken apart, so that one like it need not be decoded.
///
/// A sender's requests are alike but for a few values: the path, an identifier, a length. Where the bytes around those
/// values are the same, and the table has not changed, all else comes to the same result, which is copied. Learned only
/// from blocks that are whole, well formed, without repeated fields, and leave the table as it is.
struct HeaderMemo: BitwiseCopyable {
    /// A value that varies, as a literal that is not Huffman-coded.
    struct Gap: BitwiseCopyable {
        /// The constant bytes in front of it end here, and those behind it begin here, in the block that was learned.
        var end: Int32
        var next: Int32
        /// What the sink calls its name.
        var kind: UInt8
    }

    static let mostGaps = 6

    /// Tells what was learned apart from anything else that the session has learned; 0 for nothing.
    private(set) var number: UInt32 = 0
    /// The decoder's epoch for which it holds.
    private var epoch = -1
    private var block = GrowingBuffer()
    private let gaps = UnsafeMutablePointer<Gap>.allocate(capacity: HeaderMemo.mostGaps)
    private var gapCount = 0
    /// The literals of the block, and a bit for each whose value was seen to vary.
    private let literals = UnsafeMutablePointer<Literal>.allocate(capacity: Literal.most)
    private var literalCount = 0
    private var changing: UInt32 = 0
    /// The values that vary of the block that is being taken in.
    private let found = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(capacity: HeaderMemo.mostGaps)
    /// Constant values one after another, and where each lies, by place.
    private var image = GrowingBuffer()
    private let spans: UnsafeMutablePointer<ValueSpan>
    private let places: Int
    private var present: UInt32 = 0
    private var indexed: UInt32 = 0
    private var neverIndexed: UInt32 = 0
    /// The places of values that vary.
    private var varying: UInt32 = 0
    /// The list's size without the values that vary.
    private var constantSize = 0
    /// What content-length says, or -1.
    private var contentLength: Int64 = -1

    init(places: Int) {
        self.places = places
        spans = .allocate(capacity: places)
        spans.initialize(repeating: ValueSpan(offset: 0, count: 0), count: places)
        found.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: Self.mostGaps)
    }

    func free() {
        block.free()
        image.free()
        gaps.deallocate()
        literals.deallocate()
        found.deallocate()
        spans.deallocate()
    }

    // MARK: Use

    /// Takes in a block that is like this one.
    ///
    /// - Returns: The size of the header list; nil, with the stream as it was, for a block that has to be decoded.
    @inline(__always)
    func take(
        _ bytes: UnsafeRawBufferPointer,
        epoch: Int,
        limit: Int,
        into stream: UnsafeMutablePointer<ServerStream>
    ) -> Int? {
        guard epoch == self.epoch, number != 0 else { return nil }
        guard let variable = find(in: bytes), constantSize &+ variable <= limit, let contentLength = check() else {
            return nil
        }
        copy(contentLength: contentLength, into: stream)
        return constantSize &+ variable
    }

    /// Finds the values that vary, and makes sure that all between them is the same.
    ///
    /// - Returns: How long they are together.
    @inline(__always)
    private func find(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let own = block.bytes(from: 0, count: 0).baseAddress else { return nil }
        var place = 0
        var known = 0
        var sum = 0
        for index in 0..<gapCount {
            let gap = gaps[index]
            let count = Int(gap.end) &- known
            guard bytes.count &- place > count, memcmp(start + place, own + known, count) == 0,
                let value = Self.plainString(bytes, at: place &+ count)
            else { return nil }
            found[index] = UnsafeRawBufferPointer(start: start + value.lowerBound, count: value.count)
            place = value.upperBound
            known = Int(gap.next)
            sum &+= value.count
        }
        let rest = block.count &- known
        guard bytes.count &- place == rest, memcmp(start + place, own + known, rest) == 0 else { return nil }
        return sum
    }

    /// A string of up to 16,510 bytes that is not Huffman-coded (RFC 7541, section 5.2); nil for any other.
    @inline(__always)
    static func plainString(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Range<Int>? {
        var start = offset &+ 1
        var count = Int(bytes[offset])
        if count >= 127 {
            // A length of its own: seven bits in one byte, or in two.
            guard count == 127, bytes.count &- start >= 2 else { return nil }
            count &+= Int(bytes[start] & 0x7f)
            if bytes[start] & 0x80 != 0 {
                guard bytes[start &+ 1] & 0x80 == 0 else { return nil }
                count &+= Int(bytes[start &+ 1]) << 7
                start &+= 1
            }
            start &+= 1
        }
        return bytes.count &- start >= count ? start..<start &+ count : nil
    }

    /// Holds the values to the rules that `RequestSink` would.
    ///
    /// - Returns: The content-length, or -1 without one; nil if a rule is broken.
    @inline(__always)
    private func check() -> Int64? {
        var contentLength = contentLength
        for index in 0..<gapCount {
            let value = found[index]
            guard FieldSyntax.isSoundValue(value) else { return nil }
            switch gaps[index].kind {
            case UInt8(HeaderNames.path): if value.first != UInt8(ascii: "/") { return nil }
            case FieldKind.contentLength:
                guard let number = value.decimal else { return nil }
                contentLength = number
            default: break
            }
        }
        return contentLength
    }

    @inline(__always)
    private func copy(contentLength: Int64, into stream: UnsafeMutablePointer<ServerStream>) {
        stream.pointee.present = present
        stream.pointee.indexed = indexed
        stream.pointee.neverIndexed = neverIndexed
        stream.pointee.likeness = number
        stream.pointee.varying = varying
        stream.pointee.contentLength = contentLength
        stream.pointee.spans.update(from: spans, count: places)
        stream.pointee.request.append(image.bytes(from: 0, count: image.count))
        for index in 0..<gapCount where gaps[index].kind < 32 {
            let value = found[index]
            stream.pointee.spans[Int(gaps[index].kind)] = ValueSpan(
                offset: Int32(stream.pointee.request.count),
                count: Int32(value.count)
            )
            stream.pointee.request.append(value)
        }
    }
}

/// Where a literal lies in a header block.
struct Literal: BitwiseCopyable {
    /// A block with more of them is not learned.
    static let most = 16

    /// The value with its length: from here up to there.
    var start: Int32
    var end: Int32
    /// How long the value is alone.
    var count: Int32
    var kind: UInt8
    var isCoded: Bool
}

extension HeaderMemo {
    /// Longer values are credentials: they change so seldom that each is learned anew.
    private static let longestVarying = 64

    /// Whether a block has the same fields as this one, whatever their literal values.
    func isAlike(_ other: UnsafeRawBufferPointer, _ found: UnsafeMutablePointer<Literal>, _ count: Int) -> Bool {
        guard number != 0, count == literalCount else { return false }
        let own = block.bytes(from: 0, count: block.count)
        var (mine, theirs) = (0, 0)
        for index in 0...count {
            let (myEnd, theirEnd) =
                index < count ? (Int(literals[index].start), Int(found[index].start)) : (own.count, other.count)
            guard Self.part(own, mine, myEnd).equals(Self.part(other, theirs, theirEnd)) else { return false }
            if index < count { (mine, theirs) = (Int(literals[index].end), Int(found[index].end)) }
        }
        return true
    }

    private static func part(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// Learns a block that was decoded into a stream.
    ///
    /// - Parameters:
    ///   - isAlike: Whether it has the same fields as the block that was learned before.
    ///   - number: What tells it apart.
    mutating func learn(
        _ other: UnsafeRawBufferPointer,
        _ found: UnsafeMutablePointer<Literal>,
        _ count: Int,
        from stream: UnsafeMutablePointer<ServerStream>,
        isAlike: Bool,
        epoch: Int,
        number: UInt32
    ) {
        noteChanges(other, found, count, isAlike: isAlike)
        block.count = 0
        block.append(other)
        literals.update(from: found, count: count)
        literalCount = count
        self.epoch = epoch
        // Without a way to say what varies there is nothing to be had from it.
        self.number = layOutGaps() ? number : 0
        present = stream.pointee.present
        indexed = stream.pointee.indexed
        neverIndexed = stream.pointee.neverIndexed
        contentLength = stream.pointee.contentLength
        constantSize = stream.pointee.headerSize
        for index in 0..<count where isGap(index) { constantSize -= Int(literals[index].count) }
        keepConstants(of: stream)
    }

    /// The path varies from the first; other values do when they were seen to.
    private func isGap(_ index: Int) -> Bool {
        literals[index].kind == UInt8(HeaderNames.path) || changing & (1 << UInt32(index)) != 0
    }

    private mutating func noteChanges(
        _ other: UnsafeRawBufferPointer,
        _ found: UnsafeMutablePointer<Literal>,
        _ count: Int,
        isAlike: Bool
    ) {
        if !isAlike { changing = 0 }
        guard isAlike else { return }
        let own = block.bytes(from: 0, count: block.count)
        for index in 0..<count where found[index].count <= Self.longestVarying {
            let mine = Self.part(own, Int(literals[index].start), Int(literals[index].end))
            let theirs = Self.part(other, Int(found[index].start), Int(found[index].end))
            if !mine.equals(theirs) { changing |= 1 << UInt32(index) }
        }
    }

    /// - Returns: Whether every value that varies is one that may.
    private mutating func layOutGaps() -> Bool {
        gapCount = 0
        varying = 0
        for index in 0..<literalCount where isGap(index) {
            let literal = literals[index]
            let isHeader = literal.kind >= HeaderNames.pseudo.count && literal.kind < 32
            let isPath = literal.kind == UInt8(HeaderNames.path)
            let isFree = literal.kind == FieldKind.contentLength || literal.kind == FieldKind.other
            guard gapCount < Self.mostGaps, !literal.isCoded, isHeader || isPath || isFree else { return false }
            gaps[gapCount] = Gap(end: literal.start, next: literal.end, kind: literal.kind)
            gapCount += 1
            if literal.kind < 32 { varying |= 1 << UInt32(literal.kind) }
        }
        return true
    }

    private mutating func keepConstants(of stream: UnsafeMutablePointer<ServerStream>) {
        image.count = 0
        for place in 0..<places where varying & (1 << UInt32(place)) == 0 {
            guard let value = stream.value(at: place) else { continue }
            spans[place] = ValueSpan(offset: Int32(image.count), count: Int32(value.count))
            image.append(value)
        }
    }
}

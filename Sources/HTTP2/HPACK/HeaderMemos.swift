/// The kinds of request that a connection has seen lately.
///
/// A sender that never sends anything alike costs a bounded number of lessons: each is paid for by blocks that were
/// recognised.
struct HeaderMemos: ~Copyable {
    /// More kinds of request than this take turns.
    static let count = 4
    private static let mostLessons = 32
    /// So many blocks recognised pay for a lesson.
    private static let price = 16

    private let memos = UnsafeMutablePointer<HeaderMemo>.allocate(capacity: HeaderMemos.count)
    private let literals = UnsafeMutablePointer<Literal>.allocate(capacity: Literal.most)
    private var recent = 0
    private var oldest = 0
    private var lastNumber: UInt32 = 0
    private var lessons = HeaderMemos.mostLessons
    private var credit = 0

    /// - Parameter places: How many values a request can have.
    init(places: Int) {
        for index in 0..<Self.count { (memos + index).initialize(to: HeaderMemo(places: places)) }
    }

    deinit {
        for index in 0..<Self.count { memos[index].free() }
        memos.deallocate()
        literals.deallocate()
    }

    /// Takes in a block that is like one before; see ``HeaderMemo/take(_:epoch:limit:into:)``.
    @inline(__always)
    mutating func take(
        _ block: UnsafeRawBufferPointer,
        epoch: Int,
        limit: Int,
        into stream: UnsafeMutablePointer<ServerStream>
    ) -> Int? {
        for step in 0..<Self.count {
            let index = (recent &+ step) & (Self.count - 1)
            guard let size = memos[index].take(block, epoch: epoch, limit: limit, into: stream) else { continue }
            recent = index
            credit &+= 1
            return size
        }
        return nil
    }

    /// Learns a block that was decoded into a stream, and is sound.
    mutating func learn(
        _ block: UnsafeRawBufferPointer,
        _ decoder: inout HeaderDecoder,
        names: Unmanaged<HeaderNames>,
        from stream: UnsafeMutablePointer<ServerStream>
    ) {
        if credit >= Self.price {
            lessons = min(Self.mostLessons, lessons + credit / Self.price)
            credit %= Self.price
        }
        guard lessons > 0, stream.pointee.duplicated == 0 else { return }
        lessons -= 1
        let sink = SkippingSink(names: names)
        guard let count = decoder.literals(of: block, sink, into: literals) else { return }
        let alike = (0..<Self.count).first { memos[$0].isAlike(block, literals, count) }
        let index = alike ?? oldest
        if alike == nil { oldest = (oldest + 1) & (Self.count - 1) }
        lastNumber = lastNumber == .max >> 2 ? 1 : lastNumber + 1
        memos[index]
            .learn(
                block,
                literals,
                count,
                from: stream,
                isAlike: alike != nil,
                epoch: decoder.epoch,
                // So the place can be read from the number.
                number: lastNumber << 2 | UInt32(index)
            )
        recent = index
    }
}

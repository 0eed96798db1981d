extension PackedBuckets {
    /// What an encoder wrote, and how many values it counts together; put into our form where it is in another.
    ///
    /// - Throws: `wrongLength` for a number that is cut short, `contradiction` for counts that no histogram has.
    static func checked(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        var check = Check()
        var position = 0
        while position < bytes.count {
            try check.takeSteps(bytes, at: &position)
            try check.takeNumber(bytes, at: &position)
        }
        guard check.isInOurForm, !check.isBehindGap else { return (rewritten(bytes), check.count) }
        return (PackedBuckets(bytes: Array(bytes), first: check.first, last: check.last), check.count)
    }

    /// The same buckets from numbers that are longer, or gaps that are more, than they need to be.
    private static func rewritten(_ bytes: UnsafeBufferPointer<UInt8>) -> PackedBuckets {
        PackedBuckets(upTo: bytes.count) { writer in
            var place = Place()
            while place.next(in: bytes) { writer.append(index: place.index, count: place.count) }
        }
    }
}

/// Goes through an encoding, whose numbers may be any.
private struct Check {
    /// How many numbers of one byte are looked at together.
    static let step = MemoryLayout<UInt64>.size

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080
    private static var tooHigh: HistogramError { .contradiction("counts values above 24 h, the highest that is read") }

    /// Of the bucket that the next number is about.
    private var index = 0
    private(set) var count: UInt64 = 0
    private(set) var first = -1
    /// Known where the last number was taken alone.
    private(set) var last: (index: Int, count: UInt64) = (-1, 0)
    private(set) var isInOurForm = true
    private(set) var isBehindGap = false

    /// Takes numbers of one byte each, eight at a time, up to one that needs a closer look or is among the last.
    @inline(__always)
    mutating func takeSteps(_ bytes: UnsafeBufferPointer<UInt8>, at start: inout Int) throws(HistogramError) {
        guard first >= 0 else { return }
        let (ones, tops) = (Self.ones, Self.tops)
        let memory = UnsafeRawBufferPointer(bytes)
        // Copies stay in registers.
        var (position, index, count, behind) = (start, self.index, self.count, isBehindGap ? 1 : 0 as UInt64)
        defer { (start, self.index, self.count, isBehindGap) = (position, index, count, behind != 0) }
        while position &+ 2 &* Self.step <= bytes.count {
            let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // Odd bytes are negative: gaps. So are zeros; a 1, for a gap of one, is not how we write it.
            let odd = word & ones
            let gaps = odd | Self.zeros(word)
            let isOurForm = gaps & (gaps << 8 | behind) | Self.zeros(word ^ ones) == 0
            guard word & tops == 0, isOurForm, count < 1 << 62 else { return }
            let halves = (word >> 1) & (ones &* 0x3F)
            let isOdd = odd &* 0xFF
            // An odd byte stands for a gap of its half and one more, any other for one bucket.
            index &+= Self.step &+ Int(truncatingIfNeeded: Self.sum(halves & isOdd))
            count &+= Self.sum(halves & ~isOdd)
            behind = gaps >> 56
            position &+= Self.step
            guard index <= BucketLayout.lastIndex + 1 else { throw Self.tooHigh }
        }
    }

    /// A 1 in each byte that is 0; all must be below 0x80.
    private static func zeros(_ word: UInt64) -> UInt64 { (~(word &+ (tops &- ones)) & tops) >> 7 }

    /// Of the bytes, each below 0x40.
    private static func sum(_ word: UInt64) -> UInt64 {
        let pairs = (word & 0x00FF_00FF_00FF_00FF) &+ ((word >> 8) & 0x00FF_00FF_00FF_00FF)
        return (pairs &* 0x0001_0001_0001_0001) >> 48
    }

    /// Takes the number at a position, which moves behind it.
    mutating func takeNumber(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) throws(HistogramError) {
        let start = position
        guard let number = ZigZag.read(bytes, at: &position) else { throw .wrongLength }
        let (next, overflow) = index.subtractingReportingOverflow(number < 0 ? Int(number) : -1)
        guard !overflow, next <= BucketLayout.lastIndex + 1 else { throw Self.tooHigh }
        let isShortest = position - start == ZigZag.length(of: number) && number != -1
        isInOurForm = isInOurForm && isShortest && !(number <= 0 && isBehindGap)
        isBehindGap = number <= 0
        if number > 0 { try takeCount(UInt64(number)) }
        index = next
    }

    private mutating func takeCount(_ more: UInt64) throws(HistogramError) {
        let (sum, overflow) = count.addingReportingOverflow(more)
        guard !overflow else { throw .contradiction("counts add up to 2^64 or more") }
        count = sum
        last = (index, more)
        if first < 0 { first = index }
    }
}

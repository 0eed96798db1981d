/// The due times of one lane in a replayed phase, and the devices that its pushes name; a few bytes for each push.
///
/// Times are kept as differences, in blocks of ``blockSize`` pushes whose beginnings are known, so any push is found with
/// one short walk. Numbers are written in as many bytes of seven bits as they need.
package struct ReplayTimes: Sendable, Equatable {
    static let blockSize: UInt64 = 256

    private struct Block: Sendable, Equatable {
        /// The due time of the block's first push.
        var time: Int64
        /// Where its bytes begin.
        var offset: Int
    }

    /// How many pushes there are.
    package private(set) var count: UInt64 = 0
    /// Whether any push names its device.
    package private(set) var namesDevices = false
    private var blocks: [Block] = []
    private var bytes: [UInt8] = []
    private var last: Int64 = 0

    package init() {}

    /// Adds a push.
    ///
    /// - Parameters:
    ///   - time: nanoseconds from the phase's start, not before those of the pushes added so far.
    ///   - ordinal: the device's number within the lane; nil for the one that the push's own number chooses.
    package mutating func append(at time: Int64, ordinal: UInt64?) {
        precondition(time >= last, "ReplayTimes: \(time) after \(last)")
        if count % Self.blockSize == 0 {
            blocks.append(Block(time: time, offset: bytes.count))
            last = time
        }
        write(UInt64(time - last))
        write(ordinal.map { $0 + 1 } ?? 0)
        last = time
        count += 1
        if ordinal != nil { namesDevices = true }
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

// MARK: - Reading

extension ReplayTimes {
    /// Walks through a block's pushes in order, until told to end.
    @inline(__always)
    private func walk(block number: Int, _ body: (_ position: Int, _ time: Int64, _ device: UInt64) -> Bool) {
        let block = blocks[number]
        let size = min(Self.blockSize, count - UInt64(number) * Self.blockSize)
        bytes.withUnsafeBufferPointer { bytes in
            var (offset, time) = (block.offset, block.time)
            for position in 0..<Int(size) {
                time += Int64(Self.read(bytes, &offset))
                guard body(position, time, Self.read(bytes, &offset)) else { return }
            }
        }
    }

    @inline(__always)
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while true {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// When a push is due.
    func due(of n: UInt64) -> Int64 {
        var due: Int64 = 0
        walk(block: Int(n / Self.blockSize)) { position, time, _ in
            due = time
            return position < Int(n % Self.blockSize)
        }
        return due
    }

    /// How many pushes are due at a time or before.
    func count(atElapsed elapsed: Int64) -> UInt64 {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].time <= elapsed { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        var due = UInt64(low - 1) * Self.blockSize
        walk(block: low - 1) { _, time, _ in
            if time <= elapsed { due += 1 }
            return time <= elapsed
        }
        return due
    }

    /// Writes the times of the block that holds a push; returns the block's first push and how many it has.
    func fill(_ times: inout [UInt64], holding n: UInt64) -> (first: UInt64, count: UInt64) {
        let number = n / Self.blockSize
        walk(block: Int(number)) { position, time, _ in
            times[position] = UInt64(time)
            return true
        }
        let first = number * Self.blockSize
        return (first, min(Self.blockSize, count - first))
    }

    /// Writes the devices of pushes that follow one another: each its number within the lane, or nothing where the push
    /// names none.
    func copyDevices(from first: UInt64, count: Int, into devices: inout [UInt64]) {
        var n = first
        let end = first + UInt64(count)
        while n < end {
            let begin = n / Self.blockSize * Self.blockSize
            walk(block: Int(n / Self.blockSize)) { position, _, device in
                guard begin + UInt64(position) == n else { return true }
                if device > 0 { devices[Int(n - first)] = device - 1 }
                n += 1
                return n < end
            }
        }
    }
}

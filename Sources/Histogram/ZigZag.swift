/// Signed numbers in the "LEB128-64b9B" variant of HdrHistogram's `ZigZagEncoding`.
///
/// Zigzag keeps small negative numbers short; seven bits a byte follow, but a ninth byte carries eight, so that 64 bits never
/// take ten bytes as in plain LEB128.
enum ZigZag {
    /// The most bytes that a number takes.
    static let longest = 9

    /// Writes a number into memory that has room for it, and returns the position behind it.
    @inline(__always)
    static func write(_ value: Int64, to memory: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        var (rest, position) = (raw(value), start)
        while rest >= 0x80, position &- start < longest - 1 {
            memory[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            position &+= 1
            rest >>= 7
        }
        memory[position] = UInt8(truncatingIfNeeded: rest)
        return position &+ 1
    }

    /// How many bytes `write` takes for a number.
    static func length(of value: Int64) -> Int {
        let bits = UInt64.bitWidth - raw(value).leadingZeroBitCount
        return min(longest, max(1, (bits + 6) / 7))
    }

    /// The number at a position, which moves behind it; nil where it is cut short.
    @inline(__always)
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Int64? {
        var raw: UInt64 = 0
        for place in 0..<longest {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position &+= 1
            guard place < longest - 1 else {
                raw |= UInt64(byte) << 56
                break
            }
            raw |= UInt64(byte & 0x7F) << UInt64(7 * place)
            guard byte & 0x80 != 0 else { break }
        }
        return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    private static func raw(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }
}

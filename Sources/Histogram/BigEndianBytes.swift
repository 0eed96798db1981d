/// Builds the byte strings of the V2 encoding: big-endian integers and zigzag LEB128 counts.
struct BigEndianWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Appends a signed number in the "LEB128-64b9B" variant of HdrHistogram's `ZigZagEncoding`.
    ///
    /// Zigzag keeps small negative numbers short; seven bits a byte follow, but a ninth byte carries eight, so that
    /// 64 bits never take ten bytes as in plain LEB128.
    mutating func appendZigZag(_ value: Int64) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        for _ in 0..<8 {
            guard rest >= 0x80 else { break }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Takes such byte strings apart again; every read throws `wrongLength` at the end.
struct BigEndianReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// What was not read yet.
    var remainder: ArraySlice<UInt8> { rest }

    mutating func read<Integer: FixedWidthInteger>(_: Integer.Type) throws(HistogramError) -> Integer {
        let size = Integer.bitWidth / 8
        guard rest.count >= size else { throw .wrongLength }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { ($0 << 8) | Integer(truncatingIfNeeded: $1) }
    }
}

/// Reads what `appendZigZag` wrote.
enum ZigZag {
    /// The number at a position, which moves behind it.
    @inline(__always)
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) throws(HistogramError) -> Int64 {
        var raw: UInt64 = 0
        for place in 0..<9 {
            guard position < bytes.count else { throw .wrongLength }
            let byte = bytes[position]
            position += 1
            guard place < 8 else {
                raw |= UInt64(byte) << 56
                break
            }
            raw |= UInt64(byte & 0x7f) << UInt64(7 * place)
            guard byte & 0x80 != 0 else { break }
        }
        return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }
}

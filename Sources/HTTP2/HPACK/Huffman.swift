/// Huffman coding of header strings (RFC 7541, section 5.2), for what is laid out before the clock starts.
enum Huffman {
    /// How many bytes the coded string has.
    static func encodedCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var bits = 0
        for byte in bytes { bits &+= Int(lengths[Int(byte)]) }
        return (bits + 7) / 8
    }

    /// The coded string, filled up with ones.
    static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var pending: UInt64 = 0
        var count = 0
        for byte in bytes {
            pending = pending << UInt64(lengths[Int(byte)]) | UInt64(codes[Int(byte)])
            count += Int(lengths[Int(byte)])
            while count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: pending >> UInt64(count)))
            }
        }
        if count > 0 {
            result.append(UInt8(truncatingIfNeeded: pending << UInt64(8 - count) | (1 << UInt64(8 - count) - 1)))
        }
        return result
    }

    /// Bits of a symbol's code.
    static func length(of symbol: Int) -> Int { Int(lengths[symbol]) }

    /// The codes, which follow from their lengths.
    ///
    /// The code is canonical: of two symbols the shorter code comes first, then the lower symbol, and codes count up.
    private static let codes: [UInt32] = {
        var codes = [UInt32](repeating: 0, count: 256)
        var code: UInt32 = 0
        for length in UInt8(1)...30 {
            code <<= 1
            for symbol in 0..<256 where lengths[symbol] == length {
                codes[symbol] = code
                code += 1
            }
        }
        return codes
    }()

    /// Bits of each symbol's code (RFC 7541, appendix B).
    private static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23,
        22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
        23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26,
        28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
        27, 27, 27, 26,
    ]
}

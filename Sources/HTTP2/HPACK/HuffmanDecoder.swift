/// Decodes Huffman-coded strings (RFC 7541, section 5.2 and appendix B); one for the whole program.
///
/// Codes of at most 8 bits, all that is common in headers, are found by their first byte. The code is canonical, so a
/// longer one needs only the first code of its length: it is the number of places after the first symbol.
struct HuffmanDecoder {
    /// Where codes of one length begin and end, moved up to the top of 32 bits.
    private struct Length: BitwiseCopyable {
        var limit: UInt32
        var first: UInt32
        /// Where its symbols begin in `symbols`.
        var offset: Int
    }

    private static let shortest = 10
    private static let longest = 30

    /// By the first byte: a code's length in the upper half, its symbol in the lower; 0 for what is longer.
    private let short: UnsafeMutablePointer<UInt16>
    /// From 10 bits; there are no codes of 9.
    private let lengths: UnsafeMutablePointer<Length>
    private let symbols: UnsafeMutablePointer<UInt8>

    // Made once, never changed and never freed.
    nonisolated(unsafe) static let shared = HuffmanDecoder()

    private init() {
        short = .allocate(capacity: 256)
        short.initialize(repeating: 0, count: 256)
        symbols = .allocate(capacity: 256)
        lengths = .allocate(capacity: Self.longest + 1 - Self.shortest)
        var code: UInt32 = 0
        var placed = 0
        for length in 1...Self.longest {
            code <<= 1
            let first = code
            let offset = placed
            for symbol in 0..<256 where Huffman.length(of: symbol) == length {
                (symbols + placed).initialize(to: UInt8(symbol))
                placed += 1
                if length <= 8 { enter(symbol, code: code, length: length) }
                code += 1
            }
            guard length >= Self.shortest else { continue }
            let shift = UInt32(32 - length)
            (lengths + (length - Self.shortest))
                .initialize(to: Length(limit: code << shift, first: first << shift, offset: offset))
        }
    }

    private func enter(_ symbol: Int, code: UInt32, length: Int) {
        let unused = 8 - length
        for rest in 0..<(1 << unused) { short[Int(code) << unused | rest] = UInt16(length << 8 | symbol) }
    }

    /// An upper bound for the bytes that so many coded ones become: the shortest code has 5 bits.
    @inline(__always)
    static func bound(_ coded: Int) -> Int { coded &* 8 / 5 }

    /// Decodes a whole string.
    ///
    /// - Parameters:
    ///   - coded: The string as it came.
    ///   - output: Has room for `bound` bytes.
    /// - Returns: How many bytes it has; nil for padding that is longer than 7 bits or not all ones, and for EOS.
    func decode(_ coded: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>) -> Int? {
        var bits: UInt64 = 0
        var count = 0
        var offset = 0
        var end = output
        while true {
            Self.refill(&bits, &count, from: coded, &offset)
            if count < Self.longest { break }
            while count >= Self.longest {
                guard let (symbol, length) = next(bits) else { return nil }
                end.initialize(to: symbol)
                end += 1
                bits <<= UInt64(length)
                count -= length
            }
        }
        while let (symbol, length) = next(bits), length <= count {
            end.initialize(to: symbol)
            end += 1
            bits <<= UInt64(length)
            count -= length
        }
        let isPadding = count < 8 && ~bits >> UInt64(56) < 1 << UInt64(8 - count)
        return isPadding ? end - output : nil
    }

    /// Fills up to at least 56 bits, or with all that is left; bits below `count` may be there already.
    @inline(__always)
    private static func refill(
        _ bits: inout UInt64,
        _ count: inout Int,
        from coded: UnsafeRawBufferPointer,
        _ offset: inout Int
    ) {
        if coded.count - offset >= 8 {
            let word = coded.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            bits |= UInt64(bigEndian: word) >> UInt64(count)
            offset += (63 - count) >> 3
            count |= 56
            return
        }
        while count <= 56, offset < coded.count {
            bits |= UInt64(coded[offset]) << UInt64(56 - count)
            offset += 1
            count += 8
        }
    }

    /// The symbol whose code the bits begin with, and the code's length; nil for EOS.
    @inline(__always)
    private func next(_ bits: UInt64) -> (symbol: UInt8, length: Int)? {
        let entry = short[Int(bits >> 56)]
        if entry != 0 { return (UInt8(truncatingIfNeeded: entry), Int(entry >> 8)) }
        return nextLong(UInt32(truncatingIfNeeded: bits >> 32))
    }

    private func nextLong(_ bits: UInt32) -> (symbol: UInt8, length: Int)? {
        for length in Self.shortest...Self.longest {
            let entry = lengths[length - Self.shortest]
            if bits < entry.limit {
                return (symbols[entry.offset + Int((bits - entry.first) >> UInt32(32 - length))], length)
            }
        }
        return nil
    }
}

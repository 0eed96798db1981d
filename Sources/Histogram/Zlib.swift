import CZlib

/// The two calls of zlib that histogram files need.
///
/// The only file that sees the library.
enum Zlib {
    /// `bytes` as a zlib stream (RFC 1950) at the default level.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let bound = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, written in
            var length = bound
            // Z_BUF_ERROR cannot happen (the bound is zlib's own); Z_MEM_ERROR would mean that malloc failed.
            let code = CZlib.compress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
            precondition(code == Z_OK, "zlib's compress failed with code \(code)")
            written = Int(length)
        }
    }

    /// The contents of one whole zlib stream.
    ///
    /// - Throws: `notZlib` when it is damaged, cut short, followed by something else or inflates to more than `limit` bytes.
    static func inflate(_ bytes: ArraySlice<UInt8>, limit: Int) throws(HistogramError) -> [UInt8] {
        // Counts rarely shrink to less than a quarter; asking for the most that they may be costs more than inflating them.
        let usual = 8 * bytes.count + 64
        if usual < limit, let contents = try? inflate(bytes, into: usual) { return contents }
        return try inflate(bytes, into: limit)
    }

    private static func inflate(_ bytes: ArraySlice<UInt8>, into limit: Int) throws(HistogramError) -> [UInt8] {
        var code = Z_OK
        var consumed = uLong(bytes.count)
        let contents = [UInt8](unsafeUninitializedCapacity: limit) { buffer, written in
            var length = uLong(limit)
            code = bytes.withUnsafeBufferPointer { uncompress2(buffer.baseAddress, &length, $0.baseAddress, &consumed) }
            written = code == Z_OK ? Int(length) : 0
        }
        // Z_DATA_ERROR, Z_BUF_ERROR (cut short, or more than the limit) and Z_MEM_ERROR all mean: not a histogram.
        guard code == Z_OK else { throw .notZlib(code: code) }
        guard consumed == uLong(bytes.count) else { throw .wrongLength }
        return contents
    }
}

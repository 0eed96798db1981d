import CZlib

/// The calls of zlib that histogram files need.
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
        var (code, unread) = (Z_OK, 0)
        let contents = [UInt8](unsafeUninitializedCapacity: limit) { buffer, written in
            (code, unread) = bytes.withUnsafeBufferPointer { inflateAtOnce($0, into: buffer, &written) }
        }
        // Z_DATA_ERROR, Z_BUF_ERROR (more than the limit) and Z_MEM_ERROR all mean: not a histogram.
        guard code == Z_STREAM_END else { throw .notZlib(code: code) }
        guard unread == 0 else { throw .wrongLength }
        return contents
    }

    /// With Z_FINISH, where zlib's `uncompress` would keep a copy of what it has written, for a next call.
    private static func inflateAtOnce(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        _ written: inout Int
    ) -> (code: Int32, unread: Int) {
        var stream = z_stream()
        var code = pushbench_inflateInit(&stream)
        guard code == Z_OK else { return (code, 0) }
        defer { inflateEnd(&stream) }
        // zlib only reads there, but says so in no type.
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.avail_in = uInt(bytes.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = uInt(buffer.count)
        code = CZlib.inflate(&stream, Z_FINISH)
        written = buffer.count - Int(stream.avail_out)
        // As `uncompress` says it: no progress though there is room for more means that the stream is cut short.
        if code == Z_BUF_ERROR, stream.avail_out > 0 { code = Z_DATA_ERROR }
        return (code, Int(stream.avail_in))
    }
}

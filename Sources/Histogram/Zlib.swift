import CZlib

/// The calls of zlib that histogram files need.
///
/// The only file that sees the library.
enum Zlib {
    /// `bytes` as a zlib stream (RFC 1950) at the default level.
    ///
    /// Only runs of one byte are looked for: counts hardly repeat otherwise, and what codes for longer distances cost is more
    /// than they save. A second's histogram comes out 7% smaller than with the default strategy, and is read in two thirds of the time.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // At one address throughout: the state that zlib allocates points back to it.
        return withUnsafeMutablePointer(to: &stream) { compress(bytes, by: $0) }
    }

    private static func compress(_ bytes: [UInt8], by stream: UnsafeMutablePointer<z_stream>) -> [UInt8] {
        // Z_MEM_ERROR, the only way to fail, would mean that malloc failed.
        let begun = pushbench_deflateInit(stream, Z_RLE)
        precondition(begun == Z_OK, "zlib's deflateInit2 failed with code \(begun)")
        defer { deflateEnd(stream) }
        let bound = Int(deflateBound(stream, uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, written in
            bytes.withUnsafeBufferPointer { bytes in
                // zlib only reads there, but says so in no type.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.pointee.avail_in = uInt(bytes.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(buffer.count)
                let ended = deflate(stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "zlib's deflate failed with code \(ended)")
                written = buffer.count - Int(stream.pointee.avail_out)
            }
        }
    }

    /// Inflates one stream after another with the same state, which takes about as long to make as a short stream to inflate.
    final class Inflater {
        /// At an address of its own: the state that zlib allocates points back to it.
        private let stream: UnsafeMutablePointer<z_stream>

        init() {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            let code = pushbench_inflateInit(stream)
            // The version is that of the header; Z_MEM_ERROR would mean that malloc failed.
            precondition(code == Z_OK, "zlib's inflateInit failed with code \(code)")
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        /// Writes the contents of one whole stream into memory, and returns their length; nil where there is too little room.
        ///
        /// - Throws: `notZlib` when the stream is damaged or cut short, `wrongLength` when something else follows it.
        func inflate(
            _ bytes: UnsafeBufferPointer<UInt8>,
            into memory: UnsafeMutableBufferPointer<UInt8>
        ) throws(HistogramError) -> Int? {
            inflateReset(stream)
            // zlib only reads there, but says so in no type.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = uInt(bytes.count)
            stream.pointee.next_out = memory.baseAddress
            stream.pointee.avail_out = uInt(memory.count)
            // Z_FINISH: all at once, so that zlib keeps no copy of what it has written.
            let code = CZlib.inflate(stream, Z_FINISH)
            let room = Int(stream.pointee.avail_out)
            if code == Z_BUF_ERROR {
                // As `uncompress` says it: no progress though there is room for more means that the stream is cut short.
                guard room == 0 else { throw .notZlib(code: Z_DATA_ERROR) }
                return nil
            }
            guard code == Z_STREAM_END else { throw .notZlib(code: code) }
            guard stream.pointee.avail_in == 0 else { throw .wrongLength }
            return memory.count - room
        }
    }
}

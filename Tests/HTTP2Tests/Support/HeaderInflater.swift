import CNGHTTP2

// The fuzz target compiles the sources themselves.
#if canImport(HTTP2)
@testable import HTTP2
#endif

/// One header field as it came out of a header block; valid until the inflater's next call.
struct InflatedField {
    var name: UnsafeRawBufferPointer
    var value: UnsafeRawBufferPointer
    /// The block had it as a literal that is never indexed (RFC 7541, section 6.2.3).
    var isNeverIndexed: Bool
}

/// Decodes header blocks with nghttp2's HPACK inflater; one per direction of a connection.
///
/// After an error the compression context is lost and the connection with it (RFC 9113, section 4.3).
struct HeaderInflater: ~Copyable {
    private let inflater: OpaquePointer
    /// Must outlive the inflater.
    private let allocator: CountingAllocator

    /// An inflater with the default dynamic table of 4,096 bytes.
    ///
    /// - Parameter allocator: Counts what nghttp2 allocates.
    /// - Throws: `library` with NOMEM.
    init(allocator: CountingAllocator) throws(HTTP2Error) {
        var made: OpaquePointer?
        let code = nghttp2_hd_inflate_new2(&made, allocator.memory)
        guard code == 0, let made else { throw .library(call: "nghttp2_hd_inflate_new2", code: code) }
        inflater = made
        self.allocator = allocator
    }

    deinit {
        nghttp2_hd_inflate_del(inflater)
    }

    /// Lowers or lifts the table's limit, as a change of our SETTINGS_HEADER_TABLE_SIZE does once it is acknowledged.
    func limitTable(to size: Int) throws(HTTP2Error) {
        let code = nghttp2_hd_inflate_change_table_size(inflater, size)
        if code != 0 { throw .library(call: "nghttp2_hd_inflate_change_table_size", code: code) }
    }

    /// The next field of a complete header block, or nil at its end.
    ///
    /// - Parameter block: What is left of the block; the field's bytes are taken off.
    /// - Returns: The field; its bytes lie in the inflater or in nghttp2's static table.
    /// - Throws: `library` with HEADER_COMP for a block that is not valid, with BUFFER_ERROR for a field that is too
    ///   long, with NOMEM.
    @inline(__always)
    func next(_ block: inout UnsafeRawBufferPointer) throws(HTTP2Error) -> InflatedField? {
        while true {
            var field = nghttp2_nv()
            var flags: Int32 = 0
            let bytes = block.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let used = nghttp2_hd_inflate_hd2(inflater, &field, &flags, bytes, block.count, 1)
            if used < 0 { throw .library(call: "nghttp2_hd_inflate_hd2", code: Int32(used)) }
            block = UnsafeRawBufferPointer(rebasing: block[used...])
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                return InflatedField(
                    name: UnsafeRawBufferPointer(start: field.name, count: field.namelen),
                    value: UnsafeRawBufferPointer(start: field.value, count: field.valuelen),
                    isNeverIndexed: field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
                )
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                // Never fails.
                nghttp2_hd_inflate_end_headers(inflater)
                return nil
            }
        }
    }
}

/// The memory that all connections read into and write from, one at a time.
final class ServerBuffers {
    /// Several TLS records, so that one turn takes in what a busy client has sent.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 64)
    /// One TLS record (RFC 8446, 5.1).
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 64)

    deinit {
        input.deallocate()
        output.deallocate()
    }
}

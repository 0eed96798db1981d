/// What every client says first (RFC 9113, section 3.4), as a server checks it.
struct ClientPreface {
    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// How much of it has come.
    private var count = 0

    /// Checks the preface as far as it has not come yet.
    ///
    /// - Returns: How many of the bytes belong to it.
    @inline(__always)
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Violation) -> Int {
        count == Self.bytes.count ? 0 : try takeNext(bytes)
    }

    private mutating func takeNext(_ bytes: UnsafeRawBufferPointer) throws(Violation) -> Int {
        let taken = min(bytes.count, Self.bytes.count - count)
        guard bytes[..<taken].elementsEqual(Self.bytes[count..<count + taken]) else {
            throw Violation(.protocolError, "no HTTP/2 preface")
        }
        count += taken
        return taken
    }
}

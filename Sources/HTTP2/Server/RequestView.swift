/// A request as the server session received it.
///
/// Its bytes are valid until the stream's `.closed` event is taken.
package struct RequestView {
    private let stream: UnsafePointer<ServerStream>

    init(_ stream: UnsafePointer<ServerStream>) {
        self.stream = stream
    }

    /// Each is nil when the session captures nothing; nghttp2 lets no request pass that lacks one of the first three.
    package var method: UnsafeRawBufferPointer? { stream.pointee.value(at: 0) }
    package var path: UnsafeRawBufferPointer? { stream.pointee.value(at: 1) }
    package var scheme: UnsafeRawBufferPointer? { stream.pointee.value(at: 2) }
    /// `:authority`, or `host` where a client sends that instead.
    package var authority: UnsafeRawBufferPointer? { stream.pointee.value(at: HeaderNames.authority) }

    /// The first value of the header field at that place of `HeaderCapture.named`; nil when the request lacks it.
    package func value(at index: Int) -> UnsafeRawBufferPointer? {
        stream.pointee.value(at: HeaderNames.pseudo.count + index)
    }

    /// Whether the header field at that place came more than once.
    package func isDuplicated(at index: Int) -> Bool {
        stream.pointee.duplicated & (1 << UInt32(HeaderNames.pseudo.count + index)) != 0
    }

    /// The body, up to `ServerSettings.maximumBody`.
    package var body: UnsafeRawBufferPointer {
        let stream = stream.pointee
        return stream.request.bytes(from: stream.bodyOffset, count: stream.request.count - stream.bodyOffset)
    }

    /// How many bytes of body came, kept or not.
    package var bodyLength: Int { stream.pointee.bodyLength }
    /// Whether the body is longer than `ServerSettings.maximumBody`, so that `body` is only its beginning.
    package var isBodyTruncated: Bool { stream.pointee.isBodyTruncated }
    /// Size of the header list as RFC 9113, section 6.5.2 counts it; 0 when the session captures nothing.
    package var headerSize: Int { stream.pointee.headerSize }
    /// Whether the header list is larger than `ServerSettings.maximumHeader`, so that values are missing.
    package var isHeaderTruncated: Bool { stream.pointee.isHeaderTruncated }
    /// Whether more streams were open, when this one began, than the client knew it may open.
    package var isOverLimit: Bool { stream.pointee.isOverLimit }
}

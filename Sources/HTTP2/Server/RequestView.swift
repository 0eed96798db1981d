/// A request as the server session received it.
///
/// Its bytes are valid until the stream's `.closed` event is taken.
package struct RequestView {
    private let stream: UnsafePointer<ServerStream>

    private let keepsValues: Bool

    init(_ stream: UnsafePointer<ServerStream>, keepsValues: Bool) {
        self.stream = stream
        self.keepsValues = keepsValues
    }

    private func value(atPlace place: Int) -> UnsafeRawBufferPointer? {
        keepsValues ? stream.pointee.value(at: place) : nil
    }

    /// Each is nil when the session captures nothing; only CONNECT lacks one of the first three.
    package var method: UnsafeRawBufferPointer? { value(atPlace: HeaderNames.method) }
    package var path: UnsafeRawBufferPointer? { value(atPlace: HeaderNames.path) }
    package var scheme: UnsafeRawBufferPointer? { value(atPlace: HeaderNames.scheme) }
    /// `:authority`, or `host` where a client sends that instead.
    package var authority: UnsafeRawBufferPointer? { value(atPlace: HeaderNames.authority) }

    /// The first value of the header field at that place of `HeaderCapture.named`; nil when the request lacks it.
    package func value(at index: Int) -> UnsafeRawBufferPointer? {
        value(atPlace: HeaderNames.pseudo.count + index)
    }

    /// Whether the header field at that place entered HPACK's dynamic table, or came from it: something that no secret
    /// and no value that is never the same twice should do (RFC 7541, section 7.1.3).
    package func isIndexed(at index: Int) -> Bool {
        stream.pointee.indexed & (1 << UInt32(HeaderNames.pseudo.count + index)) != 0
    }

    /// Whether the header field at that place was marked as one that nobody may ever index.
    package func isNeverIndexed(at index: Int) -> Bool {
        stream.pointee.neverIndexed & (1 << UInt32(HeaderNames.pseudo.count + index)) != 0
    }

    /// Whether `:path` entered HPACK's dynamic table, or came from it.
    package var isPathIndexed: Bool { stream.pointee.indexed & (1 << UInt32(HeaderNames.path)) != 0 }

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
    /// Size of the header list as RFC 9113, section 6.5.2 counts it.
    package var headerSize: Int { stream.pointee.headerSize }
    /// Whether the header list is larger than `ServerSettings.maximumHeader`, so that values are missing.
    package var isHeaderTruncated: Bool { stream.pointee.isHeaderTruncated }
    /// Whether more streams were open, when this one began, than the client knew it may open.
    package var isOverLimit: Bool { stream.pointee.isOverLimit }
}

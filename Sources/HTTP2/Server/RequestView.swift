/// A request as the server session received it.
///
/// Its bytes are valid until the stream's `.closed` event is taken. Reading it is inlined into other modules, because a
/// host reads a dozen values of every request.
package struct RequestView {
    @usableFromInline let present: UInt32
    @usableFromInline let duplicated: UInt32
    @usableFromInline let indexed: UInt32
    @usableFromInline let neverIndexed: UInt32
    @usableFromInline let spans: UnsafePointer<ValueSpan>
    /// Values, then the body.
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline let bodyOffset: Int
    /// How many bytes of body came, kept or not.
    package let bodyLength: Int
    /// Whether the body is longer than `ServerSettings.maximumBody`, so that `body` is only its beginning.
    package let isBodyTruncated: Bool
    /// Size of the header list as RFC 9113, section 6.5.2 counts it.
    package let headerSize: Int
    /// Whether the header list is larger than `ServerSettings.maximumHeader`, so that values are missing.
    package let isHeaderTruncated: Bool
    /// Tells which requests of the session have the same header but for values that vary; 0 when that is not known.
    ///
    /// The lowest two bits are enough to tell the last four such numbers apart.
    package let likeness: UInt32
    @usableFromInline let varying: UInt32
    /// Whether more streams were open, when this one began, than the client knew it may open.
    package let isOverLimit: Bool

    @inline(__always)
    init(_ stream: UnsafeMutablePointer<ServerStream>, keepsValues: Bool) {
        present = keepsValues ? stream.pointee.present : 0
        duplicated = stream.pointee.duplicated
        indexed = stream.pointee.indexed
        neverIndexed = stream.pointee.neverIndexed
        spans = UnsafePointer(stream.pointee.spans)
        bytes = stream.pointee.request.bytes(from: 0, count: stream.pointee.request.count)
        bodyOffset = stream.pointee.bodyOffset
        bodyLength = stream.pointee.bodyLength
        isBodyTruncated = stream.pointee.isBodyTruncated
        headerSize = stream.pointee.headerSize
        isHeaderTruncated = stream.pointee.isHeaderTruncated
        likeness = stream.pointee.likeness
        varying = stream.pointee.likeness == 0 ? 0 : stream.pointee.varying
        isOverLimit = stream.pointee.isOverLimit
    }

    @inlinable @inline(__always)
    func value(atPlace place: Int) -> UnsafeRawBufferPointer? {
        guard present & (1 << UInt32(truncatingIfNeeded: place)) != 0 else { return nil }
        let start = Int(spans[place].offset)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ Int(spans[place].count)])
    }

    /// Each is nil when the session captures nothing; only CONNECT lacks one of the first three.
    @inlinable package var method: UnsafeRawBufferPointer? { value(atPlace: 0) }
    @inlinable package var path: UnsafeRawBufferPointer? { value(atPlace: 1) }
    @inlinable package var scheme: UnsafeRawBufferPointer? { value(atPlace: 2) }
    /// `:authority`, or `host` where a client sends that instead.
    @inlinable package var authority: UnsafeRawBufferPointer? { value(atPlace: 3) }

    /// The first value of the header field at that place of `HeaderCapture.named`; nil when the request lacks it.
    @inlinable @inline(__always)
    package func value(at index: Int) -> UnsafeRawBufferPointer? { value(atPlace: 4 &+ index) }

    /// Puts the first values of so many header fields where they are asked for; nothing for those that the request lacks.
    package func copyValues(_ count: Int, to values: UnsafeMutablePointer<UnsafeRawBufferPointer>) {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        for index in 0..<count { (values + index).initialize(to: value(at: index) ?? none) }
    }

    /// Whether the header field at that place came more than once.
    @inlinable
    package func isDuplicated(at index: Int) -> Bool { duplicated & (1 << UInt32(4 &+ index)) != 0 }

    /// Whether any of the header fields that are captured by name came more than once.
    @inlinable package var repeatsAnyField: Bool { duplicated >> 4 != 0 }

    /// Whether the header field at that place entered HPACK's dynamic table, or came from it: something that no secret
    /// and no value that is never the same twice should do (RFC 7541, section 7.1.3).
    @inlinable
    package func isIndexed(at index: Int) -> Bool { indexed & (1 << UInt32(4 + index)) != 0 }

    /// Whether the header field at that place was marked as one that nobody may ever index.
    @inlinable
    package func isNeverIndexed(at index: Int) -> Bool { neverIndexed & (1 << UInt32(4 + index)) != 0 }

    /// Whether `:path` entered HPACK's dynamic table, or came from it.
    @inlinable package var isPathIndexed: Bool { indexed & 2 != 0 }

    /// Whether, among requests of one likeness, no field but these varies, `:path` aside.
    ///
    /// - Parameter allowed: Places of `HeaderCapture.named`, a bit for each.
    @inlinable
    package func variesOnly(in allowed: UInt32) -> Bool { varying & ~(allowed << 4 | 2) == 0 }

    /// The body, up to `ServerSettings.maximumBody`.
    @inlinable package var body: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[bodyOffset...]) }
}

/// One request as a host sees it: views of bytes that somebody else owns.
///
/// Every view points into the memory of the session (or of a test) that took the request in and is valid only
/// during the call it is passed to; nothing here is stored. An absent header and an empty one look alike, because
/// neither service tells them apart.
package struct HostRequest {
    /// `:method`, as it came.
    package var method = UnsafeRawBufferPointer.nothing
    /// `:path`, with its query if there is one.
    package var path = UnsafeRawBufferPointer.nothing
    /// The value of `authorization`, scheme included.
    package var authorization = UnsafeRawBufferPointer.nothing
    package var apnsID = UnsafeRawBufferPointer.nothing
    package var apnsTopic = UnsafeRawBufferPointer.nothing
    package var apnsPushType = UnsafeRawBufferPointer.nothing
    package var apnsPriority = UnsafeRawBufferPointer.nothing
    package var apnsExpiration = UnsafeRawBufferPointer.nothing
    package var apnsCollapseID = UnsafeRawBufferPointer.nothing
    package var apnsChannelID = UnsafeRawBufferPointer.nothing
    package var apnsRequestID = UnsafeRawBufferPointer.nothing
    package var contentType = UnsafeRawBufferPointer.nothing
    /// The body, complete.
    ///
    /// Bytes past the session's limit were dropped: see `bodyLength`.
    package var body = UnsafeRawBufferPointer.nothing
    /// How long the body was on the wire; larger than `body.count` when the session kept only its beginning.
    package var bodyLength = 0
    /// Whether a header that may stand once stood twice.
    package var repeatsHeader = false
    /// Tells which requests of the connection are alike: the same but for path, `apns-id` and body, and without a header
    /// that is repeated.
    ///
    /// 0 when that is not known. The lowest two bits tell the last four such numbers apart.
    package var likeness: UInt32 = 0

    @inlinable @inline(__always)
    package init() {}
}

extension UnsafeRawBufferPointer {
    /// The view of no bytes.
    @inlinable @inline(__always)
    package static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

internal import CNGHTTP2

// What nghttp2 tells the session. Callbacks are plain functions that recover the session from nghttp2's user data and
// call one method; none allocates, except for the debug data of a GOAWAY and the first use of a stream's buffers.

extension ServerSession {
    /// The entry of a stream, or nil for one that was refused.
    private func entry(of stream: Int32) -> UnsafeMutablePointer<ServerStream>? {
        if stream == latestStream { return latest }
        latestStream = stream
        latest = nghttp2_session_get_stream_user_data(session, stream)?.assumingMemoryBound(to: ServerStream.self)
        return latest
    }

    fileprivate func began(_ frame: UnsafePointer<nghttp2_frame>) {
        let stream = frame.header.stream_id
        if let entry = entry(of: stream) {
            entry.pointee.isInTrailer = true
            return
        }
        guard let entry = table.take() else {
            check(
                nghttp2_submit_rst_stream(session, 0, stream, HTTP2ErrorCode.refusedStream.rawValue),
                "nghttp2_submit_rst_stream"
            )
            return
        }
        openStreams += 1
        entry.pointee.begin(stream, overLimit: openStreams > acknowledgedLimit)
        // INVALID_ARGUMENT for a stream that does not exist; this one has just begun.
        check(nghttp2_session_set_stream_user_data(session, stream, entry), "nghttp2_session_set_stream_user_data")
        latest = entry
    }

    /// One field of a request, when anything is captured.
    fileprivate func received(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        on stream: Int32
    ) {
        guard let entry = entry(of: stream), !entry.pointee.isInTrailer else { return }
        entry.pointee.headerSize &+= name.count &+ value.count &+ 32
        if entry.pointee.headerSize > settings.maximumHeader {
            entry.pointee.isHeaderTruncated = true
        } else if let place = names.place(of: name) {
            entry.pointee.keep(value, at: place)
        }
    }

    fileprivate func received(_ body: UnsafeRawBufferPointer, on stream: Int32) {
        guard let entry = entry(of: stream) else { return }
        if entry.pointee.bodyLength == 0 { entry.pointee.bodyOffset = entry.pointee.request.count }
        entry.pointee.bodyLength &+= body.count
        if capturesNothing { return }
        let room = settings.maximumBody - (entry.pointee.request.count - entry.pointee.bodyOffset)
        if body.count > room { entry.pointee.isBodyTruncated = true }
        entry.pointee.request.append(UnsafeRawBufferPointer(rebasing: body.prefix(room)))
    }

    fileprivate func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.header
        let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0 { return }
            if let entry = entry(of: header.stream_id) { complete(entry) }
        case NGHTTP2_SETTINGS where isAcknowledgement: acknowledged()
        case NGHTTP2_PING where !isAcknowledgement: events.append(ServerEvent(.ping))
        case NGHTTP2_GOAWAY: receivedGoAway(frame.pointee.goaway)
        default: break
        }
    }

    private func complete(_ entry: UnsafeMutablePointer<ServerStream>) {
        if entry.pointee.bodyLength == 0 { entry.pointee.bodyOffset = entry.pointee.request.count }
        events.append(ServerEvent(.request, stream: entry.pointee.handle))
    }

    private func acknowledged() {
        // nghttp2 takes the acknowledgement of SETTINGS that were submitted but not serialised yet.
        guard limitsSerialised > 0 else {
            check(
                nghttp2_session_terminate_session(session, HTTP2ErrorCode.protocolError.rawValue),
                "nghttp2_session_terminate_session"
            )
            return
        }
        limitsSerialised -= 1
        if let limit = limitsAnnounced.removeFirst() { acknowledgedLimit = Int(limit) }
        events.append(ServerEvent(.settingsAcknowledged, number: UInt32(acknowledgedLimit)))
    }

    private func receivedGoAway(_ goAway: nghttp2_goaway) {
        let debug = UnsafeMutableRawBufferPointer.allocate(byteCount: goAway.opaque_data_len, alignment: 1)
        debug.copyMemory(from: UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))
        debugData.append(debug)
        events.append(
            ServerEvent(
                .goAway,
                code: HTTP2ErrorCode(rawValue: goAway.error_code),
                bytes: UnsafeRawBufferPointer(debug)
            )
        )
    }

    fileprivate func closed(_ stream: Int32, code: UInt32) {
        guard let entry = entry(of: stream) else { return }
        latestStream = 0
        openStreams -= 1
        entry.pointee.isClosing = true
        events.append(ServerEvent(.closed, stream: entry.pointee.handle, code: HTTP2ErrorCode(rawValue: code)))
    }

    /// Looks at a frame that nghttp2 has just serialised.
    func inspect(_ frame: UnsafeRawBufferPointer) {
        switch nghttp2_frame_type(UInt32(frame[3])) {
        case NGHTTP2_HEADERS:
            tally.headerBytesOut &+= UInt64(frame.count)
            tally.messagesOut &+= 1
        case NGHTTP2_CONTINUATION: tally.headerBytesOut &+= UInt64(frame.count)
        case NGHTTP2_SETTINGS where frame[4] & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0: writeStreamLimit(into: frame)
        case NGHTTP2_GOAWAY: sentGoAway(frame)
        default: break
        }
    }

    /// Puts the announced stream limit into a SETTINGS frame, for which nghttp2 was told another.
    ///
    /// See `SettingsChange.entries`. The frame lies in nghttp2's own output buffer, which nobody else reads.
    private func writeStreamLimit(into frame: UnsafeRawBufferPointer) {
        let limit = limitsAnnounced[limitsSerialised]
        limitsSerialised += 1
        guard let limit else { return }
        let bytes = UnsafeMutableRawBufferPointer(mutating: frame)
        for offset in stride(from: 9, to: frame.count, by: 6)
        where frame[offset + 1] == UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) {
            bytes.storeBytes(of: limit.bigEndian, toByteOffset: offset + 2, as: UInt32.self)
        }
    }

    /// A GOAWAY that the caller did not ask for is nghttp2's verdict on the client.
    private func sentGoAway(_ frame: UnsafeRawBufferPointer) {
        if goAwaysAsked > 0 {
            goAwaysAsked -= 1
            return
        }
        let code = HTTP2ErrorCode(rawValue: UInt32(bitPattern: frame.bigEndian(at: 13)))
        fail(.violation(code: code, reason: String(decoding: frame[17...], as: UTF8.self)))
    }
}

extension SettingsChange {
    /// The values for nghttp2, in the RFC's order.
    ///
    /// It is told that any number of streams is allowed, and the real limit is written into the frame: otherwise nghttp2
    /// would refuse or close what is above the limit, which is for the host to decide.
    var entries: [nghttp2_settings_entry] {
        let values = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, headerTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streamLimit.map { _ in UInt32(Int32.max) }),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, maximumFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, maximumHeaderListSize),
        ]
        return values.compactMap { setting, value in value.map { nghttp2_settings_entry(setting, $0) } }
    }
}

/// An nghttp2 server session that reports to the `ServerSession` behind `userData`.
func makeServer(
    allocator: CountingAllocator,
    capture: HeaderCapture,
    userData: UnsafeMutableRawPointer
) throws(HTTP2Error) -> OpaquePointer {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else {
        nghttp2_session_callbacks_del(callbacks)
        throw .library(call: "nghttp2_session_callbacks_new", code: NGHTTP2_ERR_NOMEM.rawValue)
    }
    defer {
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
    }
    // Nothing here depends on priorities of closed streams, and a load generator may reset as many as it likes.
    nghttp2_option_set_no_closed_streams(options, 1)
    nghttp2_option_set_stream_reset_rate_limit(options, 1 << 32, 1 << 32)
    // Whoever keeps nothing of a request has no use for checks of what is in it.
    if capture == .nothing { nghttp2_option_set_no_http_messaging(options, 1) }
    setCallbacks(callbacks, capture: capture)
    var session: OpaquePointer?
    let code = nghttp2_session_server_new3(&session, callbacks, userData, options, allocator.memory)
    guard code == 0, let session else { throw .library(call: "nghttp2_session_server_new3", code: code) }
    return session
}

private func setCallbacks(_ callbacks: OpaquePointer?, capture: HeaderCapture) {
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
        withServer(user) { server in
            if let frame { server.began(frame) }
        }
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
        withServer(user) { server in
            if let frame { server.received(frame) }
        }
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
        withServer(user) { server in
            server.received(UnsafeRawBufferPointer(start: bytes, count: count), on: stream)
        }
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
        withServer(user) { server in server.closed(stream, code: code) }
    }
    if capture == .nothing { return }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
        _,
        frame,
        name,
        nameCount,
        value,
        valueCount,
        _,
        user in
        withServer(user) { server in
            guard let frame else { return }
            server.received(
                UnsafeBufferPointer(start: name, count: nameCount),
                UnsafeBufferPointer(start: value, count: valueCount),
                on: frame.header.stream_id
            )
        }
    }
}

/// Lends the session behind nghttp2's user data, which is alive because nghttp2 runs only inside its methods: so its
/// references need not be counted, which would cost as much as the callback's work.
@inline(__always)
private func withServer(_ userData: UnsafeMutableRawPointer?, _ body: (ServerSession) -> Void) -> Int32 {
    guard let userData else { preconditionFailure("nghttp2 lost its user data") }
    Unmanaged<ServerSession>.fromOpaque(userData)._withUnsafeGuaranteedRef(body)
    return 0
}

/// Copies the next bytes of an answer's body, which lie in the stream's entry or in a template.
func readAnswer(
    _ session: OpaquePointer?,
    _ stream: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ length: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ userData: UnsafeMutableRawPointer?
) -> Int {
    guard let entry = source?.pointee.ptr?.assumingMemoryBound(to: ServerStream.self), let buffer, let flags else {
        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    let body = entry.pointee.answerBody
    let offset = entry.pointee.answerOffset
    let count = min(length, body.count - offset)
    UnsafeMutableRawBufferPointer(start: buffer, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[offset..<offset + count]))
    entry.pointee.answerOffset = offset + count
    if offset + count == body.count { flags.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}

internal import CNGHTTP2

// What nghttp2 tells the session. Callbacks are plain functions that recover the session from nghttp2's user data and
// call one method; none allocates, except for the debug data of a GOAWAY.

extension NGHTTP2ClientSession {
    /// The slot of a stream, or nil for a stream that was never one of ours.
    private func slot(of stream: Int32) -> UnsafeMutablePointer<ClientSlot>? {
        if stream == latestStream { return latestSlot }
        latestStream = stream
        latestSlot = nghttp2_session_get_stream_user_data(session, stream)?.assumingMemoryBound(to: ClientSlot.self)
        return latestSlot
    }

    fileprivate func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.header
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS: receivedHeaders(header)
        case NGHTTP2_DATA where header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0:
            slot(of: header.stream_id)?.pointee.ended = true
        case NGHTTP2_SETTINGS where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0: receivedSettings()
        case NGHTTP2_PING where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 && pingsOut > 0:
            pingsOut -= 1
            events.append(ClientEvent(.pong))
        case NGHTTP2_GOAWAY: receivedGoAway(frame.pointee.goaway)
        default: break
        }
    }

    fileprivate func began(_ frame: UnsafePointer<nghttp2_frame>) {
        headerListSize = 0
    }

    /// One field of a response; only `:status` and `retry-after` are kept.
    fileprivate func received(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        on stream: Int32
    ) {
        guard let record = slot(of: stream), !record.pointee.refused else { return }
        headerListSize &+= UInt32(truncatingIfNeeded: name.count &+ value.count &+ 32)
        if headerListSize > settings.maximumHeaderListSize {
            // RFC 9113, section 10.5.1: too large a list is malformed.
            refuse(record)
        } else if name.count == 7, name[0] == UInt8(ascii: ":") {
            // nghttp2 has checked that this is `:status` with three digits (RFC 9113, section 8.3.2).
            record.pointee.status = value.reduce(0) { $0 &* 10 &+ UInt16($1 &- UInt8(ascii: "0")) }
            // Not a status code at all (RFC 9110, section 15).
            if record.pointee.status < 100 { refuse(record) }
        } else if name.count == 11, name.elementsEqual("retry-after".utf8) {
            record.pointee.keepRetryAfter(value)
        }
    }

    /// Resets a stream whose response is malformed in a way that nghttp2 lets pass.
    private func refuse(_ record: UnsafeMutablePointer<ClientSlot>) {
        record.pointee.refused = true
        reset(slot: UInt32(record - slots), code: .protocolError)
    }

    private func receivedHeaders(_ header: nghttp2_frame_hd) {
        guard let record = slot(of: header.stream_id), !record.pointee.refused else { return }
        let endStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        if endStream { record.pointee.ended = true }
        if record.pointee.answered || record.pointee.status < 200 { return }
        record.pointee.answered = true
        events.append(
            ClientEvent(
                .headers,
                slot: UInt32(record - slots),
                status: record.pointee.status,
                endStream: endStream,
                bytes: UnsafeRawBufferPointer(
                    start: record.pointee.retryAfter,
                    count: Int(record.pointee.retryAfterCount)
                )
            )
        )
    }

    fileprivate func received(_ body: UnsafeRawBufferPointer, on stream: Int32) {
        guard let record = slot(of: stream), !record.pointee.refused else { return }
        events.append(ClientEvent(.data, slot: UInt32(record - slots), bytes: body))
    }

    private func receivedSettings() {
        settingsReceived = true
        let limit = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        streamLimit = min(Int(limit), Int(Int32.max))
        events.append(ClientEvent(.settings, number: UInt32(streamLimit)))
    }

    private func receivedGoAway(_ goAway: nghttp2_goaway) {
        goAwayReceived = true
        let debug = UnsafeMutableRawBufferPointer.allocate(byteCount: goAway.opaque_data_len, alignment: 1)
        debug.copyMemory(from: UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))
        debugData.append(debug)
        events.append(
            ClientEvent(
                .goAway,
                code: HTTP2ErrorCode(rawValue: goAway.error_code),
                number: UInt32(goAway.last_stream_id),
                bytes: UnsafeRawBufferPointer(debug)
            )
        )
        while let slot = waiting.popFirst() { close(slots + Int(slot), code: .refusedStream) }
    }

    fileprivate func closed(_ stream: Int32, code: UInt32) {
        guard let record = slot(of: stream) else { return }
        latestStream = 0
        streamsOnWire -= 1
        close(record, code: HTTP2ErrorCode(rawValue: code))
    }

    /// Looks at a frame that nghttp2 has just serialised.
    func inspect(_ frame: UnsafeRawBufferPointer) {
        switch nghttp2_frame_type(UInt32(frame[3])) {
        case NGHTTP2_HEADERS:
            tally.headerBytesOut &+= UInt64(frame.count)
            tally.messagesOut &+= 1
            guard let record = slot(of: frame.bigEndian(at: 5)) else { return }
            events.append(ClientEvent(.written, slot: UInt32(record - slots)))
        case NGHTTP2_CONTINUATION: tally.headerBytesOut &+= UInt64(frame.count)
        case NGHTTP2_GOAWAY: sentGoAway(frame)
        default: break
        }
    }

    /// A GOAWAY that the caller did not ask for is nghttp2's verdict on the peer.
    private func sentGoAway(_ frame: UnsafeRawBufferPointer) {
        if goAwaysAsked > 0 {
            goAwaysAsked -= 1
            return
        }
        let code = HTTP2ErrorCode(rawValue: UInt32(bitPattern: frame.bigEndian(at: 13)))
        fail(.violation(code: code, reason: String(decoding: frame[17...], as: UTF8.self)))
    }

    /// The first words to the peer: SETTINGS, and a larger window for the connection.
    func announce(_ settings: ClientSettings) throws(HTTP2Error) {
        let entries = [
            nghttp2_settings_entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, UInt32(settings.streamWindow)),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maximumHeaderListSize),
        ]
        check(nghttp2_submit_settings(session, 0, entries, entries.count), "nghttp2_submit_settings")
        check(
            nghttp2_session_set_local_window_size(session, 0, 0, settings.connectionWindow),
            "nghttp2_session_set_local_window_size"
        )
        if let failure { throw failure }
    }
}

/// An nghttp2 client session that reports to the `NGHTTP2ClientSession` behind `userData`.
func makeClient(allocator: CountingAllocator, userData: UnsafeMutableRawPointer) throws(HTTP2Error) -> OpaquePointer {
    var callbacks: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0 else {
        throw .library(call: "nghttp2_session_callbacks_new", code: NGHTTP2_ERR_NOMEM.rawValue)
    }
    defer { nghttp2_session_callbacks_del(callbacks) }
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
        if let frame { client(user).began(frame) }
        return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
        _,
        frame,
        name,
        nameCount,
        value,
        valueCount,
        _,
        user in
        guard let frame else { return 0 }
        client(user)
            .received(
                UnsafeBufferPointer(start: name, count: nameCount),
                UnsafeBufferPointer(start: value, count: valueCount),
                on: frame.header.stream_id
            )
        return 0
    }
    nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
        // nghttp2 would leave the field out; RFC 9113, section 8.2.1, wants the response taken for malformed.
        NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
        if let frame { client(user).received(frame) }
        return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
        client(user).received(UnsafeRawBufferPointer(start: bytes, count: count), on: stream)
        return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
        client(user).closed(stream, code: code)
        return 0
    }
    var session: OpaquePointer?
    let code = nghttp2_session_client_new3(&session, callbacks, userData, nil, allocator.memory)
    guard code == 0, let session else { throw .library(call: "nghttp2_session_client_new3", code: code) }
    return session
}

/// The session behind nghttp2's user data, which is alive because nghttp2 runs only inside its methods.
private func client(_ userData: UnsafeMutableRawPointer?) -> NGHTTP2ClientSession {
    guard let userData else { preconditionFailure("nghttp2 lost its user data") }
    return Unmanaged<NGHTTP2ClientSession>.fromOpaque(userData).takeUnretainedValue()
}

/// Copies the next bytes of a request's body, which lie in the caller's slot memory.
func readBody(
    _ session: OpaquePointer?,
    _ stream: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ length: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ userData: UnsafeMutableRawPointer?
) -> Int {
    guard let record = source?.pointee.ptr?.assumingMemoryBound(to: ClientSlot.self), let buffer, let flags else {
        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    let body = record.pointee.variables.body
    let offset = record.pointee.bodyOffset
    let count = min(length, body.count - offset)
    UnsafeMutableRawBufferPointer(start: buffer, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[offset..<offset + count]))
    record.pointee.bodyOffset = offset + count
    if offset + count == body.count { flags.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}

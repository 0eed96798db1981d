internal import CNGHTTP2

/// A server's end of one HTTP/2 connection, on nghttp2: bytes in, bytes and events out; no socket, no clock, no thread.
///
/// A turn of the caller's loop is: `receive` what the socket gave, take events until nil, `respond` to requests (at
/// once or in a later turn), `collect` until 0 and write what it gave, take events until nil again. Confined to one
/// thread. The session enforces no stream limit of its own accord, beyond the memory it has: `RequestView.isOverLimit`
/// tells, and the caller decides.
///
/// The session is nghttp2's user data, unretained: nghttp2 calls back only from within calls made here.
package final class ServerSession {
    let settings: ServerSettings
    let allocator = CountingAllocator()
    let names: HeaderNames
    let capturesNothing: Bool
    var table: StreamTable
    var events: FixedQueue<ServerEvent>
    private var templates: [PreparedResponse] = []
    /// nil only until `init` has made it: nghttp2 wants the finished object's address.
    var session: OpaquePointer?

    /// Bytes from the peer that nghttp2 has not been fed yet.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The end of a frame that had no room in the last buffer; in nghttp2's memory until its next `mem_send`.
    private var unsent = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Why the session can't go on; nothing works after it is set.
    private var failure: HTTP2Error?
    /// Debug data of GOAWAY frames whose events may not have been taken; freed by the next `receive`.
    var debugData: [UnsafeMutableRawBufferPointer] = []
    var tally = SessionCounters()
    /// GOAWAY frames that the caller asked for and that are not yet serialised; any other is nghttp2's own.
    var goAwaysAsked = 0

    /// Stream limits in SETTINGS frames not yet acknowledged, oldest first; nil for a frame without one.
    var limitsAnnounced: [UInt32?] = []
    /// How many of them have been serialised.
    var limitsSerialised = 0
    /// The stream limit that the client has acknowledged; none before its first acknowledgement.
    package internal(set) var acknowledgedLimit = Int(Int32.max)
    /// Streams that have begun and not ended.
    package internal(set) var openStreams = 0

    /// The stream found last: callbacks come in runs for one stream.
    var latestStream: Int32 = 0
    var latest: UnsafeMutablePointer<ServerStream>?

    /// Input is fed in pieces of this size, which bounds the events that can wait (see `init`).
    private static let pieceSize = 8192

    /// A session that has its SETTINGS ready for `collect`.
    package init(settings: ServerSettings) throws(HTTP2Error) {
        self.settings = settings
        capturesNothing = settings.capture == .nothing
        if case .named(let fields) = settings.capture { names = HeaderNames(fields) } else { names = HeaderNames([]) }
        table = StreamTable(capacity: settings.maximumStreams, places: names.count)
        // Input is fed only while the queue is empty, and a frame of at least 9 bytes makes at most two events; apart
        // from that every stream can have its `closed` waiting, because its entry is taken until that is taken.
        events = FixedQueue(capacity: settings.maximumStreams + 2 * (Self.pieceSize / 9 + 1))
        session = try makeServer(
            allocator: allocator,
            capture: settings.capture,
            userData: Unmanaged.passUnretained(self).toOpaque()
        )
        try announce(settings.announced)
        check(
            nghttp2_session_set_local_window_size(session, 0, 0, settings.connectionWindow),
            "nghttp2_session_set_local_window_size"
        )
        if let failure { throw failure }
    }

    deinit {
        nghttp2_session_del(session)
        for block in debugData { block.deallocate() }
    }

    /// What the session has counted so far.
    package var counters: SessionCounters {
        var counters = tally
        counters.libraryAllocations = allocator.counts.allocations
        counters.libraryAllocatedBytes = allocator.counts.bytes
        return counters
    }

    // MARK: Bytes in

    /// Hands in bytes from the client, which stay valid until `nextEvent` has returned nil or thrown.
    ///
    /// The events of the bytes handed in before must have been taken.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        precondition(input.isEmpty, "receive was called before the events of the last input were taken")
        for block in debugData { block.deallocate() }
        debugData.removeAll(keepingCapacity: true)
        if failure == nil { input = bytes }
    }

    /// The next event, or nil when the bytes handed in are used up.
    ///
    /// - Throws: `violation` or `library` when the connection can't go on; no event follows.
    package func nextEvent() throws(HTTP2Error) -> ServerEvent? {
        while true {
            if let event = events.popFirst() {
                if event.kind == .closed { table.release(event.stream) }
                return event
            }
            if let failure { throw failure }
            if input.isEmpty { return nil }
            feed()
        }
    }

    /// Gives nghttp2 the next piece of input.
    private func feed() {
        let piece = min(Self.pieceSize, input.count)
        let used = nghttp2_session_mem_recv(session, input.baseAddress?.assumingMemoryBound(to: UInt8.self), piece)
        guard used > 0 else {
            // NOMEM, FLOODED, TOO_MANY_CONTINUATIONS, BAD_CLIENT_MAGIC, CALLBACK_FAILURE. Zero never comes for a piece
            // that is not empty.
            fail(.library(call: "nghttp2_session_mem_recv", code: Int32(used)))
            return
        }
        tally.bytesIn &+= UInt64(used)
        input = UnsafeRawBufferPointer(rebasing: input[used...])
    }

    /// The request of a stream that has not ended, or nil.
    package func request(_ stream: StreamHandle) -> RequestView? {
        table.find(stream).map { RequestView($0) }
    }

    // MARK: Answers

    /// Lays out a template; it allocates.
    package func prepare(_ template: ResponseTemplate) -> ResponseTemplateID {
        templates.append(PreparedResponse(template))
        return ResponseTemplateID(index: Int32(templates.count - 1))
    }

    /// Answers a request.
    ///
    /// Answering a stream twice is the caller's bug and traps.
    ///
    /// - Returns: Whether the stream was still there to be answered.
    @discardableResult
    package func respond(
        _ handle: StreamHandle,
        _ template: ResponseTemplateID,
        _ variables: ResponseVariables = ResponseVariables()
    ) throws(HTTP2Error) -> Bool {
        if let failure { throw failure }
        guard let stream = table.find(handle), !stream.pointee.isClosing else { return false }
        precondition(!stream.pointee.isAnswered, "stream \(handle.stream) was answered twice")
        stream.pointee.isAnswered = true
        let response = templates[Int(template.index)]
        stream.pointee.takeAnswer(variables, templateBody: response.body)
        let fields = response.fields(for: variables, in: stream)
        var body = nghttp2_data_provider(source: nghttp2_data_source(ptr: stream), read_callback: readAnswer)
        let code =
            stream.pointee.answerBody.isEmpty
            ? nghttp2_submit_response(session, handle.stream, fields.baseAddress, fields.count, nil)
            : nghttp2_submit_response(session, handle.stream, fields.baseAddress, fields.count, &body)
        // NOMEM only: the identifier is a client's and no other answer waits.
        check(code, "nghttp2_submit_response")
        if let failure { throw failure }
        return true
    }

    /// Resets a stream; `.closed` with this code follows when the frame is collected.
    package func reset(_ handle: StreamHandle, code: HTTP2ErrorCode) {
        guard let stream = table.find(handle), !stream.pointee.isClosing else { return }
        check(nghttp2_submit_rst_stream(session, 0, handle.stream, code.rawValue), "nghttp2_submit_rst_stream")
    }

    // MARK: The connection

    /// Sends a SETTINGS frame with these values.
    package func announce(_ change: SettingsChange) throws(HTTP2Error) {
        if let failure { throw failure }
        let entries = change.entries
        // FLOW_CONTROL or INVALID_ARGUMENT for a value out of its range, NOMEM.
        check(nghttp2_submit_settings(session, 0, entries, entries.count), "nghttp2_submit_settings")
        if let failure { throw failure }
        limitsAnnounced.append(change.streamLimit)
    }

    /// Says GOAWAY.
    ///
    /// Streams above the last one are dropped without an answer; the connection stays up.
    ///
    /// - Parameters:
    ///   - lastStream: nil for the highest that has begun. It can only fall from one GOAWAY to the next.
    ///   - code: Why.
    ///   - debug: Debug data for the client, such as a JSON object with a reason.
    /// - Throws: `library` when nghttp2 has no memory, or why the session can't go on.
    package func goAway(lastStream: Int32? = nil, code: HTTP2ErrorCode, debug: [UInt8] = []) throws(HTTP2Error) {
        if let failure { throw failure }
        let last = lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
        check(
            nghttp2_submit_goaway(session, 0, last, code.rawValue, debug, debug.count),
            "nghttp2_submit_goaway"
        )
        if let failure { throw failure }
        goAwaysAsked += 1
    }

    // MARK: Bytes out

    /// Whether `collect` would give bytes now.
    package var wantsWrite: Bool { !unsent.isEmpty || nghttp2_session_want_write(session) != 0 }

    /// Fills the buffer with frames that are due, as far as windows allow; call until 0.
    ///
    /// - Parameter buffer: Best 16 KiB, one TLS record; frames are cut where it ends and go on in the next call.
    /// - Returns: How many bytes of the buffer were filled.
    /// - Throws: What `nextEvent` throws, once the GOAWAY that tells the client has been handed out.
    package func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var filled = unsent.move(into: buffer, at: 0)
        while filled < buffer.count {
            var frame: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &frame)
            if count == 0 { break }
            if count < 0 {
                fail(.library(call: "nghttp2_session_mem_send", code: Int32(count)))
                break
            }
            unsent = UnsafeRawBufferPointer(start: frame, count: count)
            inspect(unsent)
            filled += unsent.move(into: buffer, at: filled)
        }
        if filled == 0, let failure { throw failure }
        tally.bytesOut &+= UInt64(filled)
        return filled
    }

    /// Keeps the first reason why the session can't go on.
    func fail(_ error: HTTP2Error) {
        if failure == nil { failure = error }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    func check(_ code: Int32, _ call: String) {
        if code != 0 { fail(.library(call: call, code: code)) }
    }
}

/// A server's end of one HTTP/2 connection: bytes in, bytes and events out; no socket, no clock, no thread.
///
/// A turn of the caller's loop is: `receive` what the socket gave, take events until nil, `respond` to requests (at
/// once or in a later turn), `collect` until 0 and write what it gave, take events until nil again. Confined to one
/// thread. The session enforces no stream limit of its own accord, beyond the memory it has: `RequestView.isOverLimit`
/// tells, and the caller decides.
///
/// It stands on the same frames and header blocks as `DirectClientSession`, and holds a client to every rule of
/// RFC 9113 that a server can see broken, as `ServerConformanceTests` shows section by section. Nothing is allocated
/// per request once a connection's streams have been in use.
package final class ServerSession {
    /// The value, at an address of its own: reached without the run-time checks of exclusive access.
    private let value: UnsafeMutablePointer<DirectServer>

    private var server: DirectServer {
        _read { yield value.pointee }
        _modify { yield &value.pointee }
    }

    /// A session that has its SETTINGS ready for `collect`.
    ///
    /// - Throws: `invalidSetting` for an announced value out of its range.
    package init(settings: ServerSettings) throws(HTTP2Error) {
        try settings.announced.check()
        value = .allocate(capacity: 1)
        value.initialize(to: DirectServer(settings: settings))
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// What the session has counted so far.
    package var counters: SessionCounters { server.counters }
    /// The stream limit that the client has acknowledged; none before its first acknowledgement.
    package var acknowledgedLimit: Int { server.acknowledgedLimit }
    /// Streams that have begun and not ended.
    package var openStreams: Int { server.openStreams }

    // MARK: Bytes in

    /// Hands in bytes from the client, which stay valid until `nextEvent` has returned nil or thrown.
    ///
    /// The events of the bytes handed in before must have been taken.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        server.receive(bytes)
    }

    /// The next event, or nil when the bytes handed in are used up.
    ///
    /// - Throws: `violation` when the connection can't go on; no event follows.
    package func nextEvent() throws(HTTP2Error) -> ServerEvent? {
        try server.nextEvent()
    }

    /// The request of a stream that has not ended, or nil.
    package func request(_ stream: StreamHandle) -> RequestView? {
        server.request(stream)
    }

    // MARK: Answers

    /// Lays out a template; it allocates.
    package func prepare(_ template: ResponseTemplate) -> ResponseTemplateID {
        server.prepare(template)
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
        try server.respond(handle, template, variables)
    }

    /// Resets a stream; `.closed` with this code follows.
    package func reset(_ handle: StreamHandle, code: HTTP2ErrorCode) {
        server.reset(handle, code: code)
    }

    // MARK: The connection

    /// Sends a SETTINGS frame with these values.
    ///
    /// - Throws: `invalidSetting` for a value out of its range, or why the session can't go on.
    package func announce(_ change: SettingsChange) throws(HTTP2Error) {
        try change.check()
        try server.announce(change)
    }

    /// Says GOAWAY.
    ///
    /// Streams above the last one are dropped without an answer, those to come too; the connection stays up.
    ///
    /// - Parameters:
    ///   - lastStream: nil for the highest that has begun. It can only fall from one GOAWAY to the next.
    ///   - code: Why.
    ///   - debug: Debug data for the client, such as a JSON object with a reason.
    /// - Throws: Why the session can't go on.
    package func goAway(lastStream: Int32? = nil, code: HTTP2ErrorCode, debug: [UInt8] = []) throws(HTTP2Error) {
        try server.goAway(lastStream: lastStream, code: code, debug: debug)
    }

    /// Sends a PING; `pong` follows.
    ///
    /// - Throws: Why the session can't go on.
    package func ping() throws(HTTP2Error) { try server.ping() }

    /// Streams that the client opened above the last one of a GOAWAY although it had answered a PING sent after that.
    package var streamsAfterGoAway: UInt64 { server.streamsAfterGoAway }

    // MARK: Bytes out

    /// Whether `collect` would give bytes now.
    package var wantsWrite: Bool { server.wantsWrite }

    /// Fills the buffer with frames that are due, as far as windows allow; call until 0.
    ///
    /// - Parameter buffer: Best 16 KiB, one TLS record; frames are cut where it ends and go on in the next call.
    /// - Returns: How many bytes of the buffer were filled.
    /// - Throws: What `nextEvent` throws, once the GOAWAY that tells the client has been handed out.
    package func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        try server.collect(into: buffer)
    }
}

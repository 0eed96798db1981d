internal import CNGHTTP2

/// A client session on nghttp2: the reference that other implementations are held against.
///
/// Requests wait in a queue of ours until a stream is free, so nghttp2 never holds one that it can't send, and a
/// template's fields are read before they are patched for the next request. After the start only nghttp2 allocates,
/// through a counting allocator. Don't use it where CPU per push is what matters most.
///
/// The session is nghttp2's user data, unretained: nghttp2 calls back only from within calls made here.
package final class NGHTTP2ClientSession: ClientSession {
    let settings: ClientSettings
    let allocator = CountingAllocator()
    private let table: ClientSlotTable
    var events: FixedQueue<ClientEvent>
    /// Slots that wait for a stream, oldest first.
    var waiting: FixedQueue<UInt32>
    var templates: [PreparedTemplate] = []
    /// nil only until `init` has made it: nghttp2 wants the finished object's address.
    var session: OpaquePointer?

    /// Bytes from the peer that nghttp2 has not been fed yet.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The end of a frame that had no room in the last buffer; in nghttp2's memory until its next `mem_send`.
    var unsent = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Why the session can't go on; nothing works after it is set.
    var failure: HTTP2Error?
    /// Debug data of GOAWAY frames whose events may not have been taken; freed by the next `receive`.
    var debugData: [UnsafeMutableRawBufferPointer] = []

    var tally = SessionCounters()
    var streamsOnWire = 0
    var pingsOut = 0
    var goAwayReceived = false
    var goAwaySent = false
    /// GOAWAY frames that the caller asked for and that are not yet serialised; any other is nghttp2's own.
    var goAwaysAsked = 0
    /// The stream found last and its slot: callbacks come in runs for one stream.
    var latestStream: Int32 = 0
    var latestSlot: UnsafeMutablePointer<ClientSlot>?
    /// Size of the header list being received, as RFC 9113, section 6.5.2 counts it.
    var headerListSize: UInt32 = 0

    package internal(set) var streamLimit: Int
    package internal(set) var settingsReceived = false
    package internal(set) var openStreams = 0

    /// Input is fed in pieces of this size, which bounds the events that can wait (see `eventCapacity`).
    private let pieceSize: Int

    package init(settings: ClientSettings) throws(HTTP2Error) {
        self.settings = settings
        streamLimit = settings.assumedStreamLimit
        pieceSize = min(max(16 * settings.slots, 1024), 8192)
        table = ClientSlotTable(count: settings.slots)
        waiting = FixedQueue(capacity: settings.slots)
        events = FixedQueue(capacity: Self.eventCapacity(slots: settings.slots, pieceSize: pieceSize))
        session = try makeClient(allocator: allocator, userData: Unmanaged.passUnretained(self).toOpaque())
        try announce(settings)
    }

    deinit {
        nghttp2_session_del(session)
        for block in debugData { block.deallocate() }
    }

    var slots: UnsafeMutablePointer<ClientSlot> { table.base }

    /// How many events can wait at one time.
    ///
    /// Input is fed only while the queue is empty, a piece at a time, and a frame of at least 9 bytes makes at most two
    /// events (`headers` or `data`, and `closed`). Apart from that a slot can have one `written` and one `closed`
    /// waiting (own reset, GOAWAY), because it is taken until its `closed` is taken.
    private static func eventCapacity(slots: Int, pieceSize: Int) -> Int {
        2 * slots + 2 * (pieceSize / 9 + 1)
    }

    package var counters: SessionCounters {
        var counters = tally
        counters.libraryAllocations = allocator.counts.allocations
        counters.libraryAllocatedBytes = allocator.counts.bytes
        return counters
    }

    // MARK: Requests

    package func prepare(_ template: RequestTemplate) -> TemplateID {
        templates.append(PreparedTemplate(template))
        return TemplateID(index: Int32(templates.count - 1))
    }

    package func replaceField(named name: String, in template: TemplateID, with value: String) {
        templates[Int(template.index)].replaceConstant(named: name, with: value)
    }

    package func submit(_ template: TemplateID, _ variables: RequestVariables, slot: UInt32) throws(HTTP2Error) {
        if let failure { throw failure }
        if goAwayReceived || goAwaySent { throw .goingAway }
        let next = Int(nghttp2_session_get_next_stream_id(session)) + 2 * waiting.count
        if next > Int(Int32.max) { throw .streamIDsExhausted }
        precondition(Int(slot) < settings.slots, "slot \(slot) is not below \(settings.slots)")
        precondition(slots[Int(slot)].phase == .free, "slot \(slot) is taken")
        slots[Int(slot)].take(variables, template: template)
        openStreams += 1
        waiting.append(slot)
    }

    package func reset(slot: UInt32, code: HTTP2ErrorCode) {
        let record = slots + Int(slot)
        switch record.pointee.phase {
        case .free, .closing: return
        case .waiting:
            waiting.keep { $0 != slot }
            close(record, code: code)
        case .open:
            // Fails only for want of memory; then the connection is over.
            check(
                nghttp2_submit_rst_stream(session, 0, record.pointee.stream, code.rawValue),
                "nghttp2_submit_rst_stream"
            )
        }
    }

    // MARK: Bytes in

    package func receive(_ bytes: UnsafeRawBufferPointer) {
        precondition(input.isEmpty, "receive was called before the events of the last input were taken")
        for block in debugData { block.deallocate() }
        debugData.removeAll(keepingCapacity: true)
        if failure == nil { input = bytes }
    }

    package func nextEvent() throws(HTTP2Error) -> ClientEvent? {
        while true {
            if let event = events.popFirst() {
                if event.kind == .closed { free(event.slot) }
                return event
            }
            if let failure { throw failure }
            if input.isEmpty { return nil }
            feed()
        }
    }

    /// Gives nghttp2 the next piece of input.
    private func feed() {
        let piece = min(pieceSize, input.count)
        let used = nghttp2_session_mem_recv(session, input.baseAddress?.assumingMemoryBound(to: UInt8.self), piece)
        guard used > 0 else {
            // NOMEM, FLOODED, TOO_MANY_CONTINUATIONS, CALLBACK_FAILURE. Zero never comes for a piece that is not empty.
            fail(.library(call: "nghttp2_session_mem_recv", code: Int32(used)))
            return
        }
        tally.bytesIn &+= UInt64(used)
        input = UnsafeRawBufferPointer(rebasing: input[used...])
    }

    // MARK: Bytes out

    package var wantsWrite: Bool {
        if !unsent.isEmpty || nghttp2_session_want_write(session) != 0 { return true }
        return canStart
    }

    package func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var filled = unsent.move(into: buffer, at: 0)
        while filled < buffer.count {
            var frame: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &frame)
            if count > 0 {
                unsent = UnsafeRawBufferPointer(start: frame, count: count)
                inspect(unsent)
                filled += unsent.move(into: buffer, at: filled)
            } else if count < 0 {
                fail(.library(call: "nghttp2_session_mem_send", code: Int32(count)))
                break
            } else if canStart {
                startNext()
            } else {
                break
            }
        }
        if filled == 0, let failure { throw failure }
        tally.bytesOut &+= UInt64(filled)
        return filled
    }

    private var canStart: Bool {
        !waiting.isEmpty && streamsOnWire < streamLimit && failure == nil && !goAwayReceived
    }

    /// Submits the oldest waiting request; nghttp2 has nothing else to send, so its HEADERS come next.
    private func startNext() {
        guard let slot = waiting.popFirst() else { return }
        let record = slots + Int(slot)
        let template = templates[Int(record.pointee.template)]
        let count = template.patch(record.pointee.variables)
        var body = nghttp2_data_provider(source: nghttp2_data_source(ptr: record), read_callback: readBody)
        let stream =
            record.pointee.variables.body.isEmpty
            ? nghttp2_submit_request(session, nil, template.fields.baseAddress, count, nil, record)
            : nghttp2_submit_request(session, nil, template.fields.baseAddress, count, &body, record)
        guard stream > 0 else {
            // NOMEM; STREAM_ID_NOT_AVAILABLE was ruled out by `submit`.
            fail(.library(call: "nghttp2_submit_request", code: stream))
            return
        }
        record.pointee.stream = stream
        record.pointee.phase = .open
        streamsOnWire += 1
        latestStream = stream
        latestSlot = record
    }

    package func ping() throws(HTTP2Error) {
        if let failure { throw failure }
        check(nghttp2_submit_ping(session, 0, nil), "nghttp2_submit_ping")
        if let failure { throw failure }
        pingsOut += 1
    }

    package func goAway(code: HTTP2ErrorCode) throws(HTTP2Error) {
        if let failure { throw failure }
        goAwaySent = true
        check(nghttp2_submit_goaway(session, 0, 0, code.rawValue, nil, 0), "nghttp2_submit_goaway")
        if let failure { throw failure }
        goAwaysAsked += 1
    }

    // MARK: Ends

    /// Ends the slot's request with a `closed` event.
    func close(_ record: UnsafeMutablePointer<ClientSlot>, code: HTTP2ErrorCode) {
        record.pointee.phase = .closing
        events.append(
            ClientEvent(.closed, slot: UInt32(record - slots), endStream: record.pointee.ended, code: code)
        )
    }

    private func free(_ slot: UInt32) {
        slots[Int(slot)].phase = .free
        openStreams -= 1
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

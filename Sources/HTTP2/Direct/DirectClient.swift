/// The direct client session as a value: frames of our own, header blocks from images, nothing allocated per push.
///
/// Parsing happens as events are taken; frames are written straight into the caller's buffer. Receiving stands in
/// `DirectClient+Receiving`, sending in `DirectClient+Sending`.
struct DirectClient: ~Copyable {
    let settings: ClientSettings
    var core: ConnectionCore
    var slots: DirectSlotTable
    var encoder = HeaderEncoder()
    var decoder: ResponseDecoder
    /// Events not yet taken.
    ///
    /// Between two empty states every slot can add `written` and `closed`, and a frame two more
    /// (GOAWAY closes slots, and adds itself), because parsing goes on only while the queue is empty.
    var events: FixedQueue<ClientEvent>
    /// Slots that wait for a stream, oldest first.
    var waiting: FixedQueue<UInt32>
    /// Slots whose body goes on when the connection's window and the buffer allow; each in here once.
    var sending: FixedQueue<UInt32>

    var openStreams = 0
    var streamsOnWire = 0
    var streamLimit: Int
    /// What a stream's window begins with: the RFC's until our SETTINGS are acknowledged.
    var initialReceiveWindow: Int32 = 65_535

    init(settings: ClientSettings) {
        self.settings = settings
        decoder = ResponseDecoder(maximumListSize: settings.maximumHeaderListSize)
        core = ConnectionCore(peerIsServer: true, receiveWindow: settings.connectionWindow)
        slots = DirectSlotTable(count: settings.slots)
        events = FixedQueue(capacity: 2 * settings.slots + 4)
        waiting = FixedQueue(capacity: settings.slots)
        sending = FixedQueue(capacity: settings.slots)
        streamLimit = settings.assumedStreamLimit
        core.output.append(contentsOf: ClientPreface.bytes)
        core.announce([
            (SettingID.enablePush, 0),
            (SettingID.initialWindowSize, UInt32(settings.streamWindow)),
            (SettingID.maximumHeaderListSize, settings.maximumHeaderListSize),
        ])
    }

    var counters: SessionCounters {
        var counters = core.tally
        counters.bytesLostToPlainStrings = encoder.bytesLost
        return counters
    }

    // MARK: Requests

    @inline(__always)
    mutating func submit(
        _ template: TemplateID,
        _ variables: RequestVariables,
        slot: UInt32
    ) throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        if core.goAwayReceived || core.goAwaySent { throw .goingAway }
        if slots.streamsLeft <= waiting.count { throw .streamIDsExhausted }
        precondition(Int(slot) < settings.slots, "slot \(slot) is not below \(settings.slots)")
        let record = slots[slot]
        precondition(record.pointee.phase == .free, "slot \(slot) is taken")
        record.pointee.take(variables, template: template)
        openStreams += 1
        waiting.append(slot)
    }

    mutating func reset(slot: UInt32, code: HTTP2ErrorCode) {
        let record = slots[slot]
        switch record.pointee.phase {
        case .free, .closing: return
        case .waiting:
            waiting.keep { $0 != slot }
            close(record, code: code)
        case .open: resetStream(record, code: code)
        }
    }

    /// Resets an open stream: RST_STREAM to the peer, `closed` to the caller.
    mutating func resetStream(_ record: UnsafeMutablePointer<DirectSlot>, code: HTTP2ErrorCode) {
        core.output.resetStream(record.pointee.stream, code: code)
        close(record, code: code)
    }

    /// Ends a request.
    @inline(__always)
    mutating func close(_ record: UnsafeMutablePointer<DirectSlot>, code: HTTP2ErrorCode) {
        let slot = slots.index(of: record)
        if record.pointee.phase == .open { streamsOnWire -= 1 }
        if record.pointee.isSending { sending.keep { $0 != slot } }
        record.pointee.phase = .closing
        events.append(ClientEvent(.closed, slot: slot, endStream: record.pointee.ended, code: code))
    }

    // MARK: The connection

    mutating func ping() throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        core.ping()
    }

    mutating func goAway(code: HTTP2ErrorCode) throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        core.goAway(lastStream: 0, code: code)
    }
}

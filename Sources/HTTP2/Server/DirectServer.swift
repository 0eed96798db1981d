/// The server session as a value.
///
/// Parsing happens as events are taken. What comes in stands in `DirectServer+Receiving`, what goes out in
/// `DirectServer+Sending`.
struct DirectServer: ~Copyable {
    let settings: ServerSettings
    /// Held by `heldNames`: its references need not be counted for every block.
    let names: Unmanaged<HeaderNames>
    private let heldNames: HeaderNames
    let keepsValues: Bool
    var core: ConnectionCore
    var streams: StreamTable
    var decoder = HeaderDecoder()
    var memos: HeaderMemos
    var encoder = HeaderEncoder()
    var answers: [PreparedAnswer] = []
    var preface = ClientPreface()
    /// Events not yet taken; parsing goes on only while there are none.
    ///
    /// Every stream adds at most `request` and `closed`, and a frame one more.
    var events: FixedQueue<ServerEvent>
    /// Entries whose answer's body goes on when windows and the buffer allow; each in here once.
    var sending: FixedQueue<UInt32>

    /// Our SETTINGS frames that the client has not acknowledged, oldest first.
    var unacknowledged: [SettingsChange]
    var acknowledgedLimit = Int(Int32.max)
    var openStreams = 0
    /// The client's highest stream so far.
    var lastStream: UInt32 = 0
    /// The last stream that our GOAWAY frames let go on.
    var goAwayLast = UInt32(Int32.max)
    /// Whether the client is known to have read a GOAWAY, and what it has opened since.
    var goAwayIsRead = false
    var streamsAfterGoAway: UInt64 = 0
    /// Up to this stream, frames may still come for streams that were reset before their request had come to its end.
    var resetAhead: UInt32 = 0
    /// What a stream's receive window begins with: the RFC's until our SETTINGS are acknowledged.
    var initialReceiveWindow: Int32 = 65_535

    init(settings: ServerSettings) {
        self.settings = settings
        keepsValues = settings.capture != .nothing
        heldNames = settings.capture.names
        names = Unmanaged.passUnretained(heldNames)
        core = ConnectionCore(peerIsServer: false, receiveWindow: settings.connectionWindow)
        memos = HeaderMemos(places: heldNames.count)
        streams = StreamTable(capacity: settings.maximumStreams, places: heldNames.count)
        events = FixedQueue(capacity: 2 * settings.maximumStreams + 4)
        sending = FixedQueue(capacity: settings.maximumStreams)
        unacknowledged = [settings.announced]
        core.announce(settings.announced.entries)
        prepare(for: settings.announced)
    }

    deinit {
        for answer in answers { answer.free() }
    }

    var counters: SessionCounters {
        var counters = core.tally
        counters.bytesLostToPlainStrings = encoder.bytesLost
        return counters
    }

    // MARK: Streams

    func request(_ stream: StreamHandle) -> RequestView? {
        guard let entry = streams.find(stream) else { return nil }
        return RequestView(entry, keepsValues: keepsValues)
    }

    mutating func reset(_ handle: StreamHandle, code: HTTP2ErrorCode) {
        guard let entry = streams.find(handle), entry.pointee.phase != .closing else { return }
        resetStream(entry, code: code)
    }

    /// Resets a stream: RST_STREAM to the client, `closed` to the caller.
    mutating func resetStream(_ entry: UnsafeMutablePointer<ServerStream>, code: HTTP2ErrorCode) {
        core.output.resetStream(entry.pointee.stream, code: code)
        if entry.pointee.phase == .open { resetAhead = max(resetAhead, entry.pointee.stream) }
        close(entry, code: code)
    }

    @inline(__always)
    mutating func close(_ entry: UnsafeMutablePointer<ServerStream>, code: HTTP2ErrorCode) {
        if entry.pointee.isSending {
            let index = entry.pointee.index
            sending.keep { $0 != index }
        }
        streams.close(entry.pointee.stream)
        openStreams -= 1
        entry.pointee.phase = .closing
        events.append(ServerEvent(.closed, stream: entry.pointee.handle, code: code))
    }

    // MARK: The connection

    mutating func announce(_ change: SettingsChange) throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        core.output.settings(change.entries)
        core.settingsInFlight += 1
        unacknowledged.append(change)
        prepare(for: change)
    }

    /// A client may use what we allow as soon as it knows, before its acknowledgement has come.
    private mutating func prepare(for change: SettingsChange) {
        if let size = change.maximumFrameSize {
            core.input.maximumFrameSize = max(core.input.maximumFrameSize, Int(size))
        }
    }

    mutating func ping() throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        core.ping()
    }

    mutating func goAway(lastStream last: Int32?, code: HTTP2ErrorCode, debug: [UInt8]) throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        goAwayLast = min(goAwayLast, last.map { UInt32(max(0, $0)) } ?? lastStream)
        core.goAway(lastStream: goAwayLast, code: code, debug: debug)
        for index in 0..<UInt32(streams.used) {
            let entry = streams[index]
            if entry.pointee.isOpen, entry.pointee.stream > goAwayLast { close(entry, code: .refusedStream) }
        }
    }
}

extension SettingsChange {
    /// Throws for a value out of its range (RFC 9113, section 6.5.2).
    func check() throws(HTTP2Error) {
        if let size = initialWindowSize, size > UInt32(Int32.max) {
            throw .invalidSetting("SETTINGS_INITIAL_WINDOW_SIZE \(size) is above 2147483647")
        }
        if let size = maximumFrameSize, !(16_384...16_777_215).contains(size) {
            throw .invalidSetting("SETTINGS_MAX_FRAME_SIZE \(size) is not within 16384...16777215")
        }
    }
}

/// One HTTP/2 connection as a sender sees it: bytes in, bytes and events out; no socket, no clock, no thread.
///
/// A turn of the caller's loop is: `receive` what the socket gave, take events until nil, `submit` what is due,
/// `collect` until 0 and write what it gave, take events until nil again (`.written` comes from `collect`).
/// Confined to one thread.
package protocol ClientSession: AnyObject {
    /// A session that has the connection preface and its SETTINGS ready for `collect`.
    init(settings: ClientSettings) throws(HTTP2Error)

    /// Lays out a template; done before the clock starts, it allocates.
    func prepare(_ template: RequestTemplate) -> TemplateID

    /// Gives a constant field of a template another value, for requests whose HEADERS are not yet serialised too.
    /// This is how a new provider token comes in.
    func replaceField(named name: String, in template: TemplateID, with value: String)

    /// Hands over a request. It waits inside for a free stream, in order; whoever would rather use another connection
    /// compares `openStreams` with `streamLimit` first.
    ///
    /// - Parameters:
    ///   - template: Which fields the request has.
    ///   - variables: What it has of its own; see there how long the memory stays valid.
    ///   - slot: The caller's tag, below `ClientSettings.slots`; it comes back in events and is taken until the
    ///     `.closed` event has been handed out. A slot that is taken is the caller's bug and traps.
    /// - Throws: `goingAway` or `streamIDsExhausted`, and nothing has happened; the slot stays free.
    func submit(_ template: TemplateID, _ variables: RequestVariables, slot: UInt32) throws(HTTP2Error)

    /// Gives up a request: RST_STREAM goes out if it had a stream. `.closed` with this code follows, after the next
    /// `collect` at the latest. Does nothing for a free slot.
    func reset(slot: UInt32, code: HTTP2ErrorCode)

    /// Hands in bytes from the peer, which stay valid until `nextEvent` has returned nil or thrown. The events of the
    /// bytes handed in before must have been taken.
    func receive(_ bytes: UnsafeRawBufferPointer)

    /// The next event, or nil when the bytes handed in are used up. Input is parsed as events are taken, so the queue
    /// stays small however much comes in.
    ///
    /// - Throws: `violation` or `library` when the connection can't go on; no event follows, and every request still
    ///   open is the caller's to fail.
    func nextEvent() throws(HTTP2Error) -> ClientEvent?

    /// Fills the buffer with frames that are due, as far as streams and windows allow. Call until 0.
    ///
    /// - Parameter buffer: Best 16 KiB, one TLS record; frames are cut where it ends and go on in the next call.
    /// - Returns: How many bytes of the buffer were filled.
    /// - Throws: What `nextEvent` throws, once the GOAWAY that tells the peer has been handed out.
    func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int

    /// Whether `collect` would give bytes now.
    var wantsWrite: Bool { get }

    /// How many streams the peer allows at one time, now; 2^31-1 when it set no limit. Before its first SETTINGS
    /// this is `ClientSettings.assumedStreamLimit`.
    var streamLimit: Int { get }

    /// Whether the peer's first SETTINGS frame has come.
    var settingsReceived: Bool { get }

    /// Requests handed over and not yet closed, the waiting ones included.
    var openStreams: Int { get }

    /// Sends a PING; its answer is a `.pong`.
    func ping() throws(HTTP2Error)

    /// Says GOAWAY: no request is taken from here on, those open go on.
    func goAway(code: HTTP2ErrorCode) throws(HTTP2Error)

    /// What the session has counted so far.
    var counters: SessionCounters { get }
}

/// What a client session announces and how much it keeps ready.
package struct ClientSettings: Hashable, Sendable {
    /// How many requests may be open or waiting at one time; their slots are numbered from 0.
    ///
    /// Memory for each is kept from the start (about 250 bytes).
    package var slots = 1024
    /// SETTINGS_INITIAL_WINDOW_SIZE: how many bytes of one response's body may be on their way.
    package var streamWindow: Int32 = 1 << 20
    /// How many bytes of all bodies may be on their way; never below 65,535.
    package var connectionWindow: Int32 = 1 << 24
    /// SETTINGS_MAX_HEADER_LIST_SIZE that we announce.
    package var maximumHeaderListSize: UInt32 = 16 << 10
    /// The stream limit until the peer's first SETTINGS (RFC 9113, section 6.5.2 recommends no less than 100).
    package var assumedStreamLimit = 100

    package init(slots: Int = 1024) {
        self.slots = slots
    }
}

/// What a session counts, for both directions; never reset.
package struct SessionCounters: Hashable, Sendable {
    /// Bytes handed to `receive` and used.
    package var bytesIn: UInt64 = 0
    /// Bytes given by `collect`.
    package var bytesOut: UInt64 = 0
    /// Requests (client) or responses (server) whose HEADERS were serialised.
    package var messagesOut: UInt64 = 0
    /// Bytes of those HEADERS and CONTINUATION frames, frame headers included.
    package var headerBytesOut: UInt64 = 0
    /// How many more bytes header blocks had because their never-indexed strings were not Huffman-coded; strings that
    /// vary are looked at once in 64 requests.
    package var bytesLostToPlainStrings: UInt64 = 0
    /// Allocations made inside the protocol library.
    package var libraryAllocations: UInt64 = 0
    /// Bytes asked for by them.
    package var libraryAllocatedBytes: UInt64 = 0

    package init() {}
}

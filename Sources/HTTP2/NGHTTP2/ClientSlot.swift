/// What the nghttp2-backed client session keeps of one request; trivial, in a table indexed by the caller's slot.
struct ClientSlot: BitwiseCopyable {
    enum Phase: UInt8 {
        /// No request: the slot may be used.
        case free
        /// Handed over, and waiting for a stream.
        case waiting
        /// On a stream.
        case open
        /// Closed, but the caller has not taken the event yet.
        case closing
    }

    var variables: RequestVariables
    var stream: Int32 = 0
    var template: Int32 = 0
    /// How many bytes of the body nghttp2 has taken.
    var bodyOffset = 0
    var status: UInt16 = 0
    var phase = Phase.free
    /// The `headers` event of the final response has been made.
    var answered = false
    /// The response came to its end (END_STREAM).
    var ended = false
    /// We gave up the response: nothing of it is reported any more.
    var refused = false
    /// Length of the value in `retryAfter`.
    var retryAfterCount: UInt8 = 0
    /// `RetryAfter.limit` bytes of this slot's own, for as long as the table lives.
    let retryAfter: UnsafeMutablePointer<UInt8>

    init(retryAfter: UnsafeMutablePointer<UInt8>) {
        variables = RequestVariables(path: UnsafeRawBufferPointer(start: nil, count: 0))
        self.retryAfter = retryAfter
    }

    /// Begins a request in a free slot.
    mutating func take(_ variables: RequestVariables, template: TemplateID) {
        self.variables = variables
        self.template = template.index
        stream = 0
        bodyOffset = 0
        status = 0
        phase = .waiting
        answered = false
        ended = false
        refused = false
        retryAfterCount = 0
    }

    /// Copies the value, or drops it when it is longer than any valid one.
    mutating func keepRetryAfter(_ value: UnsafeBufferPointer<UInt8>) {
        guard value.count <= Self.retryAfterLimit, let base = value.baseAddress else { return }
        retryAfter.update(from: base, count: value.count)
        retryAfterCount = UInt8(value.count)
    }

    /// Every valid value, a number or a date, is shorter (RFC 9110, sections 10.2.3 and 5.6.7).
    static let retryAfterLimit = 40
}

/// The slots of a session, with the memory for their `retry-after` values.
struct ClientSlotTable: ~Copyable {
    let count: Int
    let base: UnsafeMutablePointer<ClientSlot>
    private let retryAfter: UnsafeMutablePointer<UInt8>

    init(count: Int) {
        self.count = count
        base = .allocate(capacity: count)
        retryAfter = .allocate(capacity: count * ClientSlot.retryAfterLimit)
        retryAfter.initialize(repeating: 0, count: count * ClientSlot.retryAfterLimit)
        for index in 0..<count {
            (base + index).initialize(to: ClientSlot(retryAfter: retryAfter + index * ClientSlot.retryAfterLimit))
        }
    }

    deinit {
        base.deallocate()
        retryAfter.deallocate()
    }
}

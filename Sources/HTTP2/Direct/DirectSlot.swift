/// What the direct client session keeps of one request; trivial, in a table indexed by the caller's slot.
struct DirectSlot: BitwiseCopyable {
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

    // What the request has of its own, in parts that are stored one by one: copied as wholes straight after they were
    // made, they would have to wait until everything written before is in the cache.
    private var path: UnsafeRawPointer?
    private var apnsID: UnsafeRawPointer?
    private var body: UnsafeRawPointer?
    private var pathCount: UInt32 = 0
    private var apnsIDCount: UInt32 = 0
    private var bodyCount: UInt32 = 0
    var stream: UInt32 = 0
    var template: Int32 = 0
    /// How many bytes of the body have been written.
    var bodyOffset = 0
    var sendWindow = SendWindow(size: 0)
    var receiveWindow = ReceiveWindow(size: 0)
    var head = ResponseHead()
    var phase = Phase.free
    /// The response came to its end (END_STREAM).
    var ended = false
    /// The request went out to its end.
    var sent = false
    /// The slot stands in the queue of bodies to go on with.
    var isSending = false
    /// Length of the value in the slot's part of the retry-after memory.
    var retryAfterCount: UInt8 = 0

    /// Every valid value, a number or a date, is shorter (RFC 9110, sections 10.2.3 and 5.6.7).
    static let retryAfterLimit = 40

    @inline(__always)
    var variables: RequestVariables {
        RequestVariables(
            path: UnsafeRawBufferPointer(start: path, count: Int(pathCount)),
            apnsID: UnsafeRawBufferPointer(start: apnsID, count: Int(apnsIDCount)),
            body: UnsafeRawBufferPointer(start: body, count: Int(bodyCount))
        )
    }

    /// Begins a request in a free slot.
    @inline(__always)
    mutating func take(_ variables: RequestVariables, template: TemplateID) {
        path = variables.path.baseAddress
        apnsID = variables.apnsID.baseAddress
        body = variables.body.baseAddress
        pathCount = UInt32(variables.path.count)
        apnsIDCount = UInt32(variables.apnsID.count)
        bodyCount = UInt32(variables.body.count)
        self.template = template.index
        stream = 0
        bodyOffset = 0
        head = ResponseHead()
        phase = .waiting
        ended = false
        sent = false
        isSending = false
        retryAfterCount = 0
    }
}

/// The slots of a direct session, and the way from a stream to its slot.
///
/// Streams are found by the low bits of their identifier in a ring four times as long as the table of slots; where an
/// old stream is still open in the place of a new one, the new one's identifier is passed over (RFC 9113, section
/// 5.1.1 lets a client skip identifiers). So a stream is found with two loads, nothing is hashed, and a stream that
/// stays open for ever costs an identifier now and then.
struct DirectSlotTable: ~Copyable {
    let count: Int
    let base: UnsafeMutablePointer<DirectSlot>
    private let retryAfter: UnsafeMutablePointer<UInt8>
    private let ring: UnsafeMutablePointer<UInt32>
    private let mask: UInt32
    /// The identifier of the next stream, unless it is passed over.
    private(set) var nextStream: UInt32 = 1

    init(count: Int) {
        self.count = count
        base = .allocate(capacity: count)
        base.initialize(repeating: DirectSlot(), count: count)
        retryAfter = .allocate(capacity: count * DirectSlot.retryAfterLimit)
        var places = 4
        while places < 4 * count { places *= 2 }
        ring = .allocate(capacity: places)
        ring.initialize(repeating: 0, count: places)
        mask = UInt32(places - 1)
    }

    deinit {
        base.deallocate()
        retryAfter.deallocate()
        ring.deallocate()
    }

    @inline(__always)
    subscript(slot: UInt32) -> UnsafeMutablePointer<DirectSlot> { base + Int(slot) }

    /// The open request on that stream, or nil.
    @inline(__always)
    func find(_ stream: UInt32) -> UnsafeMutablePointer<DirectSlot>? {
        let slot = base + Int(ring[Int(stream >> 1 & mask)])
        return slot.pointee.stream == stream && slot.pointee.phase == .open ? slot : nil
    }

    /// Whether the stream has never been used and never will be by what has been sent so far.
    @inline(__always)
    func isIdle(_ stream: UInt32) -> Bool {
        // Even ones are the server's, which may open none: push is off.
        stream >= nextStream || stream & 1 == 0
    }

    /// How many requests can still get a stream, at least.
    var streamsLeft: Int {
        // Passing over costs at most as many identifiers as the ring has places, once for each request at worst.
        nextStream > UInt32(Int32.max) ? 0 : Int(UInt32(Int32.max) - nextStream) / 2 + 1
    }

    /// Gives a slot the next stream.
    ///
    /// - Returns: The stream, or nil when the identifiers are used up.
    @inline(__always)
    mutating func open(_ slot: UInt32) -> UInt32? {
        while nextStream <= UInt32(Int32.max) {
            let place = Int(nextStream >> 1 & mask)
            let occupant = base + Int(ring[place])
            let stream = nextStream
            nextStream += 2
            if occupant.pointee.phase == .open, Int(occupant.pointee.stream >> 1 & mask) == place { continue }
            ring[place] = slot
            base[Int(slot)].stream = stream
            base[Int(slot)].phase = .open
            return stream
        }
        return nil
    }

    /// Passes over all identifiers below this one.
    mutating func skip(to stream: UInt32) {
        nextStream = max(nextStream, stream)
    }

    @inline(__always)
    func index(of slot: UnsafeMutablePointer<DirectSlot>) -> UInt32 { UInt32(truncatingIfNeeded: slot - base) }

    // MARK: retry-after

    /// Copies the value, or drops it when it is longer than any valid one.
    func keepRetryAfter(_ value: UnsafeRawBufferPointer, of slot: UnsafeMutablePointer<DirectSlot>) {
        guard value.count <= DirectSlot.retryAfterLimit, let source = value.baseAddress else { return }
        UnsafeMutableRawPointer(retryAfter(of: slot)).copyMemory(from: source, byteCount: value.count)
        slot.pointee.retryAfterCount = UInt8(value.count)
    }

    @inline(__always)
    func retryAfterBytes(of slot: UnsafeMutablePointer<DirectSlot>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: retryAfter(of: slot), count: Int(slot.pointee.retryAfterCount))
    }

    @inline(__always)
    private func retryAfter(of slot: UnsafeMutablePointer<DirectSlot>) -> UnsafeMutablePointer<UInt8> {
        retryAfter + (slot - base) * DirectSlot.retryAfterLimit
    }
}

/// Where a value lies in a stream's memory.
@usableFromInline
struct ValueSpan: BitwiseCopyable {
    @usableFromInline var offset: Int32
    @usableFromInline var count: Int32
}

/// What a server session keeps of one stream; trivial, reused for the streams that follow.
///
/// Its buffers grow to the largest request and answer they have held and are kept, so that the steady state allocates
/// nothing. The session frees them.
struct ServerStream: BitwiseCopyable {
    enum Phase {
        /// No stream.
        case free
        /// The request is coming in.
        case open
        /// The request is complete (half closed by the client).
        case complete
        /// Closed, and its event not yet taken.
        case closing
    }

    var stream: UInt32 = 0
    var index: UInt32
    /// Which header values are there, and which came twice; bit per place.
    var present: UInt32 = 0
    var duplicated: UInt32 = 0
    /// Which values entered the dynamic table or came from it, and which were never to be indexed.
    var indexed: UInt32 = 0
    var neverIndexed: UInt32 = 0
    /// Which requests of the session this one's header is like, in all values but those of `varying`; 0 for none.
    var likeness: UInt32 = 0
    var varying: UInt32 = 0
    var headerSize = 0
    /// Where the body begins in `request`.
    var bodyOffset = 0
    /// Bytes of body received, kept or not.
    var bodyLength = 0
    /// What content-length says, or -1.
    var contentLength: Int64 = -1
    var phase = Phase.free
    var isHeaderTruncated = false
    var isBodyTruncated = false
    var isOverLimit = false
    var isAnswered = false
    /// The stream stands in the queue of bodies to go on with.
    var isSending = false
    var sendWindow = SendWindow(size: 0)
    var receiveWindow = ReceiveWindow(size: 0)
    /// Header values, then the body.
    var request = GrowingBuffer()
    /// Where the values lie in `request`; as many as the session has places.
    let spans: UnsafeMutablePointer<ValueSpan>
    /// A copy of an answer's body that could not go out at once.
    var answer = GrowingBuffer()
    /// What is left of the answer's body, in `answer` or in a template.
    var answerBody = UnsafeRawBufferPointer(start: nil, count: 0)

    init(index: UInt32, places: Int) {
        self.index = index
        spans = .allocate(capacity: places)
    }

    func freeBuffers() {
        request.free()
        answer.free()
        spans.deallocate()
    }

    /// Begins a stream.
    @inline(__always)
    mutating func begin(_ stream: UInt32, send: Int32, receive: Int32, overLimit: Bool) {
        self.stream = stream
        present = 0
        duplicated = 0
        indexed = 0
        neverIndexed = 0
        likeness = 0
        headerSize = 0
        bodyOffset = 0
        bodyLength = 0
        contentLength = -1
        phase = .open
        isHeaderTruncated = false
        isBodyTruncated = false
        isOverLimit = overLimit
        isAnswered = false
        isSending = false
        sendWindow = SendWindow(size: send)
        receiveWindow = ReceiveWindow(size: receive)
        request.count = 0
        answer.count = 0
        answerBody = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Keeps the first value of a field, and notes that there was a second.
    @inline(__always)
    mutating func keep(_ field: DecodedField, at place: Int, keepsValue: Bool) {
        let bit: UInt32 = 1 << UInt32(place)
        switch field.source {
        case .added, .dynamicTable: indexed |= bit
        case .neverIndexed: neverIndexed |= bit
        case .staticTable, .literal: break
        }
        guard present & bit == 0 else {
            duplicated |= bit
            return
        }
        present |= bit
        guard keepsValue else { return }
        spans[place] = ValueSpan(offset: Int32(request.count), count: Int32(field.value.count))
        request.append(field.value)
    }

    /// Keeps the body's next bytes as far as there is room.
    @inline(__always)
    mutating func keepBody(_ body: UnsafeRawBufferPointer, room: Int) {
        let left = room - (request.count - bodyOffset)
        if body.count <= left { return request.append(body) }
        isBodyTruncated = true
        request.append(UnsafeRawBufferPointer(rebasing: body.prefix(left)))
    }

    /// Copies an answer's body until it has gone out.
    mutating func keepAnswer(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        answer.count = 0
        answer.append(body)
        return answer.bytes(from: 0, count: body.count)
    }

    var isOpen: Bool { phase == .open || phase == .complete }

    /// Whether bytes of body so far may be all, or may be followed by more.
    @inline(__always)
    var isBodyComplete: Bool { contentLength < 0 || contentLength == bodyLength }

    var handle: StreamHandle { StreamHandle(index: index, stream: Int32(bitPattern: stream)) }
}

extension UnsafeMutablePointer<ServerStream> {
    /// A value that was kept; read in place, since the stream is too large to be copied for it.
    @inline(__always)
    func value(at place: Int) -> UnsafeRawBufferPointer? {
        guard pointee.present & (1 << UInt32(place)) != 0 else { return nil }
        let span = pointee.spans[place]
        return pointee.request.bytes(from: Int(span.offset), count: Int(span.count))
    }
}

/// What a server session keeps of one stream; trivial, reused for the streams that follow.
///
/// Its two buffers grow to the largest request and answer they have held and are kept, so that the steady state
/// allocates nothing. The session frees them.
struct ServerStream: BitwiseCopyable {
    struct Span: BitwiseCopyable {
        var offset: Int32
        var count: Int32
    }

    var stream: Int32 = 0
    var index: UInt32
    /// Which header values are there, and which came twice; bit per place.
    var present: UInt32 = 0
    var duplicated: UInt32 = 0
    var headerSize = 0
    /// Where the body begins in `request`.
    var bodyOffset = 0
    /// Bytes of body received, kept or not.
    var bodyLength = 0
    var isHeaderTruncated = false
    var isBodyTruncated = false
    var isInTrailer = false
    var isOverLimit = false
    var isAnswered = false
    /// The stream is closed, and its event not yet taken.
    var isClosing = false
    /// Header values, then the body.
    var request = GrowingBuffer()
    /// Where the values lie in `request`; as many as the session has places.
    let spans: UnsafeMutablePointer<Span>
    /// Copies of what varies in an answer, until the stream is closed.
    var answer = GrowingBuffer()
    /// The answer's body, in `answer` or in a template, and how much of it nghttp2 has taken.
    var answerBody = UnsafeRawBufferPointer(start: nil, count: 0)
    var answerOffset = 0

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
    mutating func begin(_ stream: Int32, overLimit: Bool) {
        self.stream = stream
        present = 0
        duplicated = 0
        headerSize = 0
        bodyOffset = 0
        bodyLength = 0
        isHeaderTruncated = false
        isBodyTruncated = false
        isInTrailer = false
        isOverLimit = overLimit
        isAnswered = false
        isClosing = false
        request.count = 0
        answer.count = 0
        answerBody = UnsafeRawBufferPointer(start: nil, count: 0)
        answerOffset = 0
    }

    /// Keeps the first value of a field, and notes that there was a second.
    mutating func keep(_ value: UnsafeBufferPointer<UInt8>, at place: Int) {
        let bit: UInt32 = 1 << UInt32(place)
        guard present & bit == 0 else {
            duplicated |= bit
            return
        }
        present |= bit
        spans[place] = Span(offset: Int32(request.count), count: Int32(value.count))
        request.append(UnsafeRawBufferPointer(value))
    }

    /// Takes up an answer's body, and makes room for its header values.
    mutating func takeAnswer(_ variables: ResponseVariables, templateBody: UnsafeRawBufferPointer) {
        // 20 more for the digits of content-length.
        answer.reserve(variables.size + 20)
        answerBody = variables.body.isEmpty ? templateBody : answer.appendInReserve(variables.body)
    }

    func value(at place: Int) -> UnsafeRawBufferPointer? {
        guard present & (1 << UInt32(place)) != 0 else { return nil }
        let span = spans[place]
        return request.bytes(from: Int(span.offset), count: Int(span.count))
    }

    var handle: StreamHandle { StreamHandle(index: index, stream: stream) }
}

/// What header blocks have said about one response so far.
struct ResponseHead: BitwiseCopyable {
    /// The status code; 0 before there is one.
    var status: UInt16 = 0
    /// The final response's header has come: what follows are trailers.
    var isFinal = false
    /// content-length, or -1.
    var contentLength: Int64 = -1
    /// Bytes of body that have come.
    var bodyLength: Int64 = 0

    /// The length that the body must have in the end, if it is known.
    @inline(__always)
    var isBodyComplete: Bool { contentLength < 0 || contentLength == bodyLength }
}

/// Decodes the header blocks of responses and checks them by the rules of RFC 9113, section 8.
struct ResponseDecoder: ~Copyable {
    private var decoder = HeaderDecoder()
    private let maximumListSize: Int
    /// Where a response's retry-after is kept until its block has been decoded.
    private let retryAfter: UnsafeMutableRawBufferPointer

    init(maximumListSize: UInt32) {
        self.maximumListSize = Int(maximumListSize)
        retryAfter = .allocate(byteCount: DirectSlot.retryAfterLimit, alignment: 1)
    }

    deinit {
        retryAfter.deallocate()
    }

    /// Decodes a block that nobody waits for, so that the table stays right.
    mutating func skip(_ block: UnsafeRawBufferPointer) throws(Violation) {
        var sink = ResponseSink(head: ResponseHead(), retryAfter: retryAfter)
        // Its kinds enter the table, its fields go nowhere.
        _ = try decoder.decode(block, limit: 0, into: &sink)
    }

    /// Decodes a block of a response: a header, an interim one, or trailers.
    ///
    /// - Parameters:
    ///   - block: The whole block.
    ///   - head: What is known of the response; brought up to date.
    ///   - endStream: Whether the stream ends with the block.
    ///   - keepRetryAfter: Called with the value of retry-after, if it is not longer than any valid one.
    /// - Returns: Whether the block is well formed; when not, the stream must be reset.
    /// - Throws: For a block that can't be decoded.
    @inline(__always)
    mutating func decode(
        _ block: UnsafeRawBufferPointer,
        into head: inout ResponseHead,
        endStream: Bool,
        retryAfter keepRetryAfter: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) -> Bool {
        // A lone status of the static table needs no decoder, and leaves its state alone.
        if block.count == 1, !head.isFinal, let status = Self.staticStatus(block[0]) {
            head.status = status
        } else {
            guard try decodeFields(block, into: &head, retryAfter: keepRetryAfter) else { return false }
        }
        return finish(&head, endStream: endStream)
    }

    @inline(__always)
    private static func staticStatus(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x88: 200
        case 0x89: 204
        case 0x8a: 206
        case 0x8b: 304
        case 0x8c: 400
        case 0x8d: 404
        case 0x8e: 500
        default: nil
        }
    }

    private mutating func decodeFields(
        _ block: UnsafeRawBufferPointer,
        into head: inout ResponseHead,
        retryAfter keepRetryAfter: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) -> Bool {
        var sink = ResponseSink(head: head, retryAfter: retryAfter)
        let size = try decoder.decode(block, limit: maximumListSize, into: &sink)
        head = sink.head
        if sink.retryAfterCount > 0 {
            keepRetryAfter(UnsafeRawBufferPointer(rebasing: retryAfter[..<sink.retryAfterCount]))
        }
        return sink.isValid && size <= maximumListSize && (head.isFinal || sink.hasStatus)
    }

    /// Draws conclusions at the end of a block.
    @inline(__always)
    private func finish(_ head: inout ResponseHead, endStream: Bool) -> Bool {
        if head.isFinal {
            // Trailers end the stream (RFC 9113, section 8.1).
            return endStream && head.isBodyComplete
        }
        if head.status < 200 {
            // An interim response: the final one must follow.
            head = ResponseHead()
            return !endStream
        }
        head.isFinal = true
        if head.status == 204 || head.status == 304 { head.contentLength = 0 }
        return !endStream || head.isBodyComplete
    }
}

/// Holds the fields of a response to the rules of RFC 9113, sections 8.2 and 8.3.2, and keeps what is of use.
private struct ResponseSink: HeaderSink {
    var head: ResponseHead
    let retryAfter: UnsafeMutableRawBufferPointer
    var retryAfterCount = 0
    var isValid = true
    var hasStatus = false
    private var isPastPseudo = false

    /// Names that mean something here.
    private enum Kind: UInt8 {
        case other
        case status
        case unknownPseudo
        case contentLength
        case retryAfter
        /// Belongs to a connection of HTTP/1.1 (section 8.2.2).
        case ofConnection
        case te
    }

    init(head: ResponseHead, retryAfter: UnsafeMutableRawBufferPointer) {
        self.head = head
        self.retryAfter = retryAfter
    }

    func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8 { Self.kind(name).rawValue }

    private static func kind(_ name: UnsafeRawBufferPointer) -> Kind {
        switch name.count {
        case 0: return .other
        case _ where name[0] == UInt8(ascii: ":"): return name.equals(":status") ? .status : .unknownPseudo
        case 2 where name.equals("te"): return .te
        case 11 where name.equals("retry-after"): return .retryAfter
        case 14 where name.equals("content-length"): return .contentLength
        default: return FieldSyntax.isOfConnection(name) ? .ofConnection : .other
        }
    }

    mutating func take(_ field: DecodedField) {
        if isValid { isValid = accepts(field) }
    }

    @inline(__always)
    private mutating func accepts(_ field: DecodedField) -> Bool {
        guard field.isSound, let kind = Kind(rawValue: field.kind) else { return false }
        if kind == .status { return acceptsStatus(field.value) }
        isPastPseudo = true
        switch kind {
        case .status, .unknownPseudo, .ofConnection: return false
        case .contentLength: return acceptsLength(field.value)
        case .te: return field.value.equals("trailers")
        case .retryAfter: return keepRetryAfter(field.value)
        case .other: return true
        }
    }

    private mutating func keepRetryAfter(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count <= retryAfter.count else { return true }
        retryAfter.copyMemory(from: value)
        retryAfterCount = value.count
        return true
    }

    private mutating func acceptsStatus(_ value: UnsafeRawBufferPointer) -> Bool {
        guard !head.isFinal, !isPastPseudo, !hasStatus, value.count == 3, let status = value.decimal else {
            return false
        }
        guard status >= 100, status != 101 else { return false }
        head.status = UInt16(status)
        hasStatus = true
        return true
    }

    private mutating func acceptsLength(_ value: UnsafeRawBufferPointer) -> Bool {
        guard head.contentLength == -1, let length = value.decimal else { return false }
        // A 204 has no content-length, but servers are known to send 0; a 1xx has none (RFC 9110, section 8.6).
        if !head.isFinal && (head.status == 204 && length != 0 || head.status < 200) { return false }
        head.contentLength = length
        return true
    }
}

internal import CNGHTTP2

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
    private let inflater: HeaderInflater
    private let maximumListSize: Int

    init(allocator: CountingAllocator, maximumListSize: UInt32) throws(HTTP2Error) {
        inflater = try HeaderInflater(allocator: allocator)
        self.maximumListSize = Int(maximumListSize)
    }

    /// Decodes a block that nobody waits for, so that the table stays right.
    func skip(_ block: UnsafeRawBufferPointer) throws(Violation) {
        var rest = block
        while try next(&rest) != nil {}
    }

    /// Decodes a block of a response: a header, an interim one, or trailers.
    ///
    /// - Parameters:
    ///   - block: The whole block.
    ///   - head: What is known of the response; brought up to date.
    ///   - endStream: Whether the stream ends with the block.
    ///   - retryAfter: Called with the value of retry-after.
    /// - Returns: Whether the block is well formed; when not, the stream must be reset.
    /// - Throws: For a block that can't be decoded.
    @inline(__always)
    func decode(
        _ block: UnsafeRawBufferPointer,
        into head: inout ResponseHead,
        endStream: Bool,
        retryAfter: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) -> Bool {
        // A lone status of the static table needs no inflater, and leaves its state alone.
        if block.count == 1, !head.isFinal, let status = Self.staticStatus(block[0]) {
            head.status = status
        } else {
            guard try decodeFields(block, into: &head, retryAfter: retryAfter) else { return false }
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

    private func decodeFields(
        _ block: UnsafeRawBufferPointer,
        into head: inout ResponseHead,
        retryAfter: (UnsafeRawBufferPointer) -> Void
    ) throws(Violation) -> Bool {
        var rest = block
        var size = 0
        var check = FieldRules(isTrailer: head.isFinal)
        var isValid = true
        while let field = try next(&rest) {
            size &+= field.name.count &+ field.value.count &+ 32
            guard isValid, size <= maximumListSize, check.accepts(field, &head) else {
                // The rest must be decoded all the same.
                isValid = false
                continue
            }
            if field.name.equals("retry-after") { retryAfter(field.value) }
        }
        return isValid && (head.isFinal || check.hasStatus)
    }

    @inline(__always)
    private func next(_ rest: inout UnsafeRawBufferPointer) throws(Violation) -> InflatedField? {
        do {
            return try inflater.next(&rest)
        } catch {
            throw Violation(.compressionError, "header block that can't be decoded")
        }
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

/// The rules for single fields of a response (RFC 9113, sections 8.2 and 8.3.2).
private struct FieldRules {
    let isTrailer: Bool
    var hasStatus = false
    private var isPastPseudo = false

    init(isTrailer: Bool) {
        self.isTrailer = isTrailer
    }

    mutating func accepts(_ field: InflatedField, _ head: inout ResponseHead) -> Bool {
        let name = field.name.assumingMemoryBound(to: UInt8.self).baseAddress
        let value = field.value.assumingMemoryBound(to: UInt8.self).baseAddress
        guard nghttp2_check_header_name(name, field.name.count) != 0,
            nghttp2_check_header_value_rfc9113(value, field.value.count) != 0
        else { return false }
        if field.name[0] == UInt8(ascii: ":") { return acceptsStatus(field, &head) }
        isPastPseudo = true
        switch field.name.count {
        case 14 where field.name.equals("content-length"): return acceptsLength(field.value, &head)
        // Fields of a connection belong to HTTP/1.1 (section 8.2.2).
        case 10 where field.name.equals("connection") || field.name.equals("keep-alive"): return false
        case 16 where field.name.equals("proxy-connection"): return false
        case 17 where field.name.equals("transfer-encoding"): return false
        case 7 where field.name.equals("upgrade"): return false
        case 2 where field.name.equals("te"): return field.value.equals("trailers")
        default: return true
        }
    }

    private mutating func acceptsStatus(_ field: InflatedField, _ head: inout ResponseHead) -> Bool {
        guard !isTrailer, !isPastPseudo, !hasStatus, field.name.equals(":status"), field.value.count == 3 else {
            return false
        }
        guard let status = decimal(field.value), status >= 100, status != 101 else { return false }
        head.status = UInt16(status)
        hasStatus = true
        return true
    }

    private func acceptsLength(_ value: UnsafeRawBufferPointer, _ head: inout ResponseHead) -> Bool {
        guard head.contentLength == -1, let length = decimal(value) else { return false }
        // A 204 has no content-length, but servers are known to send 0; a 1xx has none (RFC 9110, section 8.6).
        if !isTrailer && (head.status == 204 && length != 0 || head.status < 200) { return false }
        head.contentLength = length
        return true
    }

    private func decimal(_ digits: UnsafeRawBufferPointer) -> Int64? {
        if digits.isEmpty { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            let (sum, carry) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            if carry { return nil }
            number = sum
        }
        return number
    }
}

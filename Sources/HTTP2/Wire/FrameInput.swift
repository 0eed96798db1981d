/// A frame as it came in: whole, or for DATA as much of it as there is.
struct FramePart {
    var header: FrameHeader
    /// The payload, of DATA without its padding; valid until the next call of `FrameInput.next`, of DATA as long as the
    /// input itself.
    var payload: UnsafeRawBufferPointer
    /// DATA: how many bytes of this part count for flow control, padding included (RFC 9113, section 6.1).
    var flowControlled = 0
    /// DATA: the frame begins with this part.
    var isFirst = true
    /// DATA: the frame ends with this part.
    var isLast = true
}

/// Cuts the bytes of a connection into frames, wherever the pieces they come in begin and end.
///
/// DATA is handed over as it comes and never copied; other frames only when they are whole, copied when they lie in
/// more than one piece. Checks what can be said without knowing streams: sizes, padding of DATA, and that a header
/// block is not interrupted.
struct FrameInput: ~Copyable {
    /// The smallest SETTINGS_MAX_FRAME_SIZE, which is ours unless we announce another (RFC 9113, section 6.5.2).
    static let initialFrameSize = 16384
    /// A header block may have this many CONTINUATION frames; nghttp2's bound.
    static let maximumContinuations = 8

    /// How long a frame may be.
    var maximumFrameSize = FrameInput.initialFrameSize
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The beginning of a frame that came in an earlier piece.
    private var carry = GrowingBuffer()
    /// The frame in `carry` was handed out and is in use until the next call.
    private var carryIsDone = false
    /// The DATA frame being handed over, and what is left of it.
    private var data = FrameHeader.none
    private var dataLeft = 0
    private var paddingLeft = 0
    private var isInData = false
    /// The stream whose header block must go on, or 0.
    private var continued: UInt32 = 0
    private var continuations = 0

    deinit {
        carry.free()
    }

    /// Whether everything handed in has been used or copied.
    var isEmpty: Bool { rest.isEmpty }

    /// Whether the rest of a frame that is handed out whole, or of a header block, has yet to come.
    var isMidFrame: Bool { carry.count > 0 && !carryIsDone || continued != 0 }

    /// Takes the next piece, which stays valid until `next` has returned nil.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        precondition(rest.isEmpty, "receive was called before the events of the last input were taken")
        rest = bytes
    }

    /// Forgets what has not been used.
    mutating func drop() {
        rest = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The next frame or part of one, or nil when there is none in the bytes handed in.
    @inline(__always)
    mutating func next() throws(Violation) -> FramePart? {
        if isInData { return nextData(flow: 0, isFirst: false) }
        if carry.count > 0 { return try nextCarried() }
        guard rest.count >= FrameHeader.size, let base = rest.baseAddress else { return keep() }
        let header = FrameHeader(base)
        try check(header)
        let needed = Self.needed(header)
        if rest.count < needed { return keep() }
        advance(needed)
        if header.type == FrameType.data { return try beginData(header, at: base) }
        note(header)
        return FramePart(
            header: header,
            payload: UnsafeRawBufferPointer(start: base + FrameHeader.size, count: header.length)
        )
    }

    /// How many bytes must lie in one piece before the frame can be handed out or, of DATA, begun.
    @inline(__always)
    private static func needed(_ header: FrameHeader) -> Int {
        if header.type != FrameType.data { return FrameHeader.size + header.length }
        return FrameHeader.size + (header.has(FrameFlag.padded) && header.length > 0 ? 1 : 0)
    }

    @inline(__always)
    private mutating func advance(_ count: Int) {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }

    // MARK: Frames in more than one piece

    /// Copies the beginning of a frame until more of it comes.
    private mutating func keep() -> FramePart? {
        carry.append(rest)
        drop()
        return nil
    }

    private mutating func nextCarried() throws(Violation) -> FramePart? {
        if carryIsDone {
            carryIsDone = false
            carry.count = 0
            return try next()
        }
        guard fillCarry(to: FrameHeader.size) else { return nil }
        let header = FrameHeader(carriedFrame)
        try check(header)
        guard fillCarry(to: Self.needed(header)) else { return nil }
        if header.type == FrameType.data {
            carry.count = 0
            return try beginData(header, at: carriedFrame)
        }
        note(header)
        carryIsDone = true
        return FramePart(header: header, payload: carry.bytes(from: FrameHeader.size, count: header.length))
    }

    private var carriedFrame: UnsafeRawPointer {
        guard let base = carry.bytes(from: 0, count: 0).baseAddress else {
            preconditionFailure("a carried frame has no memory")
        }
        return base
    }

    /// Moves bytes from the input until `carry` has so many of them.
    ///
    /// - Returns: Whether it has.
    private mutating func fillCarry(to size: Int) -> Bool {
        let count = min(size - carry.count, rest.count)
        if count > 0 {
            carry.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            advance(count)
        }
        return carry.count >= size
    }

    // MARK: Rules

    /// Throws for a frame that may not come now; seen again with every piece until the frame is handed out.
    @inline(__always)
    private func check(_ header: FrameHeader) throws(Violation) {
        if header.length > maximumFrameSize {
            throw Violation(.frameSizeError, "frame larger than SETTINGS_MAX_FRAME_SIZE")
        }
        if continued == 0 {
            if header.type == FrameType.headers, header.stream == 0 {
                throw Violation(.protocolError, "HEADERS on stream 0")
            }
            if header.type == FrameType.continuation {
                throw Violation(.protocolError, "CONTINUATION without a header block to continue")
            }
        } else if header.type != FrameType.continuation || header.stream != continued {
            throw Violation(.protocolError, "header block interrupted by another frame")
        } else if continuations == Self.maximumContinuations {
            throw Violation(.enhanceYourCalm, "too many CONTINUATION frames")
        }
    }

    /// Keeps in mind whether a header block goes on; for a frame that is handed out.
    @inline(__always)
    private mutating func note(_ header: FrameHeader) {
        if header.type == FrameType.headers {
            continued = header.has(FrameFlag.endHeaders) ? 0 : header.stream
            continuations = 0
        } else if header.type == FrameType.continuation {
            continuations += 1
            if header.has(FrameFlag.endHeaders) { continued = 0 }
        }
    }

    // MARK: DATA

    /// Begins a DATA frame whose header, and pad length if it has one, lie at `base` and are taken off the input.
    @inline(__always)
    private mutating func beginData(_ header: FrameHeader, at base: UnsafeRawPointer) throws(Violation) -> FramePart? {
        var prefix = 0
        var padding = 0
        if header.has(FrameFlag.padded) {
            if header.length == 0 { throw Violation(.frameSizeError, "DATA too short for its pad length") }
            prefix = 1
            padding = Int(base.load(fromByteOffset: FrameHeader.size, as: UInt8.self))
            if padding >= header.length { throw Violation(.protocolError, "DATA with more padding than payload") }
        }
        data = header
        dataLeft = header.length - prefix - padding
        paddingLeft = padding
        isInData = true
        return nextData(flow: prefix, isFirst: true)
    }

    @inline(__always)
    private mutating func nextData(flow: Int, isFirst: Bool) -> FramePart? {
        let count = min(dataLeft, rest.count)
        let payload = UnsafeRawBufferPointer(rebasing: rest[..<count])
        dataLeft -= count
        advance(count)
        var padding = 0
        if dataLeft == 0, paddingLeft > 0 {
            padding = min(paddingLeft, rest.count)
            paddingLeft -= padding
            advance(padding)
        }
        let isLast = dataLeft == 0 && paddingLeft == 0
        if !isFirst && !isLast && count + padding == 0 { return nil }
        if isLast { isInData = false }
        return FramePart(
            header: data,
            payload: payload,
            flowControlled: flow + count + padding,
            isFirst: isFirst,
            isLast: isLast
        )
    }
}

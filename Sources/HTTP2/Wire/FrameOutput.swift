/// Frames that wait to be handed out, as bytes in the order in which they go out.
///
/// Holds what is not written straight into the caller's buffer: the preface, SETTINGS, acknowledgements, RST_STREAM,
/// WINDOW_UPDATE, GOAWAY, and header blocks that find no room in one buffer. Whatever is here goes out whole before
/// any other frame. Its size is bounded: acknowledgements by `maximumAcknowledgements`, the others by the number of
/// streams and by windows (an update answers at least half a window that was filled).
struct FrameOutput: ~Copyable {
    /// A peer that makes us answer so many frames without reading the answers is flooding; nghttp2's bound.
    static let maximumAcknowledgements = 1000

    private var bytes = GrowingBuffer()
    private var offset = 0
    private var acknowledgements = 0

    deinit {
        bytes.free()
    }

    @inline(__always)
    var isEmpty: Bool { bytes.count == 0 }
    /// Bytes that wait, those handed out of a frame that was cut included.
    var count: Int { bytes.count }

    /// Moves as many bytes as there is room for into the buffer.
    ///
    /// - Returns: How many.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var rest = bytes.bytes(from: offset, count: bytes.count - offset)
        let count = rest.move(into: buffer, at: start)
        offset += count
        if offset == bytes.count {
            bytes.count = 0
            offset = 0
            acknowledgements = 0
        }
        return count
    }

    /// Appends bytes that are frames already.
    mutating func append(_ frames: UnsafeRawBufferPointer) {
        bytes.append(frames)
    }

    /// Memory after the last frame, for so many bytes that the caller writes and then adds with `grow`.
    @inline(__always)
    mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        bytes.room(for: size)
    }

    @inline(__always)
    mutating func grow(by count: Int) {
        bytes.count += count
    }

    mutating func append(contentsOf frames: [UInt8]) {
        bytes.append(contentsOf: frames)
    }

    mutating func appendHeader(length: Int, type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0) {
        FrameHeader(length: length, type: type, flags: flags, stream: stream)
            .write(to: bytes.room(for: FrameHeader.size))
        bytes.count += FrameHeader.size
    }

    /// Appends a header block as a HEADERS frame and as many CONTINUATION frames as it needs.
    ///
    /// - Returns: How many bytes were appended.
    mutating func headerBlock(_ block: UnsafeRawBufferPointer, flags: UInt8, stream: UInt32, limit: Int) -> Int {
        let before = bytes.count
        var offset = 0
        repeat {
            let count = min(limit, block.count - offset)
            let isLast = offset + count == block.count
            let type = offset == 0 ? FrameType.headers : FrameType.continuation
            let frameFlags = (isLast ? FrameFlag.endHeaders : 0) | (offset == 0 ? flags : 0)
            appendHeader(length: count, type: type, flags: frameFlags, stream: stream)
            bytes.append(UnsafeRawBufferPointer(rebasing: block[offset..<offset + count]))
            offset += count
        } while offset < block.count
        return bytes.count - before
    }

    private mutating func append(_ number: UInt32) {
        bytes.room(for: 4).storeBytes(of: number.bigEndian, as: UInt32.self)
        bytes.count += 4
    }

    // MARK: Frames

    mutating func settings(_ values: [(setting: UInt16, value: UInt32)]) {
        appendHeader(length: 6 * values.count, type: FrameType.settings)
        for entry in values {
            bytes.append(UInt8(truncatingIfNeeded: entry.setting >> 8))
            bytes.append(UInt8(truncatingIfNeeded: entry.setting))
            append(entry.value)
        }
    }

    mutating func acknowledgeSettings() throws(Violation) {
        try countAcknowledgement()
        appendHeader(length: 0, type: FrameType.settings, flags: FrameFlag.acknowledgement)
    }

    mutating func acknowledgePing(_ payload: UnsafeRawBufferPointer) throws(Violation) {
        try countAcknowledgement()
        appendHeader(length: payload.count, type: FrameType.ping, flags: FrameFlag.acknowledgement)
        bytes.append(payload)
    }

    private mutating func countAcknowledgement() throws(Violation) {
        acknowledgements += 1
        if acknowledgements > Self.maximumAcknowledgements {
            throw Violation(.enhanceYourCalm, "too many SETTINGS or PING frames")
        }
    }

    mutating func ping() {
        appendHeader(length: 8, type: FrameType.ping)
        append(0)
        append(0)
    }

    mutating func resetStream(_ stream: UInt32, code: HTTP2ErrorCode) {
        appendHeader(length: 4, type: FrameType.resetStream, stream: stream)
        append(code.rawValue)
    }

    mutating func windowUpdate(_ stream: UInt32, by increment: UInt32) {
        appendHeader(length: 4, type: FrameType.windowUpdate, stream: stream)
        append(increment)
    }

    mutating func goAway(lastStream: UInt32, code: HTTP2ErrorCode, debug: [UInt8]) {
        appendHeader(length: 8 + debug.count, type: FrameType.goAway)
        append(lastStream)
        append(code.rawValue)
        bytes.append(contentsOf: debug)
    }
}

/// What client and server have in common on one connection: frames in, frames waiting to go out, and the frames that
/// concern no single stream.
struct ConnectionCore: ~Copyable {
    var input = FrameInput()
    var output = FrameOutput()
    var peer: PeerSettings
    /// What we may still send on the connection.
    var sendWindow = SendWindow(size: 65_535)
    var receiveWindow: ReceiveWindow
    /// Why the connection can't go on.
    private(set) var failure: HTTP2Error?
    var tally = SessionCounters()
    /// Our SETTINGS frames that the peer has not acknowledged.
    var settingsInFlight = 0
    private var pingsInFlight = 0
    /// The highest stream that the peer's GOAWAY frames let us hope for.
    private(set) var lastStreamOfPeer = UInt32(Int32.max)
    private(set) var goAwayReceived = false
    private(set) var goAwaySent = false
    /// A piece of a header block, until its last CONTINUATION.
    private var headerBlock = GrowingBuffer()
    private var headerFrame = FrameHeader.none
    /// Frames that are allowed but lead nowhere; each costs one, an answer earns them back.
    private var patience = 10_000
    /// Debug data of GOAWAY frames whose events may not have been taken; freed with the next bytes.
    private var debugData: [UnsafeMutableRawBufferPointer] = []

    init(peerIsServer: Bool, receiveWindow size: Int32) {
        peer = PeerSettings(peerIsServer: peerIsServer)
        receiveWindow = ReceiveWindow(size: max(size, 65_535))
    }

    deinit {
        headerBlock.free()
        for block in debugData { block.deallocate() }
    }

    /// Our SETTINGS, and the connection's window if it is larger than the RFC's initial one.
    mutating func announce(_ settings: [(setting: UInt16, value: UInt32)]) {
        output.settings(settings)
        settingsInFlight += 1
        if receiveWindow.size > 65_535 { output.windowUpdate(0, by: UInt32(receiveWindow.size - 65_535)) }
    }

    // MARK: Bytes

    /// Bytes are about to be handed in.
    ///
    /// - Returns: False when nobody looks at them any more.
    mutating func beginReceiving(_ count: Int) -> Bool {
        if !debugData.isEmpty {
            for block in debugData { block.deallocate() }
            debugData.removeAll(keepingCapacity: true)
        }
        if failure != nil { return false }
        tally.bytesIn &+= UInt64(count)
        return true
    }

    /// Copies a GOAWAY's debug data, for an event that is taken before the next bytes come.
    mutating func keepDebugData(ofGoAway payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let debug = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count - 8, alignment: 1)
        debug.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[8...]))
        debugData.append(debug)
        return UnsafeRawBufferPointer(debug)
    }

    // MARK: Failure

    /// Ends the connection for a rule that the peer broke.
    mutating func fail(_ violation: Violation, lastStream: UInt32) {
        guard failure == nil else { return }
        let reason = "\(violation.reason)"
        output.goAway(lastStream: lastStream, code: violation.code, debug: Array(reason.utf8))
        failure = .violation(code: violation.code, reason: reason)
        input.drop()
    }

    /// Counts a frame that is allowed and useless, and ends the connection after too many.
    mutating func losePatience() throws(Violation) {
        patience -= 1
        if patience < 0 { throw Violation(.enhanceYourCalm, "too many useless frames") }
    }

    /// The peer did something useful.
    @inline(__always)
    mutating func gainPatience() {
        if patience < 10_000 { patience += 1 }
    }

    // MARK: Frames of the connection

    enum Signal {
        case none
        case settingsAcknowledged
        case ping
        case pong
        case goAway
    }

    /// Acts on a frame that concerns no stream.
    ///
    /// SETTINGS with values are the role's (`beginSettings`).
    mutating func handle(_ part: FramePart) throws(Violation) -> Signal {
        switch part.header.type {
        case FrameType.settings: return try handleAcknowledgement(part)
        case FrameType.ping: return try handlePing(part)
        case FrameType.goAway: return try handleGoAway(part)
        default: break
        }
        return .none
    }

    /// Checks a SETTINGS frame.
    ///
    /// - Returns: Whether it brings values; false for an acknowledgement.
    func beginSettings(_ part: FramePart) throws(Violation) -> Bool {
        if part.header.stream != 0 { throw Violation(.protocolError, "SETTINGS on a stream") }
        let isAcknowledgement = part.header.has(FrameFlag.acknowledgement)
        if part.payload.count % 6 != 0 || isAcknowledgement && !part.payload.isEmpty {
            throw Violation(.frameSizeError, "SETTINGS of impossible length")
        }
        // nghttp2's bound.
        if part.payload.count > 32 * 6 { throw Violation(.enhanceYourCalm, "SETTINGS with too many entries") }
        return !isAcknowledgement
    }

    /// Every connection begins with a SETTINGS frame that is no acknowledgement (RFC 9113, section 3.4).
    func checkFirst(_ header: FrameHeader) throws(Violation) {
        if header.type != FrameType.settings || header.has(FrameFlag.acknowledgement) {
            throw Violation(.protocolError, "first frame is not SETTINGS")
        }
    }

    private mutating func handleAcknowledgement(_ part: FramePart) throws(Violation) -> Signal {
        if settingsInFlight == 0 { throw Violation(.protocolError, "SETTINGS acknowledged that were not sent") }
        settingsInFlight -= 1
        return .settingsAcknowledged
    }

    private mutating func handlePing(_ part: FramePart) throws(Violation) -> Signal {
        if part.header.stream != 0 { throw Violation(.protocolError, "PING on a stream") }
        if part.payload.count != 8 { throw Violation(.frameSizeError, "PING of impossible length") }
        if !part.header.has(FrameFlag.acknowledgement) {
            try output.acknowledgePing(part.payload)
            return .ping
        }
        if pingsInFlight == 0 { return .none }
        pingsInFlight -= 1
        return .pong
    }

    private mutating func handleGoAway(_ part: FramePart) throws(Violation) -> Signal {
        if part.header.stream != 0 { throw Violation(.protocolError, "GOAWAY on a stream") }
        if part.payload.count < 8 { throw Violation(.frameSizeError, "GOAWAY of impossible length") }
        let last = part.payload.bigEndianUnsigned(at: 0) & 0x7fff_ffff
        // RFC 9113, section 6.8. The identifier is one of ours: odd for a client.
        let isOurs = last == 0 || last % 2 == (peerIsServer ? 1 : 0)
        if last > lastStreamOfPeer || !isOurs {
            throw Violation(.protocolError, "GOAWAY with an impossible last stream")
        }
        lastStreamOfPeer = last
        goAwayReceived = true
        return .goAway
    }

    private var peerIsServer: Bool { peer.peerIsServer }

    /// Adds to the connection's send window.
    mutating func openWindow(_ part: FramePart) throws(Violation) {
        let increment = try part.windowIncrement
        if increment == 0 { throw Violation(.protocolError, "WINDOW_UPDATE by 0") }
        if !sendWindow.add(Int64(increment)) {
            throw Violation(.flowControlError, "WINDOW_UPDATE beyond 2^31-1")
        }
    }

    /// Counts bytes of DATA against the connection's window, and gives it back when due: what came is used at once.
    @inline(__always)
    mutating func takeData(_ count: Int, _ policy: WindowUpdatePolicy = .whenHalfUsed) throws(Violation) {
        if !receiveWindow.take(count) { throw Violation(.flowControlError, "DATA beyond the connection's window") }
        let increment = receiveWindow.update(policy)
        if increment > 0 { output.windowUpdate(0, by: increment) }
    }

    /// How much of a body may go out in one DATA frame; none if it is 0 or less.
    ///
    /// - Parameters:
    ///   - window: The stream's.
    ///   - left: What is left of the body.
    ///   - room: How many bytes the frame may have, its header included.
    @inline(__always)
    func allowance(_ window: SendWindow, left: Int, room: Int) -> Int {
        min(Int(sendWindow.size), Int(window.size), peer.maximumFrameSize, left, room - FrameHeader.size)
    }

    /// Writes a DATA frame, and counts it against the connection's window and the stream's.
    ///
    /// - Returns: How many bytes were written.
    @inline(__always)
    mutating func writeData(
        _ piece: UnsafeRawBufferPointer,
        isLast: Bool,
        stream: UInt32,
        window: inout SendWindow,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let flags = isLast ? FrameFlag.endStream : 0
        FrameHeader(length: piece.count, type: FrameType.data, flags: flags, stream: stream).write(to: memory)
        if let source = piece.baseAddress {
            (memory + FrameHeader.size).copyMemory(from: source, byteCount: piece.count)
        }
        sendWindow.take(piece.count)
        window.take(piece.count)
        return FrameHeader.size + piece.count
    }

    // MARK: Header blocks

    /// Takes a HEADERS or CONTINUATION frame.
    ///
    /// - Returns: The HEADERS frame's header and the whole block, once it is whole; valid until the next frame.
    @inline(__always)
    mutating func headerBlock(
        _ part: FramePart
    ) throws(Violation) -> (header: FrameHeader, block: UnsafeRawBufferPointer)? {
        let isWhole = part.header.has(FrameFlag.endHeaders)
        if part.header.type == FrameType.continuation {
            headerBlock.append(part.payload)
            return isWhole ? (headerFrame, headerBlock.bytes(from: 0, count: headerBlock.count)) : nil
        }
        let fragment = try Self.fragment(part)
        if isWhole { return (part.header, fragment) }
        headerFrame = part.header
        headerBlock.count = 0
        headerBlock.append(fragment)
        return nil
    }

    /// A HEADERS frame's payload without its padding and without its priority (RFC 9113, section 6.2).
    @inline(__always)
    private static func fragment(_ part: FramePart) throws(Violation) -> UnsafeRawBufferPointer {
        if part.header.flags & (FrameFlag.padded | FrameFlag.priority) == 0 { return part.payload }
        let padded = part.header.has(FrameFlag.padded)
        let fixed = (padded ? 1 : 0) + (part.header.has(FrameFlag.priority) ? 5 : 0)
        if part.payload.count < fixed { throw Violation(.frameSizeError, "HEADERS too short for its fields") }
        let padding = padded ? Int(part.payload[0]) : 0
        if fixed + padding > part.payload.count {
            throw Violation(.protocolError, "HEADERS with more padding than payload")
        }
        return UnsafeRawBufferPointer(rebasing: part.payload[fixed..<part.payload.count - padding])
    }

    // MARK: Asked for by the caller

    mutating func ping() {
        output.ping()
        pingsInFlight += 1
    }

    mutating func goAway(lastStream: UInt32, code: HTTP2ErrorCode, debug: [UInt8] = []) {
        output.goAway(lastStream: lastStream, code: code, debug: debug)
        goAwaySent = true
    }
}

/// A server's end of a connection that gives every request the same answer the moment it is complete.
///
/// It shares the frame layer with `DirectClientSession` and looks at nothing: header blocks are not decoded, so it knows
/// neither a request's path nor whether its header is sound, and a client's compression errors go unnoticed. That makes
/// it the cheapest possible mock, for measuring what a sender can do at most. Use `ServerSession` for everything else.
/// Frames, sizes, stream identifiers, settings and windows are held to RFC 9113 as everywhere.
package final class CannedServerSession {
    private let value: UnsafeMutablePointer<CannedServer>

    /// A session that has its SETTINGS ready for `collect`.
    ///
    /// - Parameters:
    ///   - answer: What every request gets; constant fields only, and a body of at most 16,384 bytes.
    ///   - streamLimit: SETTINGS_MAX_CONCURRENT_STREAMS; announced, not enforced.
    package init(answer: ResponseTemplate, streamLimit: UInt32) {
        value = .allocate(capacity: 1)
        value.initialize(to: CannedServer(answer: answer, streamLimit: streamLimit))
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Takes bytes from the client, all of them, and lays out the answers for `collect`.
    ///
    /// - Parameter bytes: What came; not used after the call.
    /// - Throws: `violation` when the connection can't go on: collect the GOAWAY, write it, and close.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        try value.pointee.receive(bytes)
    }

    /// Fills the buffer with frames that are due; call until 0.
    ///
    /// - Parameter buffer: Best 16 KiB, one TLS record.
    /// - Returns: How many bytes of the buffer were filled.
    package func collect(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        value.pointee.collect(into: buffer)
    }

    /// Whether `collect` would give bytes now.
    package var wantsWrite: Bool { !value.pointee.core.output.isEmpty }
    /// Requests answered so far.
    package var answered: UInt64 { value.pointee.core.tally.messagesOut }
    /// What the session has counted so far.
    package var counters: SessionCounters { value.pointee.core.tally }
}

/// The canned session as a value.
private struct CannedServer: ~Copyable {
    private static let window = Int32.max
    /// So many bytes of answers that the client does not read are too many.
    private static let patience = 1 << 20

    var core = ConnectionCore(peerIsServer: false, receiveWindow: CannedServer.window)
    private var encoder = HeaderEncoder()
    private let template: TemplateID
    private let body: [UInt8]
    private var preface = ClientPreface()
    /// The client's highest stream so far.
    private var lastStream: UInt32 = 0
    /// Streams whose answer has a body that the connection's window does not let out yet, oldest first.
    private var held: [UInt32] = []

    init(answer: ResponseTemplate, streamLimit: UInt32) {
        precondition(answer.body.count <= 16_384, "a canned answer's body has more than 16,384 bytes")
        body = answer.body
        template = encoder.prepare(RequestTemplate(fields: answer.fields.map(\.asConstant)))
        core.announce([
            (SettingID.maximumConcurrentStreams, streamLimit), (SettingID.initialWindowSize, UInt32(Self.window)),
        ])
    }

    // MARK: Bytes in

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        if let failure = core.failure { throw failure }
        core.tally.bytesIn &+= UInt64(bytes.count)
        do throws(Violation) {
            core.input.feed(UnsafeRawBufferPointer(rebasing: bytes[try preface.take(bytes)...]))
            while let part = try core.input.next() { try handle(part) }
        } catch {
            core.fail(error, lastStream: lastStream)
        }
        if let failure = core.failure { throw failure }
    }

    @inline(__always)
    private mutating func handle(_ part: FramePart) throws(Violation) {
        if !core.peer.isKnown { try core.checkFirst(part.header) }
        switch part.header.type {
        case FrameType.headers, FrameType.continuation:
            if let (header, _) = try core.headerBlock(part) { try handleHeaders(header) }
        case FrameType.data: try handleData(part)
        case FrameType.windowUpdate: try handleWindowUpdate(part)
        case FrameType.resetStream:
            _ = try part.errorCode
            try checkKnown(part.header.stream)
            if !held.isEmpty { held.removeAll { $0 == part.header.stream } }
        case FrameType.settings:
            if try core.beginSettings(part) { try applySettings(part.payload) } else { _ = try core.handle(part) }
        case FrameType.pushPromise: throw Violation(.protocolError, "PUSH_PROMISE from a client")
        case FrameType.priority:
            if part.header.stream == 0 { throw Violation(.protocolError, "PRIORITY on stream 0") }
        default: _ = try core.handle(part)
        }
    }

    /// A new request, or the trailers of one.
    @inline(__always)
    private mutating func handleHeaders(_ header: FrameHeader) throws(Violation) {
        if header.stream & 1 == 0 { throw Violation(.protocolError, "HEADERS on a stream that is not a client's") }
        lastStream = max(lastStream, header.stream)
        if header.has(FrameFlag.endStream) { try answer(header.stream) }
    }

    @inline(__always)
    private mutating func handleData(_ part: FramePart) throws(Violation) {
        try checkKnown(part.header.stream)
        try core.takeData(part.flowControlled)
        if part.isLast, part.header.has(FrameFlag.endStream) { try answer(part.header.stream) }
    }

    private func checkKnown(_ stream: UInt32) throws(Violation) {
        if stream == 0 || stream > lastStream { throw Violation(.protocolError, "frame on an idle stream") }
    }

    private mutating func handleWindowUpdate(_ part: FramePart) throws(Violation) {
        _ = try part.windowIncrement
        if part.header.stream != 0 { return try checkKnown(part.header.stream) }
        try core.openWindow(part)
        while let stream = held.first, Int(core.sendWindow.size) >= body.count {
            held.removeFirst()
            writeBody(stream)
        }
    }

    private mutating func applySettings(_ entries: UnsafeRawBufferPointer) throws(Violation) {
        for entry in SettingsEntries(entries) {
            if case .headerTableSize(let size) = try core.peer.apply(entry.setting, entry.value) {
                encoder.limitTable(to: size)
            }
        }
        core.peer.finishFrame()
        try core.output.acknowledgeSettings()
        if Int(core.peer.initialWindow) < body.count {
            throw Violation(.flowControlError, "windows too small for the canned answer")
        }
    }

    // MARK: Answers

    @inline(__always)
    private mutating func answer(_ stream: UInt32) throws(Violation) {
        if core.output.count > Self.patience { throw Violation(.enhanceYourCalm, "answers are not read") }
        let variables = RequestVariables(path: UnsafeRawBufferPointer(start: nil, count: 0))
        let size = FrameHeader.size + encoder.maximumSize(template.index, variables)
        let memory = core.output.room(for: size)
        let block = encoder.write(template.index, variables, to: memory + FrameHeader.size)
        let flags = FrameFlag.endHeaders | (body.isEmpty ? FrameFlag.endStream : 0)
        FrameHeader(length: block, type: FrameType.headers, flags: flags, stream: stream).write(to: memory)
        core.output.grow(by: FrameHeader.size + block)
        core.tally.messagesOut &+= 1
        core.tally.headerBytesOut &+= UInt64(FrameHeader.size + block)
        if body.isEmpty { return }
        if held.isEmpty && Int(core.sendWindow.size) >= body.count { writeBody(stream) } else { held.append(stream) }
    }

    private mutating func writeBody(_ stream: UInt32) {
        core.output.appendHeader(length: body.count, type: FrameType.data, flags: FrameFlag.endStream, stream: stream)
        core.output.append(contentsOf: body)
        core.sendWindow.take(body.count)
    }

    mutating func collect(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if core.output.isEmpty { return 0 }
        let filled = core.output.move(into: buffer, at: 0)
        core.tally.bytesOut &+= UInt64(filled)
        return filled
    }
}

extension ResponseField {
    /// The field for a template that has constants only.
    fileprivate var asConstant: HeaderField {
        guard case .constant(let constant) = value else {
            preconditionFailure("the canned answer's field \(name) is not constant")
        }
        return HeaderField(name, constant, indexing: indexing)
    }
}

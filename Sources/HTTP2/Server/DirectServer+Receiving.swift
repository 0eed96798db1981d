// What the client sends. The section numbers are those of RFC 9113.

extension DirectServer {
    /// So many bytes of small answers and acknowledgements that a client does not read are too many.
    private static let unreadLimit = 4 << 20

    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard core.beginReceiving(bytes.count) else { return }
        do throws(Violation) {
            core.input.feed(UnsafeRawBufferPointer(rebasing: bytes[try preface.take(bytes)...]))
        } catch {
            core.fail(error, lastStream: 0)
        }
    }

    @inline(__always)
    mutating func nextEvent() throws(HTTP2Error) -> ServerEvent? {
        while true {
            if let event = events.popFirst() {
                if case .closed = event.kind { streams.release(event.stream) }
                return event
            }
            if let failure = core.failure { throw failure }
            if core.input.isEmpty { return nil }
            parse()
        }
    }

    /// Acts on frames until one has made an event or the input is used up.
    private mutating func parse() {
        do throws(Violation) {
            while events.isEmpty, let part = try core.input.next() { try handle(part) }
        } catch {
            core.fail(error, lastStream: min(lastStream, goAwayLast))
        }
    }

    @inline(__always)
    private mutating func handle(_ part: FramePart) throws(Violation) {
        if !core.peer.isKnown { try core.checkFirst(part.header) }
        switch part.header.type {
        case FrameType.headers, FrameType.continuation:
            if let (header, block) = try core.headerBlock(part) { try handleHeaders(header, block) }
        case FrameType.data: try handleData(part)
        case FrameType.windowUpdate: try handleWindowUpdate(part)
        case FrameType.resetStream: try handleReset(part)
        case FrameType.settings:
            if try core.beginSettings(part) { try applySettings(part.payload) } else { try handleConnection(part) }
        case FrameType.priority: try handlePriority(part)
        // Section 8.4.
        case FrameType.pushPromise: throw Violation(.protocolError, "PUSH_PROMISE from a client")
        default: try handleConnection(part)
        }
    }

    // MARK: Requests

    /// Section 6.2: a request's header, or its trailers.
    @inline(__always)
    private mutating func handleHeaders(_ header: FrameHeader, _ block: UnsafeRawBufferPointer) throws(Violation) {
        if header.stream & 1 == 0 { throw Violation(.protocolError, "HEADERS on a stream that is not a client's") }
        if header.stream > lastStream { return try beginRequest(header, block) }
        guard let entry = streams.find(header.stream) else {
            try skip(block)
            return try handleLate(header.stream, "HEADERS on a closed stream")
        }
        if entry.pointee.phase == .complete {
            try skip(block)
            // Half closed by the client (section 5.1).
            return resetStream(entry, code: .streamClosed)
        }
        let isValid = try decode(block, into: entry, isTrailer: true)
        // Trailers end the stream (section 8.1).
        guard isValid, header.has(FrameFlag.endStream) else { return resetStream(entry, code: .protocolError) }
        complete(entry)
    }

    @inline(__always)
    private mutating func beginRequest(_ header: FrameHeader, _ block: UnsafeRawBufferPointer) throws(Violation) {
        lastStream = header.stream
        if core.output.count > Self.unreadLimit { throw Violation(.enhanceYourCalm, "answers are not read") }
        // Section 6.8: what a GOAWAY has excluded is as if it had not come.
        if header.stream > goAwayLast {
            if goAwayIsRead { streamsAfterGoAway &+= 1 }
            return try skip(block)
        }
        guard let entry = streams.take() else {
            try skip(block)
            core.output.resetStream(header.stream, code: .refusedStream)
            if !header.has(FrameFlag.endStream) { resetAhead = header.stream }
            return try core.losePatience()
        }
        openStreams += 1
        streams.open(header.stream, entry)
        entry.pointee.begin(
            header.stream,
            send: core.peer.initialWindow,
            receive: initialReceiveWindow,
            overLimit: openStreams > acknowledgedLimit
        )
        guard try decode(block, into: entry, isTrailer: false) else {
            if header.has(FrameFlag.endStream) { entry.pointee.phase = .complete }
            return resetStream(entry, code: .protocolError)
        }
        entry.pointee.bodyOffset = entry.pointee.request.count
        if header.has(FrameFlag.endStream) { complete(entry) }
    }

    /// - Returns: Whether the block is well formed.
    @inline(__always)
    private mutating func decode(
        _ block: UnsafeRawBufferPointer,
        into entry: UnsafeMutablePointer<ServerStream>,
        isTrailer: Bool
    ) throws(Violation) -> Bool {
        if !isTrailer, keepsValues,
            let size = memos.take(block, epoch: decoder.epoch, limit: settings.maximumHeader, into: entry)
        {
            entry.pointee.headerSize = size
            return true
        }
        return try decodeAnew(block, into: entry, isTrailer: isTrailer)
    }

    /// Decodes a block that is like none before.
    private mutating func decodeAnew(
        _ block: UnsafeRawBufferPointer,
        into entry: UnsafeMutablePointer<ServerStream>,
        isTrailer: Bool
    ) throws(Violation) -> Bool {
        var sink = RequestSink(names: names, stream: entry, keepsValues: keepsValues, isTrailer: isTrailer)
        let size = try decoder.decode(block, limit: settings.maximumHeader, into: &sink)
        let isCut = size > settings.maximumHeader
        if !isTrailer {
            entry.pointee.headerSize = size
            entry.pointee.isHeaderTruncated = isCut
        }
        let isComplete = sink.isComplete(isCut)
        if isComplete, !isTrailer, !isCut, keepsValues, mayLearn {
            memos.learn(block, &decoder, names: names, from: entry)
        }
        return isComplete
    }

    /// Whether a header without the fields' own rules says all there is to say.
    private var mayLearn: Bool {
        names._withUnsafeGuaranteedRef { $0.contentLengthPlace == nil && $0.tePlace == nil }
    }

    /// Decodes a block that nobody waits for, so that the table stays right (section 4.3).
    private mutating func skip(_ block: UnsafeRawBufferPointer) throws(Violation) {
        var sink = SkippingSink(names: names)
        _ = try decoder.decode(block, limit: 0, into: &sink)
    }

    /// The request has come to its end.
    @inline(__always)
    private mutating func complete(_ entry: UnsafeMutablePointer<ServerStream>) {
        entry.pointee.phase = .complete
        // Section 8.1.1.
        if !entry.pointee.isBodyComplete { return resetStream(entry, code: .protocolError) }
        core.gainPatience()
        events.append(ServerEvent(.request, stream: entry.pointee.handle))
    }

    /// HEADERS or DATA on a stream that is not open: an error, unless the client can't know yet (section 5.1).
    private mutating func handleLate(_ stream: UInt32, _ reason: StaticString) throws(Violation) {
        if stream > resetAhead && stream <= goAwayLast { throw Violation(.streamClosed, reason) }
        try core.losePatience()
    }

    /// Section 6.1.
    @inline(__always)
    private mutating func handleData(_ part: FramePart) throws(Violation) {
        let stream = part.header.stream
        guard let entry = streams.find(stream) else {
            try checkKnown(stream, "DATA on an idle stream")
            try core.takeData(part.flowControlled, settings.windowUpdates)
            return part.isFirst ? try handleLate(stream, "DATA on a closed stream") : ()
        }
        try core.takeData(part.flowControlled, settings.windowUpdates)
        if entry.pointee.phase == .complete { return resetStream(entry, code: .streamClosed) }
        if !entry.pointee.receiveWindow.take(part.flowControlled) {
            return resetStream(entry, code: .flowControlError)
        }
        entry.pointee.bodyLength &+= part.payload.count
        if entry.pointee.contentLength >= 0, entry.pointee.bodyLength > entry.pointee.contentLength {
            return resetStream(entry, code: .protocolError)
        }
        if keepsValues, !part.payload.isEmpty { entry.pointee.keepBody(part.payload, room: settings.maximumBody) }
        try finishData(part, entry)
    }

    @inline(__always)
    private mutating func finishData(
        _ part: FramePart,
        _ entry: UnsafeMutablePointer<ServerStream>
    ) throws(Violation) {
        let ends = part.header.has(FrameFlag.endStream)
        if part.isLast && ends { return complete(entry) }
        if part.isFirst && part.isLast && part.payload.isEmpty { try core.losePatience() }
        // What ends the stream needs no window any more.
        let increment = ends ? 0 : entry.pointee.receiveWindow.update(settings.windowUpdates)
        if increment > 0 { core.output.windowUpdate(part.header.stream, by: increment) }
    }

    // MARK: Other frames of streams

    /// Only streams that have begun may get frames (section 5.1).
    private func checkKnown(_ stream: UInt32, _ reason: StaticString) throws(Violation) {
        if stream > lastStream || stream & 1 == 0 { throw Violation(.protocolError, reason) }
    }

    /// Section 6.4.
    private mutating func handleReset(_ part: FramePart) throws(Violation) {
        let code = try part.errorCode
        try checkKnown(part.header.stream, "RST_STREAM on an idle stream")
        guard let entry = streams.find(part.header.stream) else { return try core.losePatience() }
        close(entry, code: code)
    }

    /// Section 6.3; what it says is ignored, the scheme is deprecated (section 5.3.2).
    private mutating func handlePriority(_ part: FramePart) throws(Violation) {
        if part.header.stream == 0 { throw Violation(.protocolError, "PRIORITY on stream 0") }
        try core.losePatience()
        if part.payload.count == 5 { return }
        guard let entry = streams.find(part.header.stream) else {
            throw Violation(.frameSizeError, "PRIORITY of impossible length")
        }
        resetStream(entry, code: .frameSizeError)
    }

    /// Section 6.9.
    private mutating func handleWindowUpdate(_ part: FramePart) throws(Violation) {
        let increment = try part.windowIncrement
        if part.header.stream == 0 { return try core.openWindow(part) }
        try checkKnown(part.header.stream, "WINDOW_UPDATE on an idle stream")
        guard let entry = streams.find(part.header.stream) else { return }
        if increment == 0 { return resetStream(entry, code: .protocolError) }
        if !entry.pointee.sendWindow.add(Int64(increment)) { return resetStream(entry, code: .flowControlError) }
        resume(entry)
    }

    // MARK: Frames of the connection

    /// Section 6.5.
    private mutating func applySettings(_ entries: UnsafeRawBufferPointer) throws(Violation) {
        for entry in SettingsEntries(entries) {
            switch try core.peer.apply(entry.setting, entry.value) {
            case .none: break
            case .headerTableSize(let size): encoder.limitTable(to: size)
            case .windows(let change): try changeSendWindows(by: change)
            }
        }
        core.peer.finishFrame()
        try core.output.acknowledgeSettings()
    }

    /// Section 6.9.2: windows of open streams follow the initial window, below zero if need be.
    private mutating func changeSendWindows(by change: Int64) throws(Violation) {
        for index in 0..<UInt32(streams.used) where streams[index].pointee.isOpen {
            if !streams[index].pointee.sendWindow.add(change) {
                throw Violation(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE lifts a window beyond 2^31-1")
            }
            resume(streams[index])
        }
    }

    private mutating func handleConnection(_ part: FramePart) throws(Violation) {
        switch try core.handle(part) {
        case .none: break
        case .pong:
            goAwayIsRead = core.goAwaySent
            events.append(ServerEvent(.pong))
        case .settingsAcknowledged: applyOwnSettings(unacknowledged.removeFirst())
        case .ping: events.append(ServerEvent(.ping))
        case .goAway: handleGoAway(part.payload)
        }
    }

    /// The client knows our SETTINGS now.
    private mutating func applyOwnSettings(_ change: SettingsChange) {
        if let limit = change.streamLimit { acknowledgedLimit = Int(limit) }
        if let size = change.headerTableSize { decoder.limitTable(to: Int(size)) }
        if let size = change.maximumFrameSize { core.input.maximumFrameSize = Int(size) }
        if let size = change.initialWindowSize {
            let difference = Int32(size) - initialReceiveWindow
            initialReceiveWindow = Int32(size)
            for index in 0..<UInt32(streams.used) where streams[index].pointee.isOpen {
                streams[index].pointee.receiveWindow.resize(by: difference)
            }
        }
        events.append(ServerEvent(.settingsAcknowledged, number: UInt32(acknowledgedLimit)))
    }

    /// Section 6.8.
    private mutating func handleGoAway(_ payload: UnsafeRawBufferPointer) {
        let code = HTTP2ErrorCode(rawValue: payload.bigEndianUnsigned(at: 4))
        events.append(ServerEvent(.goAway, code: code, bytes: core.keepDebugData(ofGoAway: payload)))
    }
}

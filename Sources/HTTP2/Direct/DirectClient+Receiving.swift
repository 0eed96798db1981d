// What the server sends. The section numbers are those of RFC 9113.

extension DirectClient {
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard core.beginReceiving(bytes.count) else { return }
        core.input.feed(bytes)
    }

    @inline(__always)
    mutating func nextEvent() throws(HTTP2Error) -> ClientEvent? {
        while true {
            if let event = events.popFirst() {
                if event.kind == .closed {
                    slots[event.slot].pointee.phase = .free
                    openStreams -= 1
                }
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
            while events.isEmpty, let part = try core.input.next() {
                try handle(part)
            }
        } catch {
            // No stream of the server's has ever begun: push is off.
            core.fail(error, lastStream: 0)
        }
    }

    @inline(__always)
    private mutating func handle(_ part: FramePart) throws(Violation) {
        if !core.peer.isKnown { try core.checkFirst(part.header) }
        switch part.header.type {
        case FrameType.data: try handleData(part)
        case FrameType.headers, FrameType.continuation:
            if let (header, block) = try core.headerBlock(part) { try handleHeaders(header, block) }
        case FrameType.windowUpdate: try handleWindowUpdate(part)
        case FrameType.resetStream: try handleReset(part)
        case FrameType.pushPromise:
            // Section 6.6; our SETTINGS came before any request that a promise could answer.
            throw Violation(.protocolError, "PUSH_PROMISE although push is off")
        case FrameType.settings:
            if try core.beginSettings(part) { try applySettings(part.payload) } else { try handleConnection(part) }
        case FrameType.priority: try handlePriority(part)
        default: try handleConnection(part)
        }
    }

    // MARK: Responses

    /// Section 6.2: a response's header, or its trailers.
    @inline(__always)
    private mutating func handleHeaders(_ header: FrameHeader, _ block: UnsafeRawBufferPointer) throws(Violation) {
        guard let record = slots.find(header.stream) else {
            try checkKnown(header.stream, "HEADERS on an idle stream")
            // Closed: the block counts for the table, and for nothing else (section 5.1).
            try core.losePatience()
            return try decoder.skip(block)
        }
        if record.pointee.ended {
            try decoder.skip(block)
            // Half closed by the peer (section 5.1).
            return resetStream(record, code: .streamClosed)
        }
        let isTrailer = record.pointee.head.isFinal
        let endStream = header.has(FrameFlag.endStream)
        let isValid = try decoder.decode(block, into: &record.pointee.head, endStream: endStream) { value in
            slots.keepRetryAfter(value, of: record)
        }
        guard isValid else { return resetStream(record, code: .protocolError) }
        if record.pointee.head.isFinal && !isTrailer {
            core.gainPatience()
            events.append(
                ClientEvent(
                    .headers,
                    slot: slots.index(of: record),
                    status: record.pointee.head.status,
                    endStream: endStream,
                    bytes: slots.retryAfterBytes(of: record)
                )
            )
        }
        if endStream { endResponse(record) }
    }

    @inline(__always)
    private mutating func endResponse(_ record: UnsafeMutablePointer<DirectSlot>) {
        record.pointee.ended = true
        // Otherwise the rest of our body goes out, unless the server resets the stream (section 8.1).
        if record.pointee.sent { close(record, code: .noError) }
    }

    /// Section 6.1.
    @inline(__always)
    private mutating func handleData(_ part: FramePart) throws(Violation) {
        let stream = part.header.stream
        guard let record = slots.find(stream) else {
            try checkKnown(stream, "DATA on an idle stream")
            if part.isFirst { try core.losePatience() }
            return try core.takeData(part.flowControlled)
        }
        try core.takeData(part.flowControlled)
        if record.pointee.ended { return resetStream(record, code: .streamClosed) }
        if !record.pointee.receiveWindow.take(part.flowControlled) {
            return resetStream(record, code: .flowControlError)
        }
        record.pointee.head.bodyLength &+= Int64(part.payload.count)
        let length = record.pointee.head.contentLength
        // A body without a header, or longer than announced, is malformed (section 8.1.1).
        if !record.pointee.head.isFinal || length >= 0 && record.pointee.head.bodyLength > length {
            return resetStream(record, code: .protocolError)
        }
        if !part.payload.isEmpty {
            events.append(ClientEvent(.data, slot: slots.index(of: record), bytes: part.payload))
        }
        try finishData(part, record)
    }

    @inline(__always)
    private mutating func finishData(
        _ part: FramePart,
        _ record: UnsafeMutablePointer<DirectSlot>
    ) throws(Violation) {
        let ends = part.header.has(FrameFlag.endStream)
        if part.isLast && ends {
            if !record.pointee.head.isBodyComplete { return resetStream(record, code: .protocolError) }
            return endResponse(record)
        }
        if part.isFirst && part.isLast && part.payload.isEmpty { try core.losePatience() }
        // What ends the stream needs no window any more.
        let increment = ends ? 0 : record.pointee.receiveWindow.update()
        if increment > 0 { core.output.windowUpdate(part.header.stream, by: increment) }
    }

    // MARK: Other frames of streams

    /// Only streams that have begun may get frames (section 5.1).
    private func checkKnown(_ stream: UInt32, _ reason: StaticString) throws(Violation) {
        if slots.isIdle(stream) { throw Violation(.protocolError, reason) }
    }

    /// Section 6.4.
    private mutating func handleReset(_ part: FramePart) throws(Violation) {
        let code = try part.errorCode
        try checkKnown(part.header.stream, "RST_STREAM on an idle stream")
        guard let record = slots.find(part.header.stream) else { return try core.losePatience() }
        close(record, code: code)
    }

    /// Section 6.3; what it says is ignored, the scheme is deprecated (section 5.3.2).
    private mutating func handlePriority(_ part: FramePart) throws(Violation) {
        if part.header.stream == 0 { throw Violation(.protocolError, "PRIORITY on stream 0") }
        guard part.payload.count != 5, let record = slots.find(part.header.stream) else { return }
        resetStream(record, code: .frameSizeError)
    }

    /// Section 6.9.
    private mutating func handleWindowUpdate(_ part: FramePart) throws(Violation) {
        let increment = try part.windowIncrement
        if part.header.stream == 0 { return try core.openWindow(part) }
        try checkKnown(part.header.stream, "WINDOW_UPDATE on an idle stream")
        guard let record = slots.find(part.header.stream) else { return }
        if increment == 0 { return resetStream(record, code: .protocolError) }
        if !record.pointee.sendWindow.add(Int64(increment)) { return resetStream(record, code: .flowControlError) }
        resume(record)
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
        streamLimit = min(Int(core.peer.streamLimit ?? UInt32.max), Int(Int32.max))
        events.append(ClientEvent(.settings, number: UInt32(streamLimit)))
    }

    /// Section 6.9.2: windows of open streams follow the initial window, below zero if need be.
    private mutating func changeSendWindows(by change: Int64) throws(Violation) {
        for index in 0..<UInt32(slots.count) where slots[index].pointee.phase == .open {
            if !slots[index].pointee.sendWindow.add(change) {
                throw Violation(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE lifts a window beyond 2^31-1")
            }
            resume(slots[index])
        }
    }

    /// The server knows our SETTINGS now, so their window counts.
    private mutating func applyOwnSettings() {
        let change = settings.streamWindow - initialReceiveWindow
        initialReceiveWindow = settings.streamWindow
        for index in 0..<UInt32(slots.count) where slots[index].pointee.phase == .open {
            slots[index].pointee.receiveWindow.resize(by: change)
        }
    }

    private mutating func handleConnection(_ part: FramePart) throws(Violation) {
        switch try core.handle(part) {
        case .none, .ping: break
        case .settingsAcknowledged: applyOwnSettings()
        case .pong: events.append(ClientEvent(.pong))
        case .goAway: handleGoAway(part.payload)
        }
    }

    /// Section 6.8.
    private mutating func handleGoAway(_ payload: UnsafeRawBufferPointer) {
        events.append(
            ClientEvent(
                .goAway,
                code: HTTP2ErrorCode(rawValue: payload.bigEndianUnsigned(at: 4)),
                number: core.lastStreamOfPeer,
                bytes: core.keepDebugData(ofGoAway: payload)
            )
        )
        while let slot = waiting.popFirst() { close(slots[slot], code: .refusedStream) }
        for index in 0..<UInt32(slots.count) {
            let record = slots[index]
            if record.pointee.phase == .open && record.pointee.stream > core.lastStreamOfPeer {
                close(record, code: .refusedStream)
            }
        }
    }
}

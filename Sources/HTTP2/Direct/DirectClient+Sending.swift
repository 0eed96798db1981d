// What goes to the server: first what waits in `core.output`, then bodies that were held up, then new requests.

extension DirectClient {
    var wantsWrite: Bool {
        if !core.output.isEmpty { return true }
        if core.failure != nil { return false }
        return canStart || !sending.isEmpty && core.sendWindow.size > 0
    }

    @inline(__always)
    private var canStart: Bool {
        !waiting.isEmpty && streamsOnWire < streamLimit && !core.goAwayReceived
    }

    @inline(__always)
    mutating func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var filled = core.output.isEmpty ? 0 : core.output.move(into: buffer, at: 0)
        if core.output.isEmpty, core.failure == nil {
            if !sending.isEmpty { filled = sendBodies(into: buffer, from: filled) }
            filled = startRequests(into: buffer, from: filled)
        }
        if filled == 0, let failure = core.failure { throw failure }
        core.tally.bytesOut &+= UInt64(filled)
        return filled
    }

    // MARK: New requests

    @inline(__always)
    private mutating func startRequests(into buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        guard let base = buffer.baseAddress else { return start }
        var filled = start
        while canStart, let slot = waiting.first {
            let record = slots[slot]
            let head = FrameHeader.size + encoder.maximumSize(record.pointee.template, record.pointee.variables)
            let body = record.pointee.variables.body.count
            let needed = head + (body == 0 ? 0 : FrameHeader.size + body)
            if needed <= buffer.count - filled && head <= core.peer.maximumFrameSize {
                guard open(slot) else { continue }
                filled += write(record, to: base + filled)
            } else if filled == 0 {
                // More than a buffer holds: the header goes out by way of `core.output`, the body in parts.
                guard open(slot) else { continue }
                writeLarge(record)
                filled = core.output.move(into: buffer, at: 0)
                if core.output.isEmpty { filled = sendBodies(into: buffer, from: filled) }
                return filled
            } else {
                break
            }
        }
        return filled
    }

    /// Takes the oldest waiting request off the queue and gives it a stream.
    ///
    /// - Returns: False when there are no identifiers left, and the request was refused.
    @inline(__always)
    private mutating func open(_ slot: UInt32) -> Bool {
        _ = waiting.popFirst()
        guard slots.open(slot) != nil else {
            close(slots[slot], code: .refusedStream)
            return false
        }
        streamsOnWire += 1
        let record = slots[slot]
        record.pointee.sendWindow = SendWindow(size: core.peer.initialWindow)
        record.pointee.receiveWindow = ReceiveWindow(size: initialReceiveWindow)
        events.append(ClientEvent(.written, slot: slot))
        return true
    }

    /// Writes a request's HEADERS frame, and its DATA frame if the windows let all of the body pass.
    @inline(__always)
    private mutating func write(
        _ record: UnsafeMutablePointer<DirectSlot>,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let variables = record.pointee.variables
        let stream = record.pointee.stream
        let size = encoder.write(record.pointee.template, variables, to: memory + FrameHeader.size)
        let isWhole = variables.body.isEmpty
        let flags = FrameFlag.endHeaders | (isWhole ? FrameFlag.endStream : 0)
        FrameHeader(length: size, type: FrameType.headers, flags: flags, stream: stream).write(to: memory)
        countHeader(FrameHeader.size + size)
        if isWhole {
            record.pointee.sent = true
            return FrameHeader.size + size
        }
        let allowed = min(Int(core.sendWindow.size), Int(core.peer.initialWindow), core.peer.maximumFrameSize)
        guard variables.body.count <= allowed else {
            resume(record)
            return FrameHeader.size + size
        }
        return FrameHeader.size + size
            + writeData(record, count: variables.body.count, to: memory + FrameHeader.size + size)
    }

    /// Lays out a request's HEADERS frame, with CONTINUATION frames if it must be, in `core.output`.
    private mutating func writeLarge(_ record: UnsafeMutablePointer<DirectSlot>) {
        let variables = record.pointee.variables
        var block = GrowingBuffer()
        defer { block.free() }
        let memory = block.room(for: encoder.maximumSize(record.pointee.template, variables))
        block.count = encoder.write(record.pointee.template, variables, to: memory)
        let written = core.output.headerBlock(
            block.bytes(from: 0, count: block.count),
            flags: variables.body.isEmpty ? FrameFlag.endStream : 0,
            stream: record.pointee.stream,
            limit: core.peer.maximumFrameSize
        )
        core.tally.headerBytesOut &+= UInt64(written)
        core.tally.messagesOut &+= 1
        if variables.body.isEmpty { record.pointee.sent = true } else { resume(record) }
    }

    @inline(__always)
    private mutating func countHeader(_ size: Int) {
        core.tally.headerBytesOut &+= UInt64(size)
        core.tally.messagesOut &+= 1
    }

    // MARK: Bodies

    /// Puts a request whose body is not out yet into the queue, if its window lets it go on.
    mutating func resume(_ record: UnsafeMutablePointer<DirectSlot>) {
        if record.pointee.isSending || record.pointee.sent || record.pointee.sendWindow.size <= 0 { return }
        record.pointee.isSending = true
        sending.append(slots.index(of: record))
    }

    /// Goes on with bodies, a frame of each in turn.
    private mutating func sendBodies(into buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        guard let base = buffer.baseAddress else { return start }
        var filled = start
        while core.sendWindow.size > 0, buffer.count - filled > FrameHeader.size, let slot = sending.popFirst() {
            let record = slots[slot]
            record.pointee.isSending = false
            let left = record.pointee.variables.body.count - record.pointee.bodyOffset
            let count = core.allowance(record.pointee.sendWindow, left: left, room: buffer.count - filled)
            // A window that shrank while the request stood in the queue: it comes back when the window opens.
            if count <= 0 { continue }
            filled += writeData(record, count: count, to: base + filled)
            if record.pointee.phase == .open { resume(record) }
        }
        return filled
    }

    /// Writes a DATA frame with the next bytes of a body.
    @inline(__always)
    private mutating func writeData(
        _ record: UnsafeMutablePointer<DirectSlot>,
        count: Int,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let body = record.pointee.variables.body
        let offset = record.pointee.bodyOffset
        let isLast = offset + count == body.count
        let written = core.writeData(
            UnsafeRawBufferPointer(rebasing: body[offset..<offset + count]),
            isLast: isLast,
            stream: record.pointee.stream,
            window: &record.pointee.sendWindow,
            to: memory
        )
        record.pointee.bodyOffset = offset + count
        if isLast {
            record.pointee.sent = true
            if record.pointee.ended { close(record, code: .noError) }
        }
        return written
    }
}

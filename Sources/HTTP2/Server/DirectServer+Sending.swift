// What goes to the client: first what waits in `core.output`, then bodies that were held up.

extension DirectServer {
    /// Bodies up to this size follow their header at once, if the windows allow; larger ones are written straight into
    /// the caller's buffer.
    private static let smallBody = 1024

    // MARK: Answers

    mutating func prepare(_ template: ResponseTemplate) -> ResponseTemplateID {
        answers.append(PreparedAnswer(template, in: &encoder))
        return ResponseTemplateID(index: Int32(answers.count - 1))
    }

    @inline(__always)
    mutating func respond(
        _ handle: StreamHandle,
        _ template: ResponseTemplateID,
        _ variables: ResponseVariables
    ) throws(HTTP2Error) -> Bool {
        if let failure = core.failure { throw failure }
        guard let entry = streams.find(handle), entry.pointee.phase != .closing else { return false }
        precondition(!entry.pointee.isAnswered, "stream \(handle.stream) was answered twice")
        entry.pointee.isAnswered = true
        let answer = answers[Int(template.index)]
        let body = variables.body.isEmpty ? UnsafeRawBufferPointer(answer.body) : variables.body
        writeHeader(answer, variables, bodyCount: body.count, stream: entry.pointee.stream)
        if body.isEmpty {
            close(entry, code: .noError)
        } else if body.count <= Self.smallBody, allows(body.count, entry) {
            core.output.appendHeader(
                length: body.count,
                type: FrameType.data,
                flags: FrameFlag.endStream,
                stream: entry.pointee.stream
            )
            core.output.append(body)
            core.sendWindow.take(body.count)
            close(entry, code: .noError)
        } else {
            hold(variables.body.isEmpty ? body : entry.pointee.keepAnswer(body), entry)
        }
        return true
    }

    @inline(__always)
    private func allows(_ count: Int, _ entry: UnsafeMutablePointer<ServerStream>) -> Bool {
        count <= Int(core.sendWindow.size) && count <= Int(entry.pointee.sendWindow.size) && sending.isEmpty
    }

    /// Lays out a HEADERS frame, with CONTINUATION frames if it must be.
    @inline(__always)
    private mutating func writeHeader(
        _ answer: PreparedAnswer,
        _ variables: ResponseVariables,
        bodyCount: Int,
        stream: UInt32
    ) {
        let none = RequestVariables(path: UnsafeRawBufferPointer(start: nil, count: 0))
        var bound = encoder.maximumSize(answer.template, none) &+ answer.maximumSize(variables)
        if let rest = answer.rest { bound += encoder.maximumSize(rest, none) }
        let memory = core.output.room(for: FrameHeader.size + bound)
        let block = memory + FrameHeader.size
        var size = encoder.write(answer.template, none, to: block)
        size += answer.writeVariables(variables, bodyCount: bodyCount, to: block + size)
        if let rest = answer.rest { size += encoder.write(rest, none, to: block + size) }
        let flags = bodyCount == 0 ? FrameFlag.endStream : 0
        core.tally.messagesOut &+= 1
        if size > core.peer.maximumFrameSize {
            return writeLarge(UnsafeRawBufferPointer(start: block, count: size), flags: flags, stream: stream)
        }
        FrameHeader(length: size, type: FrameType.headers, flags: flags | FrameFlag.endHeaders, stream: stream)
            .write(to: memory)
        core.output.grow(by: FrameHeader.size + size)
        core.tally.headerBytesOut &+= UInt64(FrameHeader.size + size)
    }

    private mutating func writeLarge(_ block: UnsafeRawBufferPointer, flags: UInt8, stream: UInt32) {
        // The block lies in the output's own memory, behind what counts: it is copied before frames are put there.
        let copy = Array(block)
        let written = copy.withUnsafeBytes {
            core.output.headerBlock($0, flags: flags, stream: stream, limit: core.peer.maximumFrameSize)
        }
        core.tally.headerBytesOut &+= UInt64(written)
    }

    // MARK: Bodies

    private mutating func hold(_ body: UnsafeRawBufferPointer, _ entry: UnsafeMutablePointer<ServerStream>) {
        entry.pointee.answerBody = body
        resume(entry)
    }

    /// Puts a stream whose answer's body is not out yet into the queue, if its window lets it go on.
    mutating func resume(_ entry: UnsafeMutablePointer<ServerStream>) {
        if entry.pointee.isSending || entry.pointee.answerBody.isEmpty || entry.pointee.sendWindow.size <= 0 { return }
        entry.pointee.isSending = true
        sending.append(entry.pointee.index)
    }

    var wantsWrite: Bool {
        !core.output.isEmpty || core.failure == nil && !sending.isEmpty && core.sendWindow.size > 0
    }

    @inline(__always)
    mutating func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        var filled = core.output.isEmpty ? 0 : core.output.move(into: buffer, at: 0)
        if !sending.isEmpty, core.output.isEmpty, core.failure == nil {
            filled = sendBodies(into: buffer, from: filled)
        }
        if filled == 0, let failure = core.failure { throw failure }
        core.tally.bytesOut &+= UInt64(filled)
        return filled
    }

    /// Goes on with bodies, a frame of each in turn.
    private mutating func sendBodies(into buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        guard let base = buffer.baseAddress else { return start }
        var filled = start
        while core.sendWindow.size > 0, buffer.count - filled > FrameHeader.size, let index = sending.popFirst() {
            let entry = streams[index]
            entry.pointee.isSending = false
            let left = entry.pointee.answerBody.count
            let count = core.allowance(entry.pointee.sendWindow, left: left, room: buffer.count - filled)
            // A window that shrank while the stream stood in the queue: it comes back when the window opens.
            if count <= 0 { continue }
            filled += writeData(entry, count: count, to: base + filled)
        }
        return filled
    }

    /// Writes a DATA frame with the next bytes of a body.
    private mutating func writeData(
        _ entry: UnsafeMutablePointer<ServerStream>,
        count: Int,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        let body = entry.pointee.answerBody
        let isLast = count == body.count
        let written = core.writeData(
            UnsafeRawBufferPointer(rebasing: body[..<count]),
            isLast: isLast,
            stream: entry.pointee.stream,
            window: &entry.pointee.sendWindow,
            to: memory
        )
        entry.pointee.answerBody = UnsafeRawBufferPointer(rebasing: body[count...])
        if isLast { close(entry, code: .noError) } else { resume(entry) }
        return written
    }
}

import HTTP2
import Hosts
import Transport

/// Requests and answers of HTTP/2.
extension MockServer {
    /// Reads what has come and takes in its requests.
    func read(_ connection: Connection, _ session: HTTP2Connection) {
        while !isToEnd {
            switch connection.socket.read(into: buffers.input) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: buffers.input[0..<count])
                if connection.delayed.delay > 0 {
                    connection.delayed.keep(bytes, at: now)
                } else {
                    guard take(bytes, of: connection, session) else { return }
                }
                if connection.pausedUntil != nil { return updateInterest(of: connection) }
            case .wouldBlock:
                if connection.hasUnwritten { markForFlush(connection) }
                return updateInterest(of: connection)
            case .closed:
                return close(connection)
            case .failed:
                return lose(connection)
            }
        }
    }

    /// Takes in what came; false if it ended the connection.
    func take(_ bytes: UnsafeRawBufferPointer, of connection: Connection, _ session: HTTP2Connection) -> Bool {
        session.session.receive(bytes)
        guard takeEvents(of: connection, session) else { return false }
        markForFlush(connection)
        return true
    }

    /// Takes the events of the bytes handed in; false if they ended the connection.
    private func takeEvents(of connection: Connection, _ session: HTTP2Connection) -> Bool {
        do throws(HTTP2Error) {
            while let event = try session.session.nextEvent() {
                switch event.kind {
                case .request: try take(event.stream, of: connection, session)
                case .ping: try pinged(connection)
                case .settingsAcknowledged: connection.deadline = nil
                case .closed, .goAway, .pong: break
                }
                if connection.isCut {
                    close(connection)
                    return false
                }
            }
            if session.goAwayLast != nil { auditLateStreams(of: connection, session) }
            return true
        } catch {
            tally[connection.host].faulty += 1
            return endSession(of: connection, session)
        }
    }

    private func take(
        _ stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        guard let view = session.session.request(stream) else { return }
        // Above the last stream that a GOAWAY named: as if it had never come.
        if let last = session.goAwayLast, stream.stream > last { return }
        let isAbove = session.isOverLimit(view)
        auditRequest(over: connection, session, isAbove: isAbove)
        if !connection.host.speaksHTTP1, view.isPathIndexed || view.isIndexed(at: 0) {
            audit.indexedSecret(Int(connection.host.rawValue))
        }
        if isAbove { return try refuseExcess(stream, of: connection, session) }
        let request = hostRequest(view, of: connection, session)
        if deciders.faults.has(connection.host) { return try takeFaulty(request, stream, of: connection, session) }
        session.lastTaken = stream.stream
        let answer = deciders.answer(connection.port, request, over: &connection.memory, at: wallNow)
        audit(answer, to: request, stream: stream.stream, over: connection)
        let serviceTime = deciders.serviceTime(of: connection.host)
        try schedule(answer, after: serviceTime, on: stream, of: connection, session)
    }

    /// A request as its host wants to see it.
    ///
    /// Of a push that is like one before, whose header the host has approved of: only what differs.
    @inline(__always)
    private func hostRequest(
        _ view: RequestView,
        of connection: Connection,
        _ session: HTTP2Connection
    ) -> HostRequest {
        let likeness = session.likeness(of: view)
        guard connection.memory.apns.knows(likeness), let path = view.path, HostRequest.isOfDevice(path) else {
            return session.hostRequest(view, likeness: likeness)
        }
        return HTTP2Connection.knownRequest(view, likeness: likeness)
    }

    /// Sends an answer when its service time is over: at once if that is nothing.
    func schedule(
        _ answer: consuming HostAnswer,
        _ retryAfter: RetryAfterField? = nil,
        after serviceTime: Int64,
        on stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        guard serviceTime > 0 else { return try send(answer, retryAfter, on: stream, of: connection, session) }
        let pending = PendingAnswer(
            connection: connection.handle,
            stream: stream,
            answer: answer,
            retryAfter: retryAfter
        )
        guard answers.push(pending, due: now + serviceTime) else {
            tally.refusedStreams += 1
            return session.session.reset(stream, code: .refusedStream)
        }
    }

    func send(
        _ answer: HostAnswer,
        _ retryAfter: RetryAfterField?,
        on stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        let text = writer.text(retryAfter, at: wallNow)
        if try writer.send(answer, retryAfter: text, on: stream, of: session) {
            tally.count(answer, by: connection.host)
        } else {
            tally.abandoned += 1
        }
    }

    /// The session can't go on: lets out its GOAWAY and ends the connection.
    ///
    /// Always false.
    func endSession(of connection: Connection, _ session: HTTP2Connection) -> Bool {
        do {
            while try writeNext(of: connection, session) == .more {}
        } catch {
            // The session has said why it ends, or the socket is lost: either way nothing more can be said.
        }
        linger(connection)
        return false
    }

    enum WriteProgress {
        case more
        case done
        /// The socket takes no more for now.
        case blocked
    }

    /// Writes one record's worth of what the session has to say.
    func writeNext(of connection: Connection, _ session: HTTP2Connection) throws -> WriteProgress {
        guard try connection.writeKept() else { return .blocked }
        let count = try session.session.collect(into: buffers.output)
        if count == 0 { return .done }
        return try connection.write(UnsafeRawBufferPointer(rebasing: buffers.output[0..<count])) ? .more : .blocked
    }

    /// Writes what a session has to say, as far as the socket takes it.
    func flush(_ connection: Connection, _ session: HTTP2Connection) {
        do {
            while try writeNext(of: connection, session) == .more {}
            // Frames that went out have closed streams; their places are free again when the events are taken.
            while try session.session.nextEvent() != nil {}
        } catch {
            tally[connection.host].faulty += 1
            return error is HTTP2Error ? linger(connection) : close(connection)
        }
        if session.closesWhenIdle, session.session.openStreams == 0, !connection.hasUnwritten {
            return linger(connection)
        }
        updateInterest(of: connection)
    }
}

import HTTP2
import Hosts
import Transport

/// Requests and answers of HTTP/2.
extension MockServer {
    /// Reads what has come and takes in its requests.
    func read(_ connection: Connection, _ session: HTTP2Connection) {
        while true {
            switch connection.socket.read(into: buffers.input) {
            case .bytes(let count):
                session.session.receive(UnsafeRawBufferPointer(rebasing: buffers.input[0..<count]))
                guard takeEvents(of: connection, session) else { return }
                markForFlush(connection)
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

    /// Takes the events of the bytes handed in; false if they ended the connection.
    private func takeEvents(of connection: Connection, _ session: HTTP2Connection) -> Bool {
        do throws(HTTP2Error) {
            while let event = try session.session.nextEvent() {
                if event.kind == .request { try take(event.stream, of: connection, session) }
            }
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
        if session.isOverLimit(view) {
            tally.refusedStreams += 1
            return session.session.reset(stream, code: .refusedStream)
        }
        let request = session.hostRequest(view)
        let answer = deciders.answer(connection.port, request, over: &connection.memory, at: wallNow)
        try schedule(answer, on: stream, of: connection, session)
    }

    /// Sends an answer when its service time is over: at once if that is nothing.
    private func schedule(
        _ answer: consuming HostAnswer,
        on stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        let serviceTime = deciders.serviceTime(of: connection.host)
        guard serviceTime > 0 else { return try send(answer, on: stream, of: connection, session) }
        let pending = PendingAnswer(connection: connection.handle, stream: stream, answer: answer)
        guard answers.push(pending, due: now + serviceTime) else {
            tally.refusedStreams += 1
            return session.session.reset(stream, code: .refusedStream)
        }
    }

    func send(
        _ answer: HostAnswer,
        on stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        if try writer.send(answer, on: stream, of: session) {
            tally.count(answer, by: connection.host)
        } else {
            tally.abandoned += 1
        }
    }

    /// The session can't go on: lets out its GOAWAY and ends the connection.
    ///
    /// Always false.
    private func endSession(of connection: Connection, _ session: HTTP2Connection) -> Bool {
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
        updateInterest(of: connection)
    }
}

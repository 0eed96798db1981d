import Hosts
import Transport

/// Requests and answers of HTTP/1.1.
extension MockServer {
    /// So many bytes of answers that a client does not read are too many, as over HTTP/2.
    private static let unreadLimit = 4 << 20

    func readHTTP1(_ connection: Connection, _ session: HTTP1Connection) {
        while !isToEnd {
            if connection.unwrittenCount > Self.unreadLimit {
                tally[connection.host].faulty += 1
                return close(connection)
            }
            switch connection.socket.read(into: buffers.input) {
            case .bytes(let count):
                if session.isLast { continue }
                guard session.receive(UnsafeRawBufferPointer(rebasing: buffers.input[0..<count])) else {
                    refuse(connection, session, status: 413)
                    continue
                }
                advance(connection, session)
                if connection.isCut { return close(connection) }
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

    /// Takes up the next requests that are whole, until one has to wait for its answer.
    private func advance(_ connection: Connection, _ session: HTTP1Connection) {
        while !session.isBusy, !session.isLast, connection.pausedUntil == nil, !connection.isCut {
            switch session.advance() {
            case .incomplete:
                return setRequestDeadline(connection, session)
            case .awaitsGoOn:
                connection.keep(HTTP1Response.goOn)
                markForFlush(connection)
            case .broken(let status):
                return refuse(connection, session, status: status)
            case .complete:
                connection.deadline = nil
                take(connection, session)
            }
        }
    }

    private func take(_ connection: Connection, _ session: HTTP1Connection) {
        auditRequest(over: connection)
        if deciders.faults.has(connection.host), !isCanned { return takeFaulty(connection, session) }
        let answer: HostAnswer = session.withRequest { request in
            if isCanned { return .canned }
            let answer = deciders.answer(connection.port, request, over: &connection.memory, at: wallNow)
            audit(answer, to: request, stream: 0, over: connection)
            return answer
        }
        let serviceTime = isCanned ? 0 : deciders.serviceTime(of: connection.host)
        schedule(answer, after: serviceTime, on: connection, session)
    }

    func schedule(
        _ answer: HostAnswer,
        _ retryAfter: RetryAfterField? = nil,
        after serviceTime: Int64,
        on connection: Connection,
        _ session: HTTP1Connection
    ) {
        guard serviceTime > 0 else { return write(answer, retryAfter, to: connection, session) }
        let pending = PendingAnswer(
            connection: connection.handle,
            stream: nil,
            answer: answer,
            retryAfter: retryAfter
        )
        if !answers.push(pending, due: now + serviceTime) { refuse(connection, session, status: 503) }
    }

    /// Sends the answer of the request that is being answered, and goes on with the next one.
    func answerHTTP1(
        _ connection: Connection,
        _ session: HTTP1Connection,
        _ answer: HostAnswer,
        _ retryAfter: RetryAfterField?
    ) {
        write(answer, retryAfter, to: connection, session)
        advance(connection, session)
    }

    private func write(
        _ answer: HostAnswer,
        _ retryAfter: RetryAfterField?,
        to connection: Connection,
        _ session: HTTP1Connection
    ) {
        let keepsAlive = session.keepsAlive && !session.endsAfterAnswer
        let canned = cannedAnswers[connection.host]
        let text = writer.text(retryAfter, at: wallNow)
        connection.keep(writer.http1(answer, retryAfter: text, canned: canned, keepsAlive: keepsAlive))
        session.isLast = !keepsAlive
        session.answered()
        tally.count(answer, by: connection.host)
        markForFlush(connection)
    }

    /// Answers what is no request with a bare status, and ends the connection.
    func refuse(_ connection: Connection, _ session: HTTP1Connection, status: Int) {
        connection.keep(HTTP1Response.bytes(status: status, headers: [], body: [], keepsAlive: false))
        session.isLast = true
        tally[connection.host].faulty += 1
        markForFlush(connection)
    }

    func flushHTTP1(_ connection: Connection, _ session: HTTP1Connection) {
        do throws(TransportError) {
            guard try connection.writeKept() else { return updateInterest(of: connection) }
        } catch {
            return close(connection)
        }
        if session.isLast { return linger(connection) }
        updateInterest(of: connection)
    }

    /// A request that has begun must be whole in time; an idle connection may wait.
    private func setRequestDeadline(_ connection: Connection, _ session: HTTP1Connection) {
        guard session.isAmidRequest else {
            connection.deadline = nil
            return
        }
        if connection.deadline == nil { connection.deadline = now + Self.requestLimit }
    }
}

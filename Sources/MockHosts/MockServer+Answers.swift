import HTTP2
import Transport

/// What happens at the end of a turn: answers that are due, and writing.
extension MockServer {
    func sendDueAnswers() {
        while let pending = answers.pop(at: now) {
            guard let connection = connections[pending.connection] else {
                tally.abandoned += 1
                continue
            }
            if let later = postponed(connection) {
                if later == .max || !answers.push(pending, due: later) { tally.abandoned += 1 }
                continue
            }
            switch (connection.stage, pending.stream) {
            case (.http2(let session), .some(let stream)):
                do throws(HTTP2Error) {
                    try send(pending.answer, pending.retryAfter, on: stream, of: connection, session)
                    markForFlush(connection)
                } catch {
                    close(connection)
                }
            case (.http1(let session), .none):
                answerHTTP1(connection, session, pending.answer, pending.retryAfter)
            case (.handshake, _), (.lingering, _), (.canned, _), (.http2, .none), (.http1, .some):
                tally.abandoned += 1
            }
        }
    }

    func markForFlush(_ connection: Connection) {
        guard !connection.isToBeFlushed else { return }
        connection.isToBeFlushed = true
        toBeFlushed.append(connection.handle)
    }

    func flushAll() {
        for index in toBeFlushed.indices {
            guard let connection = connections[toBeFlushed[index]] else { continue }
            connection.isToBeFlushed = false
            // It is flushed when the pause is over.
            if connection.pausedUntil != nil { continue }
            switch connection.stage {
            case .http2(let session): flush(connection, session)
            case .canned(let session): flushCanned(connection, session)
            case .http1(let session): flushHTTP1(connection, session)
            case .handshake, .lingering: break
            }
        }
        toBeFlushed.removeAll(keepingCapacity: true)
    }
}

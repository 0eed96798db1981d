import HTTP2
import Hosts
import Transport

/// The canned policy over HTTP/2: what every request gets, at once.
extension MockServer {
    func beginCanned(_ connection: Connection) {
        let limit = deciders.streamLimits(of: connection.host).most
        let session = CannedServerSession(answer: cannedAnswers[connection.host].template, streamLimit: limit)
        connection.stage = .canned(session)
        markForFlush(connection)
        readCanned(connection, session)
    }

    /// Reads what has come and lays out its answers.
    func readCanned(_ connection: Connection, _ session: CannedServerSession) {
        while !isToEnd {
            switch connection.socket.read(into: buffers.input) {
            case .bytes(let count):
                guard take(UnsafeRawBufferPointer(rebasing: buffers.input[0..<count]), connection, session) else {
                    return
                }
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

    /// False if the bytes ended the connection.
    private func take(
        _ bytes: UnsafeRawBufferPointer,
        _ connection: Connection,
        _ session: CannedServerSession
    ) -> Bool {
        let before = session.answered
        defer { tally.countCanned(session.answered &- before, by: connection.host) }
        do throws(HTTP2Error) {
            try session.receive(bytes)
            return true
        } catch {
            tally[connection.host].faulty += 1
            _ = try? writeCanned(connection, session)
            linger(connection)
            return false
        }
    }

    /// Writes what the session has to say, as far as the socket takes it.
    func flushCanned(_ connection: Connection, _ session: CannedServerSession) {
        do throws(TransportError) {
            try writeCanned(connection, session)
        } catch {
            return close(connection)
        }
        updateInterest(of: connection)
    }

    private func writeCanned(_ connection: Connection, _ session: CannedServerSession) throws(TransportError) {
        guard try connection.writeKept() else { return }
        while true {
            let count = session.collect(into: buffers.output)
            guard count > 0, try connection.write(UnsafeRawBufferPointer(rebasing: buffers.output[0..<count])) else {
                return
            }
        }
    }
}

import Transport

/// Serves one text over HTTP/1.1 to whoever asks, a connection for each request, without a thread of its own.
///
/// Made for Prometheus, which asks every few seconds. Nothing of a request matters but its end (RFC 9112, 2.1).
final class MetricsServer {
    /// What is served; Prometheus takes an empty one as no metrics yet.
    var text = ""
    private let listener: Listener
    private var visits: [Visit] = []
    private static let mostVisits = 16
    private static let longestRequest = 8_192
    private static let patience: Int64 = 2_000_000_000

    private struct Visit {
        let socket: PlainSocket
        let deadline: Int64
        var request: [UInt8] = []
        /// What is left to be written; nil until the request is whole.
        var answer: ArraySlice<UInt8>?
    }

    /// - Parameter address: `127.0.0.1:9464`; a port of 0 lets the system choose, and ``address`` tells.
    init(on address: String) throws(CommandFailure) {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]),
            let place = SocketAddress(literal: String(address[..<colon].filter { $0 != "[" && $0 != "]" }), port: port)
        else {
            throw .usage("--metrics is \"\(address)\"; allowed: an address and a port such as 127.0.0.1:9464")
        }
        do throws(TransportError) {
            listener = try Listener(on: place)
        } catch {
            throw CommandFailure("--metrics: \(error)")
        }
    }

    /// Where it listens.
    var address: SocketAddress { listener.address }

    /// Goes on with every connection as far as it can without waiting.
    func turn() {
        // Without descriptors or patience for more, visitors wait in the queue or give up.
        while visits.count < Self.mostVisits, let visitor = try? listener.accept() {
            let deadline = MonotonicClock.now() + Self.patience
            visits.append(Visit(socket: PlainSocket(accepting: visitor), deadline: deadline))
        }
        let now = MonotonicClock.now()
        visits = visits.compactMap { visit in
            var visit = visit
            guard now < visit.deadline, advance(&visit) else {
                visit.socket.close()
                return nil
            }
            return visit
        }
    }

    /// Whether the visit goes on.
    private func advance(_ visit: inout Visit) -> Bool {
        if visit.answer == nil {
            guard read(&visit) else { return false }
            guard visit.request.hasSuffix("\r\n\r\n") else { return visit.request.count < Self.longestRequest }
            visit.answer = answer(to: visit.request)[...]
        }
        while let rest = visit.answer, !rest.isEmpty {
            switch rest.withUnsafeBytes({ visit.socket.write(from: $0) }) {
            case .bytes(let count): visit.answer = rest.dropFirst(count)
            case .wouldBlock: return true
            default: return false
            }
        }
        return false
    }

    /// Takes what has come; false once the visitor has gone.
    private func read(_ visit: inout Visit) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            while true {
                switch visit.socket.read(into: UnsafeMutableRawBufferPointer(buffer)) {
                case .bytes(let count): visit.request += buffer.prefix(count)
                case .wouldBlock: return true
                default: return false
                }
            }
        }
    }

    private func answer(to request: [UInt8]) -> [UInt8] {
        let isKnown = ["GET /metrics ", "GET / "].contains { request.starts(with: $0.utf8) }
        let body = isKnown ? text : "pushbench serves /metrics\n"
        let head = [
            "HTTP/1.1 \(isKnown ? "200 OK" : "404 Not Found")",
            "Content-Type: text/plain; version=0.0.4; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", "",
        ]
        return Array((head.joined(separator: "\r\n") + body).utf8)
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

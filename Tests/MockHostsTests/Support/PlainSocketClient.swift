import Transport

/// A TCP client without TLS.
final class PlainSocketClient {
    private let socket: PlainSocket
    private let poller: Poller

    init(_ address: SocketAddress) {
        do {
            socket = try PlainSocket(connectingTo: address)
            poller = try Poller(capacity: 4)
            try poller.add(socket.descriptor, tag: 1, interest: [.read, .write])
        } catch {
            fatalError("no TCP connection to the mock: \(error)")
        }
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        let deadline = MonotonicClock.now() + Wire.limit
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ socket.write(from: $0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait(until: deadline)
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
        try poller.modify(socket.descriptor, interest: .read)
    }

    func readToTheEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        let deadline = MonotonicClock.now() + Wire.limit
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes(let count): all += buffer[..<count]
            case .wouldBlock: try wait(until: deadline)
            case .closed, .failed: return all
            }
        }
    }

    private func wait(until deadline: Int64) throws {
        let now = MonotonicClock.now()
        guard now < deadline else { throw TransportError.timedOut(what: "a step of a test") }
        try poller.wait(until: deadline, at: now)
        while poller.next() != nil {}
    }
}

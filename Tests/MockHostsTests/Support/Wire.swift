import Foundation
import HTTP2
import MockHosts
import Transport

/// A TLS connection to a mock, used a step at a time; every step has a limit and fails after it.
final class Wire {
    static let limit: Int64 = 20_000_000_000

    let socket: TLSSocket
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    init(
        to host: HostPort,
        of mock: MockFixture,
        protocols: [TLSContext.ApplicationProtocol] = [.http2],
        identity: TLSContext.Identity? = nil
    ) throws {
        poller = try Poller(capacity: 8)
        socket = try TLSSocket.connect(
            to: mock.address(host),
            serverName: "localhost",
            context: mock.clientContext(protocols, identity)
        )
        try poller.add(socket.descriptor, tag: 1, interest: socket.interest)
        let deadline = MonotonicClock.now() + Self.limit
        while true {
            switch socket.handshake() {
            case .done: return
            case .failed: throw socket.failure ?? .closedWithoutNotice
            case .wants: try wait(until: deadline)
            }
        }
    }

    deinit { buffer.deallocate() }

    func wait(until deadline: Int64) throws {
        let now = MonotonicClock.now()
        guard now < deadline else { throw TransportError.timedOut(what: "a step of a test") }
        try poller.modify(socket.descriptor, interest: socket.interest)
        try poller.wait(until: deadline, at: now)
        while poller.next() != nil {}
    }

    func write(_ bytes: [UInt8]) throws {
        let deadline = MonotonicClock.now() + Self.limit
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ socket.write(from: $0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait(until: deadline)
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// What comes next; nil when the peer has ended the connection, in whatever way.
    func read() throws -> [UInt8]? {
        let deadline = MonotonicClock.now() + Self.limit
        while true {
            switch socket.read(into: buffer) {
            case .bytes(let count): return Array(buffer[0..<count])
            case .wouldBlock: try wait(until: deadline)
            case .closed, .failed: return nil
            }
        }
    }

    /// Everything up to the peer's end of the connection.
    func readToTheEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while let more = try read() { all += more }
        return all
    }

    /// Reads until `isEnough`, or the end.
    func read(until isEnough: (String) -> Bool) throws -> String {
        var all: [UInt8] = []
        while !isEnough(String(decoding: all, as: UTF8.self)), let more = try read() { all += more }
        return String(decoding: all, as: UTF8.self)
    }

    func close() throws {
        try poller.remove(socket.descriptor)
        socket.close()
    }

    /// Turns the session's handle until `isDone`.
    func run(_ session: some ClientSession, until isDone: () -> Bool, _ take: (ClientEvent) -> Void) throws {
        let deadline = MonotonicClock.now() + Self.limit
        while !isDone() {
            var output = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let count = try output.withUnsafeMutableBytes { (bytes) throws(HTTP2Error) in
                    try session.collect(into: bytes)
                }
                if count == 0 { break }
                try write(Array(output[..<count]))
            }
            while let event = try session.nextEvent() { take(event) }
            if isDone() { return }
            switch socket.read(into: buffer) {
            case .bytes(let count):
                session.receive(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
                while let event = try session.nextEvent() { take(event) }
            case .wouldBlock: try wait(until: deadline)
            case .closed, .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
    }
}

import Foundation
import Glibc
import Synchronization

/// A small HTTP proxy on a free port of loopback that knows CONNECT and nothing else.
package final class ConnectProxy: Sendable {
    private struct State {
        var endpoints: [String] = []
        var descriptors: [Int32] = []
    }

    private let listener: Int32
    private let answer: String?
    private let state = Mutex(State())
    private let port: UInt16

    /// - Parameter answer: said to every request in place of opening a way; nil to open it.
    package init(answering answer: String? = nil) throws {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(port: 0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard address.withPointer({ bind(listener, $0, size) }) == 0, listen(listener, 64) == 0 else {
            throw ProgramFailure("a proxy can't listen: error \(errno)")
        }
        var length = size
        guard address.withPointer({ getsockname(listener, $0, &length) }) == 0 else {
            throw ProgramFailure("a proxy has no address: error \(errno)")
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in serve() }.start()
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// What it was asked the way to, in order.
    package var endpoints: [String] { state.withLock { $0.endpoints } }

    /// Ends all connections and takes no more.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            Thread { [self] in serve(client) }.start()
        }
        close(listener)
    }

    private func serve(_ client: Int32) {
        guard let endpoint = Self.endpoint(from: client),
            let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            close(client)
            return
        }
        state.withLock { $0.endpoints.append(endpoint) }
        if let answer {
            Self.sendAll(client, Array(answer.utf8)[...])
            close(client)
            return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(port: port)
        let isOpen = address.withPointer { connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) } == 0
        Self.sendAll(client, Array("HTTP/1.1 \(isOpen ? "200 open" : "502 closed")\r\nVia: test\r\n\r\n".utf8)[...])
        state.withLock { $0.descriptors += [client, server] }
        let back = Thread { Self.pump(from: server, to: client) }
        back.start()
        Self.pump(from: client, to: server)
        while !back.isFinished { usleep(1000) }
        state.withLock { state in state.descriptors.removeAll { $0 == client || $0 == server } }
        close(client)
        close(server)
    }

    /// The target of a CONNECT request; nil for anything else.
    private static func endpoint(from client: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), head.count < 4096 {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        return words.count > 2 && words[0] == "CONNECT" ? String(words[1]) : nil
    }

    private static func pump(from source: Int32, to target: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(source, &bytes, bytes.count, 0)
            guard count > 0, sendAll(target, bytes[..<count]) else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    @discardableResult
    private static func sendAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension sockaddr_in {
    fileprivate static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    fileprivate mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}

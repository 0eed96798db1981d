import Glibc

/// The way to a server through an HTTP proxy: CONNECT, and the proxy's answer (RFC 9110, section 9.3.6).
///
/// Nothing secret goes to the proxy: it learns the server's name and port, and then passes TLS on as it is.
struct ProxyTunnel {
    /// Longer heads than this are no answer to CONNECT.
    private static let longestAnswer = 16 * 1024

    /// What of the request the kernel has not taken yet.
    private var request: ArraySlice<UInt8>
    private var answer: [UInt8] = []

    /// - Parameter endpoint: the server as `name:port`.
    init(to endpoint: String) {
        request = Array("CONNECT \(endpoint) HTTP/1.1\r\nHost: \(endpoint)\r\n\r\n".utf8)[...]
    }

    /// Writes and reads as far as the socket lets it; nil once the way is open.
    ///
    /// - Parameters:
    ///   - descriptor: of the connection to the proxy, which does not block.
    ///   - proxy: its address, for errors.
    mutating func advance(on descriptor: Int32, proxy: SocketAddress) throws(TransportError) -> Poller.Interest? {
        while !request.isEmpty {
            let count = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 {
                guard errno != EINTR else { continue }
                guard errno == EAGAIN else { throw TransportError(call: "send", code: errno, address: proxy) }
                return [.read, .write]
            }
            request = request.dropFirst(count)
        }
        while true {
            var piece = [UInt8](repeating: 0, count: 1024)
            let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0 {
                guard errno != EINTR else { continue }
                guard errno == EAGAIN else { throw TransportError(call: "recv", code: errno, address: proxy) }
                return .read
            }
            guard count > 0 else { throw refusal(by: proxy, "the connection was closed before an answer") }
            answer += piece[..<count]
            if try isOpen(proxy) { return nil }
        }
    }

    /// Whether the answer is whole; throws where it is a refusal, or none at all.
    private func isOpen(_ proxy: SocketAddress) throws(TransportError) -> Bool {
        guard let end = Self.end(of: answer) else {
            guard answer.count <= Self.longestAnswer else { throw refusal(by: proxy, "its answer has no end") }
            return false
        }
        let line = answer.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self))
        else { throw refusal(by: proxy, "it answers with no HTTP") }
        guard (200...299).contains(status) else { throw refusal(by: proxy, "it answers with \(status)") }
        // The server says nothing before it is asked, so that what follows is the proxy's own.
        guard end == answer.count else { throw refusal(by: proxy, "it goes on talking after its answer") }
        return true
    }

    private static func end(of head: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard head.count >= mark.count else { return nil }
        return (mark.count...head.count).first { head[($0 - mark.count)..<$0].elementsEqual(mark) }
    }

    private func refusal(by proxy: SocketAddress, _ reason: String) -> TransportError {
        .proxyRefused(address: proxy.description, reason: reason)
    }
}

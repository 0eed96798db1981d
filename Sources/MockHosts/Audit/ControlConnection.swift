import Transport

/// One client of the control port: reads a request of HTTP/1.1 without a body, gets one answer, and is closed.
final class ControlConnection {
    static let timeLimit: Int64 = 10_000_000_000
    private static let longestHead = 8 * 1024

    let tag: UInt64
    let socket: PlainSocket
    /// Monotonic nanoseconds.
    let deadline: Int64
    private var head: [UInt8] = []
    private(set) var answer: [UInt8] = []
    private var written = 0

    init(_ socket: PlainSocket, tag: UInt64, deadline: Int64) {
        self.socket = socket
        self.tag = tag
        self.deadline = deadline
    }

    /// Takes in what came; the request's head once it is whole, and too long a one as far as it came.
    func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard answer.isEmpty else { return nil }
        head.append(contentsOf: bytes)
        let isWhole = head.firstRange(of: Array("\r\n\r\n".utf8)) != nil
        return isWhole || head.count > Self.longestHead ? head : nil
    }

    func answer(_ bytes: [UInt8]) { answer = bytes }

    /// Writes what is left; true when all is written, or nothing more can be.
    func write() -> Bool {
        while written < answer.count {
            let result = answer.withUnsafeBytes { socket.write(from: UnsafeRawBufferPointer(rebasing: $0[written...])) }
            switch result {
            case .bytes(let count): written += count
            case .wouldBlock: return false
            case .failed: return true
            }
        }
        return !answer.isEmpty
    }
}

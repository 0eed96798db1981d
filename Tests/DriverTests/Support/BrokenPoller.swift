import Foundation
import Glibc

/// Takes the epoll instance away from whoever has connections to a port, as no kernel should: its next wait fails.
final class BrokenPoller {
    private let start: Int64
    /// Of the host; 0 while it is not known.
    var port: UInt16 = 0
    private(set) var hasBroken = false

    init(at start: Int64) { self.start = start }

    func breakIfDue(at elapsed: Int64) {
        guard !hasBroken, elapsed >= start, let epoll = firstEpoll else { return }
        let other = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(other) }
        // The number stays taken, so that nobody else's descriptor is closed by its owner.
        hasBroken = dup2(other, epoll) == epoll && fcntl(epoll, F_SETFD, FD_CLOEXEC) == 0
    }

    /// The lowest one that watches a socket whose peer has the port.
    private var firstEpoll: Int32? {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
        return descriptors.compactMap { Int32($0) }.sorted()
            .first { watched(by: $0).contains { peerPort(of: $0) == port } }
    }

    /// What an epoll instance watches, by its lines `tfd: 7 ...` (proc(5)); nothing for any other descriptor.
    private func watched(by descriptor: Int32) -> [Int32] {
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        return (text ?? "").split(separator: "\n").filter { $0.hasPrefix("tfd:") }
            .compactMap { $0.dropFirst(4).split(separator: " ").first.flatMap { Int32($0) } }
    }

    private func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}

import Foundation
import TestSupport

/// A port of the loopback address where something listens, or nothing does, and no host answers.
final class StubbornHost: Sendable {
    enum Manner: String, Sendable, CaseIterable {
        /// The port is taken, but nobody listens: connections are refused.
        case refuses
        /// Connections are taken up and closed.
        case closes
        /// Connections are taken up by the kernel, and nothing is said.
        case staysSilent
        /// Another protocol altogether.
        case greetsInClear
    }

    let port: UInt16
    private let descriptor: Int32
    /// A thread takes connections, and closes the descriptor in the end.
    private let isServed: Bool

    init(_ manner: Manner) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        isServed = manner == .closes || manner == .greetsInClear
        port = try Self.bind(descriptor)
        guard manner != .refuses else { return }
        guard listen(descriptor, 64) == 0 else { throw ProgramFailure("listen: \(String(cString: strerror(errno)))") }
        guard isServed else { return }
        let descriptor = descriptor
        Thread {
            while true {
                let connection = accept(descriptor, nil, nil)
                // The listening end was shut down: the test is over.
                guard connection >= 0 else { break }
                if manner == .greetsInClear { _ = write(connection, "220 smtp ready\r\n", 16) }
                // Closed with something unread it would be a reset, now and then.
                var hello = [UInt8](repeating: 0, count: 1 << 16)
                _ = read(connection, &hello, hello.count)
                close(connection)
            }
            close(descriptor)
        }
        .start()
    }

    deinit {
        // The thread in accept(2) is woken by that.
        if isServed { shutdown(descriptor, Int32(SHUT_RDWR)) } else { close(descriptor) }
    }

    var url: String { "https://127.0.0.1:\(port)" }

    /// Binds a free port and returns its number.
    private static func bind(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Glibc.bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard isBound else { throw ProgramFailure("bind: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }
}

// Does one thing that a sanitizer must report, or one that it must not: what `scripts/sanitize` shows first, so that silence
// about the tests means that there was nothing to say. The argument names the deed.
import Glibc
import Synchronization

final class Shared: @unchecked Sendable {
    let mutex = Mutex(0)
    var bare = 0
}

enum Deeds {
    static let rounds = 20_000
    static let shared = Shared()

    /// Four threads count without any order between them.
    static func race() {
        onThreads { _ in
            for _ in 0..<Deeds.rounds { Deeds.shared.bare += 1 }
            return nil
        }
    }

    /// Likewise, ordered by a mutex for which they have to wait: its slow path is the one that the sanitizer can't see.
    static func mutex() {
        onThreads { _ in
            for _ in 0..<Deeds.rounds {
                Deeds.shared.mutex.withLock { value in
                    value += 1
                    Deeds.shared.bare += 1
                    if value % 64 == 0 { sched_yield() }
                }
            }
            return nil
        }
        guard shared.bare == 4 * rounds, shared.mutex.withLock({ $0 }) == shared.bare else { abort() }
    }

    /// On threads that end, since what the main thread has in a register or on its stack is no leak yet.
    static func leak() {
        onThreads { _ in
            memset(malloc(1000), 1, 1000)
            return nil
        }
    }

    static func useAfterFree() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        bytes.initialize(repeating: 1, count: 16)
        bytes.deallocate()
        print(bytes[Int(getpid()) & 7])
    }

    /// A pointer that has left its buffer, as a parser's might.
    static func beyondTheEnd() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        bytes.initialize(repeating: 1, count: 16)
        defer { bytes.deallocate() }
        print(bytes[16 + Int(getpid()) & 7])
    }

    private static func onThreads(
        _ deed: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        var threads = [pthread_t](repeating: 0, count: 4)
        for number in threads.indices where pthread_create(&threads[number], nil, deed, nil) != 0 { abort() }
        for thread in threads { pthread_join(thread, nil) }
    }
}

switch CommandLine.arguments.dropFirst().first {
case "race": Deeds.race()
case "mutex": Deeds.mutex()
case "leak": Deeds.leak()
case "use-after-free": Deeds.useAfterFree()
case "beyond-the-end": Deeds.beyondTheEnd()
default: exit(64)
}

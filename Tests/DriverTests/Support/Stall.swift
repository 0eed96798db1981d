import Foundation
import LoadPlan

/// Makes one thread of this process stand still for a while, as a machine that is busy elsewhere does.
final class Stall {
    private let name: String
    private let start: Int64
    private(set) var hasBegun = false

    /// - Parameter spinning: whether the thread uses `length` of CPU time instead of doing nothing for so long.
    init(of name: String, at start: Int64, for length: Int64, spinning: Bool = false) {
        self.name = name
        self.start = start
        Self.length.pointee = length
        // One of the few signals that libdispatch leaves open to threads begun from its own.
        if spinning {
            signal(SIGPROF) { _ in
                let end = Stall.usedByThread + Stall.length.pointee
                while Stall.usedByThread < end {}
            }
        } else {
            signal(SIGPROF) { _ in usleep(useconds_t(Stall.length.pointee / Nanoseconds.microsecond)) }
        }
    }

    func beginIfDue(at elapsed: Int64) {
        guard !hasBegun, elapsed >= start, let thread = Self.thread(named: name) else { return }
        typealias ThreadKill = @convention(c) (pid_t, pid_t, Int32) -> Int32
        // Glibc's module does not show it to Swift.
        guard let kill = dlsym(nil, "tgkill") else { return }
        hasBegun = unsafeBitCast(kill, to: ThreadKill.self)(getpid(), thread, SIGPROF) == 0
    }

    /// Set before the signal's handler is, and not changed while it may run.
    nonisolated(unsafe) private static let length: UnsafeMutablePointer<Int64> = {
        let length = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
        length.initialize(to: 0)
        return length
    }()

    /// CPU nanoseconds of the calling thread.
    private static var usedByThread: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * Nanoseconds.second + Int64(time.tv_nsec)
    }

    private static func thread(named name: String) -> pid_t? {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        // The newest: a thread that another test ran a worker on keeps the name.
        return threads?.lazy.compactMap { pid_t($0) }
            .filter { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n" }
            .max()
    }
}

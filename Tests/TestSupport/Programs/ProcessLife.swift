import Foundation

/// A child process from its start to its end, which a thread waits for.
final class ProcessLife: @unchecked Sendable {
    // The ending is guarded by the condition's lock.
    private let pid: pid_t
    private let condition = NSCondition()
    private var ending: Program.Ending?

    init(_ pid: pid_t) {
        self.pid = pid
        Thread { [self] in waitForEnd() }.start()
    }

    /// Waits for the end; nil at the deadline.
    func wait(until deadline: Date) -> Program.Ending? {
        condition.lock()
        defer { condition.unlock() }
        while ending == nil {
            guard condition.wait(until: deadline) else { break }
        }
        return ending
    }

    /// Sends a signal while the process id is surely still the child's.
    func send(_ signal: Int32) {
        condition.lock()
        if ending == nil { kill(pid, signal) }
        condition.unlock()
    }

    private func waitForEnd() {
        var information = siginfo_t()
        // Without reaping: until that is done under the lock, the process id can't become anybody else's.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        condition.lock()
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        // The layout of wait(2)'s status: the signal in the low seven bits, or else the exit code above a byte.
        let signal = status & 0x7F
        ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
        condition.broadcast()
        condition.unlock()
    }
}

import CLinux
import Glibc

/// A program that this process starts, talks to by its standard output, and always ends.
///
/// The child's standard input is a pipe that nobody writes to: when this process ends, however it ends, the child
/// reads the end of it and can end too. Its standard error is ours. It gets a process group of its own, so that
/// Ctrl-C in the terminal reaches only us and we decide when the child ends. Not thread-safe.
package final class ChildProcess {
    /// How a child ended.
    package enum Ending: Equatable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
    }

    /// The child's process id; it stays the child's until `end` has returned.
    package let pid: Int32

    /// Nil while the child has not been waited for.
    package private(set) var ending: Ending?

    private let path: String
    private var input: FileDescriptor?
    private let output: FileDescriptor
    private let process: FileDescriptor
    private var received: [UInt8] = []
    private var outputHasEnded = false

    /// Starts the program at `path` with our environment.
    ///
    /// - Parameters:
    ///   - path: The executable itself; PATH is not searched.
    ///   - arguments: Without the program's own name.
    /// - Throws: `.child` when the program cannot be started.
    package init(path: String, arguments: [String]) throws(TransportError) {
        let toChild = try Pipe()
        let fromChild = try Pipe()
        pid = try spawn(path, arguments, input: toChild.reader.raw, output: fromChild.writer.raw)
        self.path = path
        let raw = linux_pidfd_open(pid)
        guard raw >= 0 else {
            let code = errno
            kill(pid, SIGKILL)
            _ = reap(pid)
            throw TransportError(call: "pidfd_open", code: code)
        }
        process = FileDescriptor(owning: raw)
        output = fromChild.takeReader()
        input = toChild.takeWriter()
        _ = fcntl(output.raw, F_SETFL, O_NONBLOCK)
    }

    deinit {
        // A run that failed half-way must not leave its mock hosts behind. Nobody is left to ask nicely for.
        guard ending == nil else { return }
        kill(pid, SIGKILL)
        _ = reap(pid)
    }

    /// Becomes readable when the child ends; for a poller.
    package var descriptor: Int32 { process.raw }

    /// Waits for the first line of the child's standard output and returns it without its line end.
    ///
    /// - Parameter deadline: Monotonic nanoseconds.
    /// - Returns: The line; the same one each time.
    /// - Throws: `.timedOut` at the deadline; `.child` when the child ended its output before a line.
    package func firstLine(until deadline: Int64) throws(TransportError) -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard !outputHasEnded else {
                // It closed its output, normally by ending; that takes it another moment.
                _ = wait(until: min(deadline, MonotonicClock.now() + 1_000_000_000))
                throw .child(path: path, reason: "it ended before it was ready\(endingText)")
            }
            guard wait(until: deadline) else { throw .timedOut(what: "starting \(path)") }
            receive()
        }
    }

    /// Waits until the child has ended by itself and takes over its output meanwhile.
    ///
    /// - Parameter deadline: Monotonic nanoseconds.
    /// - Returns: Whether it has ended; ``end(within:)`` then says how.
    package func waitForEnd(until deadline: Int64) -> Bool {
        while !hasEnded {
            guard wait(until: deadline) else { return false }
            receive()
        }
        return true
    }

    /// What the child wrote after its first line, so far; complete once `end` has returned.
    package var laterOutput: String {
        guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return "" }
        return String(decoding: received[(end + 1)...], as: UTF8.self)
    }

    /// Ends the child: closes its standard input and sends SIGTERM, waits, and sends SIGKILL if that did not help.
    ///
    /// Reads the child's output to the end meanwhile, so that a long last word cannot hold it up.
    /// - Parameter nanoseconds: How long to wait between SIGTERM and SIGKILL.
    /// - Returns: How it ended; the same each time.
    @discardableResult
    package func end(within nanoseconds: Int64 = 5_000_000_000) -> Ending {
        if let ending { return ending }
        input = nil
        // The child stays a zombie until we wait for it, so the id cannot have become somebody else's.
        kill(pid, SIGTERM)
        let deadline = MonotonicClock.now() + nanoseconds
        while !hasEnded, wait(until: deadline) { receive() }
        if !hasEnded { kill(pid, SIGKILL) }
        let ending = reap(pid)
        self.ending = ending
        receive()
        return ending
    }

    /// True once the child has ended by itself or otherwise.
    package var hasEnded: Bool {
        if ending != nil { return true }
        var poll = pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1
    }

    private var endingText: String {
        guard hasEnded else { return "" }
        switch end(within: 0) {
        case .exited(let status): return " (exit status \(status))"
        case .killed(let signal): return " (signal \(signal))"
        }
    }

    /// Waits for output or for the child's end; false at the deadline.
    private func wait(until deadline: Int64) -> Bool {
        while true {
            let left = deadline - MonotonicClock.now()
            // Rounded up, so as not to spin during the last millisecond.
            let milliseconds = Int32(clamping: (max(0, left) + 999_999) / 1_000_000)
            // A negative descriptor is passed over by poll(2).
            var polls = [
                pollfd(fd: outputHasEnded ? -1 : output.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.raw, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polls, nfds_t(polls.count), milliseconds)
            if ready > 0 { return true }
            if ready == 0 { return false }
            precondition(errno == EINTR, "poll failed: \(errorText(errno))")
        }
    }

    /// Takes over what the child has written, without waiting for more.
    private func receive() {
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
            while !outputHasEnded {
                let count = read(output.raw, buffer.baseAddress, buffer.count)
                if count > 0 {
                    received.append(contentsOf: buffer.prefix(count))
                } else if count == 0 {
                    outputHasEnded = true
                } else if errno == EAGAIN {
                    return
                } else {
                    precondition(errno == EINTR, "reading a pipe failed: \(errorText(errno))")
                }
            }
        }
    }
}

/// Both ends of a pipe, closed on exec.
private struct Pipe: ~Copyable {
    let reader: FileDescriptor
    let writer: FileDescriptor

    init() throws(TransportError) {
        var ends: [Int32] = [-1, -1]
        _ = try systemCall("pipe2") { linux_pipe(&ends) }
        reader = FileDescriptor(owning: ends[0])
        writer = FileDescriptor(owning: ends[1])
    }

    /// Keeps the reading end and closes the other.
    consuming func takeReader() -> FileDescriptor { reader }

    /// Keeps the writing end and closes the other.
    consuming func takeWriter() -> FileDescriptor { writer }
}

/// posix_spawn(3) with the two descriptors as standard input and output.
private func spawn(
    _ path: String,
    _ arguments: [String],
    input: Int32,
    output: Int32
) throws(TransportError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // Signals as a fresh program expects them, whatever we ignore, catch or block.
    var defaults = sigset_t()
    var none = sigset_t()
    sigemptyset(&none)
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, words, environ)
    guard code == 0 else { throw .child(path: path, reason: "cannot be started: \(errorText(code))") }
    return pid
}

/// Waits for a child that has ended or is about to, and says how it ended.
private func reap(_ pid: pid_t) -> ChildProcess.Ending {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
        // ECHILD: somebody else waited for our child.
        precondition(errno == EINTR, "waiting for process \(pid) failed: \(errorText(errno))")
    }
    // The layout of wait(2)'s status: the signal in the low seven bits, or else the exit status above a byte.
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: signal)
}

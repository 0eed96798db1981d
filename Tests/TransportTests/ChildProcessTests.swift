import Glibc
import Testing

@testable import Transport

@Suite("Child processes", .timeLimit(.minutes(5)))
struct ChildProcessTests {
    private func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess(path: "/bin/sh", arguments: ["-c", script])
    }

    private var soon: Int64 { MonotonicClock.now() + Conversation.limit }

    @Test("The first line is read, SIGTERM ends it, and it is gone")
    func ordinary() throws {
        let child = try shell("echo ready; exec sleep 60")
        #expect(try child.firstLine(until: soon) == "ready")
        #expect(!child.hasEnded)
        #expect(child.end() == .killed(signal: SIGTERM))
        #expect(child.end() == .killed(signal: SIGTERM))
        #expect(child.hasEnded)
        #expect(kill(child.pid, 0) == -1)
    }

    @Test("A child that ignores SIGTERM is killed after the limit")
    func stubborn() throws {
        let child = try shell("trap '' TERM; echo ready; exec sleep 60")
        #expect(try child.firstLine(until: soon) == "ready")
        #expect(child.end(within: 1_000_000) == .killed(signal: SIGKILL))
    }

    @Test("The child reads the end of its input when we let go, and its last words are kept, however long")
    func lastWords() throws {
        // More than a pipe holds, so the child needs us to read while it ends.
        let child = try shell("trap '' TERM; echo ready; read line; head -c 300000 /dev/zero; exit 3")
        #expect(try child.firstLine(until: soon) == "ready")
        #expect(child.end(within: Conversation.limit) == .exited(status: 3))
        #expect(child.laterOutput.utf8.count == 300_000)
    }

    @Test("Its own end shows on the descriptor")
    func endsByItself() throws {
        let child = try shell("exit 7")
        let poller = try Poller()
        try poller.add(child.descriptor, tag: 1, interest: .read)
        try poller.wait(until: soon, at: MonotonicClock.now())
        #expect(poller.next()?.tag == 1)
        #expect(child.hasEnded)
        #expect(child.end() == .exited(status: 7))
    }

    @Test("Ending before the first line, saying nothing, and not existing are three errors")
    func failures() throws {
        let early = TransportError.child(path: "/bin/sh", reason: "it ended before it was ready (exit status 5)")
        #expect(throws: early) { try shell("exit 5").firstLine(until: soon) }
        let silent = try shell("exec sleep 60")
        #expect(throws: TransportError.timedOut(what: "starting /bin/sh")) {
            try silent.firstLine(until: MonotonicClock.now() + 1_000_000)
        }
        let missing = "/nowhere/pushbench"
        let absent = TransportError.child(path: missing, reason: "cannot be started: No such file or directory")
        #expect(throws: absent) { try ChildProcess(path: missing, arguments: []) }
    }

    @Test("A child that is dropped is ended too")
    func dropped() throws {
        let pid = try shell("exec sleep 60").pid
        #expect(kill(pid, 0) == -1)
        #expect(errno == ESRCH)
    }

    @Test("The child has a process group of its own and takes SIGPIPE as usual")
    func fresh() throws {
        signal(SIGPIPE, SIG_IGN)
        let child = try shell("read -r _ _ _ _ group _ < /proc/self/stat; echo $group $(grep SigIgn /proc/self/status)")
        let words = try child.firstLine(until: soon).split(whereSeparator: \.isWhitespace)
        #expect(words.first.map(String.init) == "\(child.pid)")
        // Bit 12 is SIGPIPE (13).
        let mask = words.last.flatMap { UInt64($0, radix: 16) }
        #expect(mask.map { $0 & 1 << 12 } == 0)
    }
}

@Suite("Signals", .serialized, .timeLimit(.minutes(5)))
struct SignalsTests {
    @Test("The first and the second signal can be told apart, and each wakes the poller")
    func counts() throws {
        let poller = try Poller()
        let signals = try Signals(waking: poller.waker, exitOnSecond: false)
        #expect(signals.count == 0)
        #expect(signals.first == nil)
        for (order, number) in [(1, SIGTERM), (2, SIGINT)] {
            // To the process, not to this thread: the pool's threads block signals.
            #expect(kill(getpid(), number) == 0)
            try poller.waitForEvent()
            #expect(poller.next()?.isWakeUp == true)
            #expect(signals.count == order)
        }
        #expect(signals.first == SIGTERM)
    }
}

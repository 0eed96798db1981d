import Foundation
import Hosts
import Push
import TestSupport
import Testing
import Transport

extension Processes {
    /// However the mock hosts end, the folder with their keys goes with them.
    @Suite("The end of mock hosts") struct MockEndingTests {
        /// A run ends its hosts in two ways at once, so that signals come while the end of standard input is being followed.
        @Test(arguments: 1...5) func aSignalDuringTheEnd(attempt: Int) throws {
            let bench = try Workbench()
            let mock = try bench.start(["mock", "--until-stdin-closes"])
            // Its standard input has ended already: it says its last word and begins to put things away.
            try mock.waitForOutput { $0.count { $0 == "\n" } == 2 }
            // Up to its last moment; what comes after that goes nowhere.
            let deadline = MonotonicClock.now() + 60_000_000_000
            while !mock.hasEnded, MonotonicClock.now() < deadline {
                mock.send(SIGTERM)
                sched_yield()
            }
            let outcome = try mock.wait()
            #expect(outcome.ending == .exited(0) && outcome.errors == "")
            #expect(try bench.temporaries.contents() == [])
        }

        @Test(arguments: 1...5) func aSignalDuringTheStart(attempt: Int) throws {
            let bench = try Workbench()
            let mock = try bench.start(["mock"])
            // Its standard output tells nothing yet; the folder does not stay, whether it is there by now or not.
            for _ in 0..<attempt { sched_yield() }
            mock.send(SIGTERM)
            _ = try mock.wait()
            #expect(try bench.temporaries.contents() == [])
        }

        /// Whatever its hosts are busy with, or not: nobody has to wait for their end.
        @Test(arguments: [
            "freeze,until=1h", "stall", "service-time=1h", "round-trip=1h", "silence=1ms", "slow-tls=1h",
        ])
        func aSignalUnderAFault(fault: String) throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--quiet", "--fault", fault])
            let senders = try (1...3)
                .map { _ in
                    try Program(
                        "/usr/bin/curl",
                        [
                            "--silent", "--insecure", "--http2", "--data", "{}",
                            try mock.url("apns-production") + "/3/device/x",
                        ]
                    )
                }
            // A frozen host takes nobody in; their connections wait before its door.
            try mock.waitForConnections(to: "apns-production", fault.hasPrefix("freeze") ? 0 : 3)
            #expect(try mock.end().contains("\"mock-summary\""))
            for sender in senders { _ = try sender.wait() }
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func aSignalWithAnswersThatNobodyReads() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--quiet"])
            let client = try DeafClient(of: mock)
            try client.write(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 2000))
            try mock.waitForRequests(to: "oauth", 2000)
            #expect(try mock.end().contains("\"mock-summary\""))
        }

        @Test func aReaderThatHasGone() throws {
            let bench = try Workbench()
            let line = "\"$0\" mock --until-stdin-closes | :"
            let outcome = try Program.run(
                "/bin/sh",
                ["-c", line, Workbench.pushbench],
                environment: ["TMPDIR": bench.temporaries.path]
            )
            #expect(outcome.errors == "")
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func aFolderOfTheUsersStays() throws {
            let bench = try Workbench()
            let first = try RunningMock(in: bench, ["--state", "state"])
            #expect(try first.end().hasPrefix("{"))
            let files = try bench.folder.contents()
            #expect(files.contains("state/AuthKey_ABC123DEFG.p8"))
            let key = try bench.folder.read("state/AuthKey_ABC123DEFG.p8")
            let second = try RunningMock(in: bench, ["--state", "state"])
            _ = try second.end()
            #expect(try bench.folder.contents() == files)
            #expect(try bench.folder.read("state/AuthKey_ABC123DEFG.p8") == key)
            #expect(try bench.temporaries.contents() == [])
        }
    }
}

extension RunningMock {
    fileprivate func waitForConnections(to host: String, _ count: UInt64) throws {
        try wait(for: count) { $0.hosts.first { $0.host == host }?.counts.connections ?? 0 }
    }

    fileprivate func waitForRequests(to host: String, _ count: UInt64) throws {
        try wait(for: count) { $0.hosts.first { $0.host == host }?.counts.requests ?? 0 }
    }

    /// Asks the control port until it tells of so many.
    private func wait(for count: UInt64, _ number: (AuditReport) -> UInt64) throws {
        let deadline = MonotonicClock.now() + 60_000_000_000
        while try number(audit()) < count {
            try #require(MonotonicClock.now() < deadline, "the mock has not got so far")
        }
    }
}

/// A client of the token endpoint that never reads what it is answered over HTTP/1.1.
private final class DeafClient {
    private let socket: TLSSocket
    private let poller: Poller
    private let deadline = MonotonicClock.now() + 60_000_000_000

    init(of mock: RunningMock) throws {
        poller = try Poller(capacity: 4)
        let url = try mock.url("oauth").dropFirst("https://127.0.0.1:".count).prefix { $0.isNumber }
        socket = try TLSSocket.connect(
            to: .loopback(port: try #require(UInt16(url))),
            serverName: "localhost",
            context: TLSContext.client(caFile: mock.announcement.ca, protocols: [.http11])
        )
        try poller.add(socket.descriptor, tag: 1, interest: socket.interest)
        while true {
            switch socket.handshake() {
            case .done: return
            case .wants: try wait()
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
    }

    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ socket.write(from: $0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait()
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
    }

    private func wait() throws {
        try #require(MonotonicClock.now() < deadline, "the mock takes nothing in")
        try poller.modify(socket.descriptor, interest: socket.interest)
        try poller.wait(until: deadline, at: MonotonicClock.now())
        while poller.next() != nil {}
    }
}

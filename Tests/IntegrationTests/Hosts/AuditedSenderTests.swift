import Foundation
import Hosts
import MockHosts
import Push
import TestSupport
import Testing
import Transport

extension Processes {
    /// What the mock hosts say of senders at their end.
    @Suite("Senders as the mock hosts audit them") struct AuditedSenderTests {
        /// The default profile as `scripts/run` runs it, on both sides: only how long and how fast it goes is scaled, by the
        /// options that the README names, and the bounds of the verdict are wide, which is no business of the hosts'.
        ///
        /// Fleet, messages, lanes, batches, service times and faults are the profile's own, so what passes over the wire is
        /// the same but for its number.
        @Test func ourOwnDriverHasNoFinding() throws {
            let bench = try Workbench()
            let profile = Workbench.profiles + "/mixed-fleet.json"
            let mock = try RunningMock(in: bench, [profile, "--fail-on-findings"])
            // The run's folder for temporary files is to be empty at its end, the mock's is not.
            let other = try Workbench()
            try mock.writeAnnouncement(to: "mock.json", in: other)
            let shorter = [
                "phases[0].duration=1s", "phases[1].duration=3s", "phases[0].rate=2000/s", "phases[1].rate=2000/s",
            ]
            _ = try other.result(profile, ["--hosts", "mock.json"] + shorter.flatMap { ["--set", "load." + $0] })
            let summary = try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8))
            #expect(summary.audit.findings == [])
            let pushes = summary.audit.hosts.reduce(0) { $0 + $1.counts.pushes }
            #expect(pushes >= 6000 && summary.audit.notCompared == 0)
            #expect(summary.audit.hosts.allSatisfy { $0.counts.duplicates == 0 })
        }

        private func drive(_ count: Int, sharded: Bool) throws -> AuditReport {
            let bench = try Workbench()
            try bench.folder.write(TestProfile.mixed, to: "mixed.json")
            let mock = try RunningMock(in: bench, ["mixed.json", "--quiet"])
            try mock.writeAnnouncement(to: "hosts.json", in: bench)
            let wide = ["apns-production", "apns-sandbox", "fcm"].flatMap { ["--set", "lanes.\($0).connections=4"] }
            let drivers = try (1...count)
                .map { number in
                    try bench.start(
                        ["run", "mixed.json", "--quiet", "--hosts", "hosts.json", "--out", "results/\(number)"] + wide
                            + Workbench.patience + (sharded ? ["--shard", "\(number)/\(count)"] : [])
                    )
                }
            for driver in drivers { #expect(try driver.wait().code == 0) }
            return try JSONDecoder().decode(MockSummary.self, from: Data(try mock.end().utf8)).audit
        }

        @Test func twoShardsAreOneFleetOfTwoSenders() throws {
            let audit = try drive(2, sharded: true)
            #expect(audit.findings == [])
            for host in audit.hosts where host.host != "oauth" {
                #expect(host.senders == 2 && host.busiest.map(\.connections) == [2, 2], "\(host)")
                // Each shard asks FCM's host for its time, once and without a credential.
                let asked: UInt64 = host.host == "fcm" ? 2 : 0
                #expect(host.busiest.reduce(0) { $0 + $1.requests } == host.counts.requests - asked, "\(host)")
            }
            #expect(audit.hosts.count == 4)
        }

        /// What no sender does wrong by itself shows when the audit looks at all of them.
        @Test func twoSendersOfTheSamePushesMakeDuplicates() throws {
            let audit = try drive(2, sharded: false)
            #expect(Set(audit.findings.map(\.finding)).contains(.duplicates))
            for host in audit.hosts where host.host != "oauth" {
                #expect(host.senders == 2)
                #expect(host.counts.duplicates == host.counts.distinct && host.counts.distinct > 0, "\(host)")
            }
        }

        @Test func aFindingIsAnExitCode() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--fail-on-findings"])
            let client = try PlainSocket(connectingTo: mock.address("apns-production"))
            let poller = try Poller(capacity: 4)
            try poller.add(client.descriptor, tag: 1, interest: [.read, .write])
            let deadline = MonotonicClock.now() + 20_000_000_000
            // No TLS: the mock answers with an alert or an end.
            var text = Array("hello\r\n\r\n".utf8)[...]
            var input = [UInt8](repeating: 0, count: 100)
            reading: while MonotonicClock.now() < deadline {
                try poller.wait(until: deadline, at: MonotonicClock.now())
                while poller.next() != nil {}
                if !text.isEmpty, case .bytes(let count) = text.withUnsafeBytes({ client.write(from: $0) }) {
                    text = text.dropFirst(count)
                    try poller.modify(client.descriptor, interest: text.isEmpty ? .read : [.read, .write])
                }
                switch input.withUnsafeMutableBytes({ client.read(into: $0) }) {
                case .bytes, .wouldBlock: continue
                case .closed, .failed: break reading
                }
            }
            mock.program.send(SIGTERM)
            let outcome = try mock.program.wait()
            #expect(outcome.code == 2 && outcome.errors.contains("apns-production: broken-protocol, 1 times"))
        }

        /// As many clients as there are ports for, who connect and say nothing.
        @Test func tenThousandConnections() throws {
            let bench = try Workbench()
            let mock = try RunningMock(in: bench, ["--quiet"])
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let wanted = min(10_000, Int(limit.rlim_max) - 1000)
            let address = try mock.address("apns-production")
            var clients: [PlainSocket] = []
            for _ in 0..<wanted { clients.append(try PlainSocket(connectingTo: address)) }
            // The mock is up, and knows of them all sooner or later.
            var connections: UInt64 = 0
            let deadline = MonotonicClock.now() + 60_000_000_000
            while connections < UInt64(wanted), MonotonicClock.now() < deadline {
                connections = try mock.audit().hosts.first { $0.host == "apns-production" }?.counts.connections ?? 0
            }
            #expect(connections == UInt64(wanted))
            let status = try String(contentsOfFile: "/proc/\(mock.announcement.pid)/status", encoding: .utf8)
            let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kibibytes = try #require(peak?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            // What a sanitizer keeps of it counts as well.
            #expect(Sanitizer.isOn || kibibytes < 400 << 10, "the mock has used \(kibibytes) KiB")
            for client in clients { client.close() }
            #expect(try mock.end().contains("\"mock-summary\""))
        }
    }
}

extension RunningMock {
    func address(_ host: String) throws -> SocketAddress {
        let port = try #require(try url(host).split(separator: ":").last.flatMap { UInt16($0) })
        return .loopback(port: port)
    }

    /// What the control port says of the sender so far.
    func audit() throws -> AuditReport {
        let outcome = try Program.run("/usr/bin/curl", ["--silent", try url("control") + "/pushbench/audit"])
        return try JSONDecoder().decode(AuditReport.self, from: Data(outcome.output.utf8))
    }
}

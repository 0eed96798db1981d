import Foundation
import Push
import TestSupport
import Testing

/// `pushbench mock`, serving in a process of its own on free ports.
final class RunningMock: Sendable {
    let program: Program
    /// What it said when it was ready.
    let announcement: HostAnnouncement

    /// Starts it and waits until it is ready.
    init(in workbench: Workbench, _ arguments: [String] = []) throws {
        program = try workbench.start(["mock"] + arguments)
        try program.waitForOutput { $0.contains("\n") }
        let line = program.outputSoFar.prefix { $0 != "\n" }
        announcement = try JSONDecoder().decode(HostAnnouncement.self, from: Data(line.utf8))
    }

    /// The URL of a host, by name.
    func url(_ host: String) throws -> String { try #require(announcement.hosts[host]) }

    /// Writes the announcement, changed if so wished, to a file for `run --hosts`.
    func writeAnnouncement(
        to name: String,
        in workbench: Workbench,
        _ change: (inout HostAnnouncement) -> Void = { _ in }
    ) throws {
        var changed = announcement
        change(&changed)
        let line = String(decoding: try JSONEncoder().encode(changed), as: UTF8.self)
        try workbench.folder.write(line + "\n", to: name)
    }

    /// Asks it to end, and returns what it said then, the audit.
    func end() throws -> String {
        program.send(SIGTERM)
        let outcome = try program.wait()
        #expect(outcome.code == 0, "\(outcome)")
        return String(outcome.output.drop { $0 != "\n" }.dropFirst())
    }
}

import FoundationEssentials
import Push
import Transport

/// The mock hosts that a run starts for itself, as a child process that ends with the run, however that ends.
final class MockProcess {
    /// Where the hosts are and with what credentials they can be used.
    let announcement: HostAnnouncement
    private let child: ChildProcess

    private static let startLimit: Int64 = 20_000_000_000
    private static let endLimit: Int64 = 5_000_000_000

    /// Starts `pushbench mock` with these arguments and waits until it is ready.
    init(arguments: [String]) throws(CommandFailure) {
        do throws(TransportError) {
            child = try ChildProcess(
                path: Executable.path ?? "pushbench",
                arguments: ["mock", "--until-stdin-closes", "--quiet"] + arguments
            )
        } catch {
            throw Self.failure(error)
        }
        do throws(TransportError) {
            announcement = try Self.parse(child.firstLine(until: MonotonicClock.now() + Self.startLimit))
        } catch {
            // It has said why on the standard error that we share; one line is enough.
            if child.ending == .exited(status: ExitCode.failure.rawValue) { throw .alreadyTold }
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: TransportError) -> CommandFailure {
        CommandFailure("the mock hosts could not be started: \(error)")
    }

    /// Whether they have ended by themselves, which no run asks of them.
    var hasEnded: Bool { child.hasEnded }

    /// Ends the hosts; they are given time for a last word.
    func end() { child.end(within: Self.endLimit) }

    private static func parse(_ line: String) throws(TransportError) -> HostAnnouncement {
        do {
            return try JSONDecoder().decode(HostAnnouncement.self, from: Data(line.utf8))
        } catch {
            throw .child(path: "pushbench mock", reason: "its first line is no announcement: \(line.prefix(100))")
        }
    }
}

import FoundationEssentials
import Glibc
import LoadPlan
import MockHosts
import Push

/// `pushbench mock`: the mock hosts alone, for any sender.
///
/// Prints one line of JSON when it is ready and one when it ends, and nothing else on standard output.
struct MockCommand {
    /// A profile's file; nil for the hosts' defaults.
    var profile: String?
    /// Each `path=value`, applied to the profile in order.
    var overrides: [String] = []
    var ports: [HostName: UInt16] = [:]
    var bindAddress = "127.0.0.1"
    /// Where credentials are kept and used again; nil for a directory that is removed at the end.
    var stateDirectory: String?
    /// End when standard input does: how a parent process makes sure that no mock outlives it.
    var endsWithStandardInput = false

    /// Serves until a signal or the end of standard input. Throws what stopped it from serving.
    func run() throws {
        let profile = try loadProfile()
        let directory = try MockDirectory(keptAt: stateDirectory)
        defer { directory.removeIfTemporary() }
        let site = try MockSite(
            profile: profile,
            directory: directory.path,
            bindAddress: bindAddress,
            ports: ports,
            processID: getpid()
        )
        try site.server.stopOnSignals()
        if endsWithStandardInput { StandardInput.whenItEnds { [stopper = site.server.stopper] in stopper.stop() } }
        // The hosts are bound and their backlogs take connections, so a sender may begin at once.
        try printLine(site.announcement)
        try printLine(try site.server.run())
    }

    private func loadProfile() throws -> Profile {
        guard let profile else { return try Profile(json: "{}", file: "mock", overrides: overrides) }
        return try Profile(json: try ProfileFile.read(profile), file: profile, overrides: overrides)
    }

    /// One line of JSON, out at once even if standard output is a pipe.
    private func printLine(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
        fflush(nil)
    }
}

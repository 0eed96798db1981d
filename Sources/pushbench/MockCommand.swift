import FoundationEssentials
import Glibc
import LoadPlan
import MockHosts
import Push

/// `pushbench mock`: the mock hosts alone, for any sender.
///
/// Prints one line of JSON when it is ready and one when it ends, and nothing else on standard output.
struct MockCommand: Command {
    static let form = CommandForm(
        name: "mock",
        summary: "Serve mock APNs, FCM and token hosts for any sender, until Ctrl-C.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .values("set", "PATH=VALUE", "Change a field of the profile, such as mock.policy=canned."),
            .value("policy", "POLICY", "faithful: check everything; canned: accept everything at once."),
            .value("service-time", "TIME", "How long every answer takes, such as 20ms."),
            .values("port", "NAME=N", "A fixed port: \(HostName.allCases.map(\.name).joined(separator: ", "))."),
            .value("bind", "ADDRESS", "The address to listen on (default: 127.0.0.1)."),
            .value("state", "DIR", "Keep credentials in DIR and use them again (default: a temporary folder)."),
            .flag("until-stdin-closes", "End when standard input does."),
        ],
        example: "pushbench mock --policy canned --port fcm=8443 --state /tmp/mock"
    )

    private let profilePath: String?
    /// Each `path=value`, applied to the profile in order.
    private var overrides: [String]
    private var ports: [HostName: UInt16] = [:]
    private let bindAddress: String
    /// Where credentials are kept and used again; nil for a directory that is removed at the end.
    private let stateDirectory: String?
    /// How a parent process makes sure that no mock outlives it.
    private let endsWithStandardInput: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        profilePath = arguments.operands.first
        overrides = arguments.all("set")
        if let policy = arguments.value("policy") { overrides.append("mock.policy=\(policy)") }
        if let time = arguments.value("service-time") { overrides.append("mock.serviceTime=\(time)") }
        bindAddress = arguments.value("bind") ?? "127.0.0.1"
        stateDirectory = arguments.value("state")
        endsWithStandardInput = arguments.has("until-stdin-closes")
        for word in arguments.all("port") { try addPort(word) }
    }

    private mutating func addPort(_ word: String) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1)
        let names = HostName.allCases.map(\.name).joined(separator: ", ")
        guard parts.count == 2, let host = HostName.allCases.first(where: { $0.name == parts[0] }),
            let port = UInt16(parts[1])
        else { throw .usage("--port is \(word); allowed: NAME=N with NAME one of \(names) and N from 0 to 65535") }
        ports[host] = port
    }

    func run() throws(CommandFailure) -> ExitCode {
        do {
            try serve(try loadProfile())
            return .success
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func loadProfile() throws(CommandFailure) -> Profile {
        if let profilePath { return try ProfileFile.load(profilePath, overrides: overrides).profile }
        do throws(ProfileError) {
            return try Profile(json: "{}", file: "mock", overrides: overrides)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Serves until a signal or the end of standard input.
    private func serve(_ profile: Profile) throws {
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

    /// One line of JSON, out at once even if standard output is a pipe.
    private func printLine(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Console.write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }
}

import FoundationEssentials
import Glibc
import Hosts
import LoadPlan
import MockHosts
import Push
import Transport

/// `pushbench mock`: the mock hosts alone, for any sender.
///
/// Prints one line of JSON when it is ready and one when it ends, and nothing else on standard output.
struct MockCommand: Command {
    static let form = CommandForm(
        name: "mock",
        summary: "Serves mock hosts for any sender: APNs, FCM and their token endpoint, on loopback.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .value("policy", "NAME", "faithful checks everything, canned accepts everything at once."),
            .value("service-time", "TIME", "What an answer takes, such as 20ms; instead of the profile's."),
            .values(
                "port",
                "NAME=N",
                "The port of fcm, oauth, control, apns-production or apns-sandbox, or with -alternate or -channels behind "
                    + "the latter two; any free one otherwise."
            ),
            .value("bind", "ADDRESS", "The address to listen on, in digits; 127.0.0.1 otherwise."),
            .value("state", "DIR", "Keep certificates and keys here and use them again; a temporary folder otherwise."),
            .values(
                "fault",
                "NAME[=VALUE]",
                "Something that goes wrong, such as goaway,after=1000; see --help-faults."
            ),
            .flag("help-faults", "List the faults with their options, and where each was seen."),
            .values("set", "PATH=VALUE", "Override a field of the profile: mock.streamLimits.fcm=50."),
            .flag("fail-on-findings", "Exit with 2 if the audit of the sender has a finding."),
            .flag("no-audit", "Don't hold the sender against the rules: for finding out what that costs."),
            .flag("quiet", "Don't write the audit as text to standard error at the end."),
            .flag("until-stdin-closes", "End when standard input does, as well as on Ctrl-C."),
        ],
        example: "pushbench mock --port apns-production=8443 --state mock-state"
    )

    /// A profile's file; nil for the hosts' defaults.
    private let profile: String?
    /// Each `path=value`, applied to the profile in order.
    private let overrides: [String]
    private let ports: [HostPort: UInt16]
    private let controlPort: UInt16
    private let bindAddress: String
    /// nil for a directory that is removed at the end.
    private let stateDirectory: String?
    /// How a parent process makes sure that no mock outlives it.
    private let endsWithStandardInput: Bool
    /// Those of the command line, added to the profile's.
    private let faults: [Fault]
    private let listsFaults: Bool
    private let failsOnFindings: Bool
    private let isAudited: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        profile = arguments.operands.first
        var overrides = arguments.all("set")
        if let policy = arguments.value("policy") {
            let known = MockPolicy.allCases.map(\.rawValue)
            guard known.contains(policy) else {
                throw .usage("--policy is \(policy); allowed: \(known.joined(separator: ", "))")
            }
            overrides.append("mock.policy=\(policy)")
        }
        if let time = arguments.value("service-time") {
            overrides += ["mock.serviceTime=\(time)", "mock.serviceTimes={}"]
        }
        self.overrides = overrides
        (ports, controlPort) = try Self.ports(arguments.all("port"))
        bindAddress = arguments.value("bind") ?? "127.0.0.1"
        stateDirectory = arguments.value("state")
        endsWithStandardInput = arguments.has("until-stdin-closes")
        faults = try Self.faults(arguments.all("fault"))
        failsOnFindings = arguments.has("fail-on-findings")
        isAudited = !arguments.has("no-audit")
        if failsOnFindings, !isAudited {
            throw .usage("--fail-on-findings needs the audit; allowed: one of --fail-on-findings and --no-audit")
        }
        isQuiet = arguments.has("quiet")
        listsFaults = arguments.has("help-faults") || arguments.all("fault").contains("help")
    }

    private static func faults(_ texts: [String]) throws(CommandFailure) -> [Fault] {
        var faults: [Fault] = []
        for text in texts where text != "help" {
            do throws(FaultError) {
                faults.append(try Fault(text))
            } catch {
                throw .usage("--fault: \(error)")
            }
        }
        return faults
    }

    /// The ports of the hosts that are named, and the control port's.
    private static func ports(
        _ texts: [String]
    ) throws(CommandFailure) -> (hosts: [HostPort: UInt16], control: UInt16) {
        var ports: [HostPort: UInt16] = [:]
        var control: UInt16?
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let names = HostPort.allCases.map(\.name) + ["control"]
            guard parts.count == 2, names.contains(String(parts[0])), let port = UInt16(parts[1]) else {
                throw .usage(
                    "--port is \(text); allowed: NAME=0 to NAME=65535, NAME one of \(names.joined(separator: ", "))"
                )
            }
            let before: UInt16?
            if let host = HostPort(rawValue: String(parts[0])) {
                before = ports.updateValue(port, forKey: host)
            } else {
                (before, control) = (control, port)
            }
            guard before == nil else { throw .usage("--port \(parts[0]) is given twice") }
        }
        return (ports, control ?? 0)
    }

    func run() throws(CommandFailure) -> ExitCode {
        if listsFaults {
            Console.write(FaultTable.text)
            return .success
        }
        var profile = try loadProfile()
        profile.mock.faults += faults
        // Keys are about to lie in a folder that has to go again.
        Signals.holdBack()
        let directory = try MockDirectory(keptAt: stateDirectory)
        var site: MockSite?
        // With the handlers in place: a signal that comes in the middle of it must not leave half of it behind.
        defer { withExtendedLifetime(site) { directory.removeIfTemporary() } }
        do {
            let made = try MockSite(
                profile: profile,
                directory: directory.path,
                bindAddress: bindAddress,
                ports: ports,
                controlPort: controlPort,
                processID: getpid(),
                isAudited: isAudited
            )
            site = made
            return try serve(made)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func loadProfile() throws(CommandFailure) -> Profile {
        if let profile { return try ProfileFile.load(profile, overrides: overrides).profile }
        do throws(ProfileError) {
            return try Profile(json: "{}", file: "the default hosts", overrides: overrides)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func serve(_ site: MockSite) throws -> ExitCode {
        try site.server.stopOnSignals()
        if endsWithStandardInput { StandardInput.whenItEnds { [stopper = site.server.stopper] in stopper.stop() } }
        // The hosts are bound and their backlogs take connections, so a sender may begin at once.
        guard try writeLine(site.announcement) else { return .success }
        let summary = try site.server.run()
        _ = try writeLine(summary)
        if !isQuiet, !summary.audit.hosts.isEmpty { Console.writeError(summary.audit.text) }
        return failsOnFindings && !summary.audit.findings.isEmpty ? .thresholdFailed : .success
    }

    /// Writes a line to standard output; false where nobody reads it any more.
    ///
    /// Not as other commands do, which end on the spot: there is a folder to be removed.
    private func writeLine(_ value: some Encodable) throws -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(value) + [UInt8(ascii: "\n")]
        if Console.write(Array(line), to: STDOUT_FILENO) { return true }
        if errno == EPIPE { return false }
        throw ResultFolderError(path: "standard output")
    }
}

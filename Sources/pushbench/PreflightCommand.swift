import Driver
import Fleet
import FoundationEssentials
import LoadPlan
import Push
import Resources

/// `pushbench preflight`: looks at everything that a run needs, without sending a push.
struct PreflightCommand: Command {
    static let form = CommandForm(
        name: "preflight",
        summary: "Check profile, credentials, hosts and this machine before a run, without sending.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .values("set", "PATH=VALUE", "Change a field of the profile, such as lanes.fcm.connections=20."),
            .value("workers", "N", "Threads that would send (default: the profile's, else one per core less one)."),
            .value(
                "hosts",
                "FILE",
                "Use running mock hosts: FILE holds the line that `pushbench mock` printed; or: real."
            ),
            .flag("json", "Print the checks as one line of JSON."),
        ],
        example: "pushbench preflight Profiles/ci-smoke.json"
    )

    private let path: String?
    private let overrides: [String]
    private let workers: Int?
    private let hostsFile: String?
    private let wantsJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        path = arguments.operands.first
        overrides = arguments.all("set")
        workers = try arguments.integer("workers", in: 1...256)
        hostsFile = arguments.value("hosts")
        wantsJSON = arguments.has("json")
    }

    func run() throws(CommandFailure) -> ExitCode {
        let checks = checks()
        let report = Report(checks: checks)
        Console.write(wantsJSON ? try report.json() : report.text)
        return report.passed ? .success : .failure
    }

    /// What stops the looking is a check that failed, too.
    private func checks() -> [PreflightCheck] {
        var done: [PreflightCheck] = []
        do throws(CommandFailure) {
            let loaded = try ProfileFile.load(path, overrides: overrides)
            done.append(PreflightCheck("profile", .ok, loaded.path))
            let fleet = try FleetLoading.source(for: loaded)
            return done + (try checks(loaded, fleet))
        } catch {
            let name = done.isEmpty ? "profile" : "fleet and hosts"
            return done + [PreflightCheck(name, .failed, error.message)]
        }
    }

    private func checks(_ loaded: ProfileFile, _ fleet: FleetSource) throws(CommandFailure) -> [PreflightCheck] {
        let cores = (try? Machine.current().usableCores) ?? 2
        let workers = workers ?? loaded.profile.workers ?? max(1, cores - 1)
        func checks(_ hosts: HostAnnouncement, _ profile: Profile? = nil) -> [PreflightCheck] {
            Preflight(profile: profile ?? loaded.profile, fleet: fleet, hosts: hosts, workers: workers).checks()
        }
        if hostsFile == RealRun.word {
            let real = try RealRun.prepare(loaded, fleet: fleet)
            return checks(real.hosts, real.profile)
        }
        if let hostsFile { return checks(try HostsFile.read(hostsFile)) }
        let mock = try MockProcess(arguments: loaded.arguments)
        defer { mock.end() }
        return checks(mock.announcement)
    }

    /// The checks as they are printed.
    private struct Report: Encodable {
        let pushbench = "preflight"
        let passed: Bool
        let checks: [PreflightCheck]

        init(checks: [PreflightCheck]) {
            self.checks = checks
            passed = checks.allSatisfy { $0.outcome != .failed }
        }

        var text: String {
            let width = (checks.map(\.name.count).max() ?? 0) + 2
            return
                checks.map { check in
                    let word = check.outcome.rawValue
                    return word + String(repeating: " ", count: 9 - word.count) + check.name
                        + String(repeating: " ", count: width - check.name.count) + check.detail + "\n"
                }
                .joined()
        }

        func json() throws(CommandFailure) -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
            } catch {
                throw CommandFailure("the checks can't be written as JSON: \(error)")
            }
        }
    }
}

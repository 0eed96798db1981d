import Driver
import Fleet
import LoadPlan
import Push
import Report
import Resources
import Sending
import Transport

/// One `pushbench run`, from options to results.
struct RunJob {
    var profilePath: String?
    var overrides: [String] = []
    var workers: Int?
    /// The folder for the results; nil for one named by time and profile in `Results`.
    var out: String?
    /// A file with the line of JSON that `pushbench mock` prints; nil to start mock hosts.
    var hostsFile: String?
    var wantsJSON = false
    var isQuiet = false

    /// Does it and returns how it ended.
    func perform() throws(CommandFailure) -> ExitCode {
        let loaded = try ProfileFile.load(profilePath, overrides: overrides)
        let profile = loaded.profile
        let folder = try ResultFolder(requested: out, profile: profile.name)
        let fleet = try FleetLoading.source(for: profile)
        let mock = hostsFile == nil ? try MockProcess(arguments: loaded.arguments) : nil
        defer { mock?.end() }
        let hosts = try mock?.announcement ?? HostsFile.read(hostsFile)
        let measurement = try drive(profile, fleet: fleet, hosts: hosts)
        mock?.end()
        let record = RunRecord(
            measurement: measurement,
            profile: profile,
            environment: .current(profile: profile, devices: fleet.size, ownMock: mock != nil)
        )
        let place = try folder.write(record)
        show(record, in: place)
        return exitCode(of: record)
    }

    private func drive(
        _ profile: Profile,
        fleet: FleetSource,
        hosts: HostAnnouncement
    ) throws(CommandFailure) -> RunMeasurement {
        let display = ProgressDisplay(isQuiet: isQuiet)
        defer { display.clear() }
        do {
            let poller = try Poller()
            let signals = try Signals(waking: poller.waker, exitOnSecond: true)
            let run = try Run(
                profile: profile,
                fleet: fleet,
                workers: workers ?? profile.workers ?? max(1, Machine.usableCores - 1),
                hosts: hosts
            )
            return try run.perform(
                Run.Observer(progressed: { display.update($0) }, interruptions: { signals.count })
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func show(_ record: RunRecord, in folder: String) {
        if wantsJSON {
            Console.write(JSONSummary.text(record, folder: folder) + "\n")
        } else {
            Console.write(TerminalSummary(record, colours: Console.wantsColours).text(folder: folder))
        }
    }

    private func exitCode(of record: RunRecord) -> ExitCode {
        if record.interrupted { return .interrupted }
        return record.verdict.isValid ? .success : .invalid
    }
}

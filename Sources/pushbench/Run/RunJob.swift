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
    /// Forms for other tools that are written as well.
    var exports: [ResultExport] = []
    /// A file for the timeline as the run goes on, and an address for metrics; nil for none.
    var liveCSV: String?
    var metricsAddress: String?
    /// The part of the run to do; nil for all of it.
    var shard: Shard?
    var start = StartChoice.whenReady
    var wantsJSON = false
    var isQuiet = false

    /// Does it and returns how it ended.
    func perform() throws(CommandFailure) -> ExitCode {
        let loaded = try ProfileFile.load(profilePath, overrides: overrides)
        let profile = loaded.profile
        let fleet = try FleetLoading.source(for: loaded)
        let folder = try prepareFolder(for: profile)
        let display = ProgressDisplay(isQuiet: isQuiet)
        let interruption = try Interruption { display.note("ending; Ctrl-C again ends at once, without results") }
        // The results must not be lost to a signal either.
        defer { withExtendedLifetime(interruption) {} }
        let environment = try RunEnvironment.current(profile: profile, devices: fleet.size, ownMock: hostsFile == nil)
        let live = try LiveResults(profile: profile, environment: environment, csv: liveCSV, metrics: metricsAddress)
        let measurement = try withHosts(loaded.arguments) { hosts throws(CommandFailure) in
            try drive(profile, fleet: fleet, hosts: hosts, display, interruption, live)
        }
        var record = RunRecord(measurement: measurement, profile: profile, environment: environment)
        if record.interrupted { record.abortedBy = live?.abortCause }
        JobSummary.append(record)
        do throws(ResultFolderError) {
            show(record, in: try folder.write(record, exports: exports))
        } catch {
            // The disk may be full by now, but what was measured is not lost.
            show(record, in: nil)
            throw CommandFailure("\(error)")
        }
        try live?.finish(record)
        return record.interrupted && record.abortedBy == nil ? .interrupted : ExitCode(judging: record)
    }

    /// Before the run, so that a place that can't be written to costs no run.
    private func prepareFolder(for profile: Profile) throws(CommandFailure) -> ResultFolder {
        let part = shard.map { "-shard-\($0.number + 1)-of-\($0.count)" } ?? ""
        let now = UTCTime(nanoseconds: WallClock.now())
        let path = out ?? ResultFolder.standardPath(for: profile.name + part, at: now)
        do throws(ResultFolderError) {
            return try ResultFolder(preparing: path, staysAlone: out == nil)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Runs `body` with running mock hosts, or with ones that are started for it and end with it.
    private func withHosts(
        _ arguments: [String],
        _ body: (HostAnnouncement) throws(CommandFailure) -> RunMeasurement
    ) throws(CommandFailure) -> RunMeasurement {
        if let hostsFile { return try body(HostsFile.read(hostsFile)) }
        let mock = try MockProcess(arguments: arguments)
        defer { mock.end() }
        let measurement = try body(mock.announcement)
        if mock.hasEnded { Console.writeError("pushbench: the mock hosts ended before the run did\n") }
        return measurement
    }

    private func drive(
        _ profile: Profile,
        fleet: FleetSource,
        hosts: HostAnnouncement,
        _ display: ProgressDisplay,
        _ interruption: Interruption,
        _ live: LiveResults?
    ) throws(CommandFailure) -> RunMeasurement {
        defer { display.clear() }
        do {
            let run = try Run(
                profile: profile,
                shard: shard,
                fleet: fleet,
                workers: workers ?? profile.workers ?? max(1, try Machine.current().usableCores - 1),
                hosts: hosts,
                isLive: live != nil
            )
            return try run.perform(
                Run.Observer(
                    progressed: { progress in
                        display.update(progress)
                        live?.serve()
                    },
                    // A threshold ends a run as the first Ctrl-C does.
                    interruptions: { max(interruption.count, live?.abortCause == nil ? 0 : 1) },
                    measured: { live?.update($0) }
                ),
                starting: start.rule(for: shard, profile: profile)
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func show(_ record: RunRecord, in folder: String?) {
        if wantsJSON {
            Console.write(JSONSummary.text(record, folder: folder) + "\n")
        } else {
            Console.write(TerminalSummary(record, colours: Console.wantsColours).text(folder: folder))
        }
    }
}

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
    ///
    /// ``RealRun/word`` for the real hosts.
    var hostsFile: String?
    var mayReachRealDevices = false
    var wantsCeiling = false
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
        let fleet = try FleetLoading.source(for: loaded)
        let real = try realRun(loaded, fleet: fleet)
        let profile = real?.profile ?? loaded.profile
        let replays = try ReplayFiles.read(for: profile, fleet: fleet, folder: loaded.folder)
        let folder = try prepareFolder(for: profile)
        let display = ProgressDisplay(isQuiet: isQuiet, bounds: profile.verdict)
        let interruption = try Interruption { display.note("ending; Ctrl-C again ends at once, without results") }
        // The results must not be lost to a signal either.
        defer { withExtendedLifetime(interruption) {} }
        let environment = try RunEnvironment.current(profile: profile, devices: fleet.size, ownMock: hostsFile == nil)
        let live = try LiveResults(profile: profile, environment: environment, csv: liveCSV, metrics: metricsAddress)
        let ceiling = try measureCeiling(loaded, fleet: fleet, display, interruption)
        var measurement = try withHosts(loaded.arguments, real: real?.hosts) { hosts throws(CommandFailure) in
            try drive(profile, fleet: fleet, hosts: hosts, replays: replays, display, interruption, live)
        }
        measurement.generator.ceiling = ceiling
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
        for bug in record.verdict.bugs { Console.writeError("pushbench: \(bug.sentence)\n") }
        if let fault = record.fault { Console.writeError("pushbench: the run was ended by a fault of \(fault)\n") }
        // A bug is no ordinary end, even of an interrupted run.
        let wasInterrupted = record.wasInterruptedByUser && record.verdict.bugs.isEmpty
        return wasInterrupted ? .interrupted : ExitCode(judging: record)
    }

    /// What a run against real hosts needs; nil for one against mock hosts.
    private func realRun(
        _ file: ProfileFile,
        fleet: FleetSource
    ) throws(CommandFailure) -> (profile: Profile, hosts: HostAnnouncement)? {
        guard hostsFile == RealRun.word else {
            guard !mayReachRealDevices else { throw .usage("--send-to-real-devices goes with --hosts real only") }
            return nil
        }
        guard mayReachRealDevices else {
            throw .usage("--hosts real sends to real devices; if that is wanted, add --send-to-real-devices")
        }
        return try RealRun.prepare(file, fleet: fleet)
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
        real: HostAnnouncement?,
        _ body: (HostAnnouncement) throws(CommandFailure) -> RunMeasurement
    ) throws(CommandFailure) -> RunMeasurement {
        if let real { return try body(real) }
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
        replays: [Int: [ReplayTimes]],
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
                workers: try workers(for: profile),
                hosts: hosts,
                replays: replays,
                isWatched: display.wantsDetails,
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
                    measured: { live?.update($0) },
                    interval: live == nil ? display.interval : 0
                ),
                starting: start.rule(for: shard, profile: profile)
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// What the generator can do at most, if that is wanted.
    private func measureCeiling(
        _ loaded: ProfileFile,
        fleet: FleetSource,
        _ display: ProgressDisplay,
        _ interruption: Interruption
    ) throws(CommandFailure) -> CeilingMeasurement? {
        guard wantsCeiling else { return nil }
        display.note("measuring what this machine's generator can do, about 5 s")
        let ceiling = try CeilingRun.measure(
            loaded.profile,
            arguments: loaded.arguments,
            fleet: fleet,
            workers: try workers(for: loaded.profile),
            interruption: interruption
        )
        guard let ceiling else { throw CommandFailure("interrupted before the run began", code: .interrupted) }
        return ceiling
    }

    /// As asked for; otherwise one for each core less one.
    private func workers(for profile: Profile) throws(CommandFailure) -> Int {
        if let workers = workers ?? profile.workers { return workers }
        do throws(ResourceError) {
            return max(1, try Machine.current().usableCores - 1)
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

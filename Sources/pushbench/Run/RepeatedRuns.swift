import Report
import Transport

/// `pushbench run --repeat N`, alone or against another build: A B A B, or both at once, so that whatever changes on the
/// machine meanwhile meets both.
///
/// Every run is a process of its own, as a single one would be. Results are kept in `DIR/01`, `DIR/02`, or with another
/// build in `DIR/a/01` (that one) and `DIR/b/01` (this one).
struct RepeatedRuns {
    /// Of a number of runs this many suffice to tell a difference in one number of some thirty.
    static let standardCount = 7
    /// The same for pairs of runs made at once.
    static let standardPairs = 11

    let count: Int
    /// The other build; nil to run this one alone.
    let other: String?
    /// Whether the builds run at the same time.
    let areAtOnce: Bool
    /// The folder for the results.
    let folder: String
    /// What every run is called with.
    let arguments: [String]
    let wantsJSON: Bool
    let isQuiet: Bool

    private struct Build {
        let path: String
        let folder: String
    }

    private static let patience: Int64 = 200_000_000
    /// Begun so far apart, runs are no longer taken for having begun at once.
    private static let apart: Int64 = 100_000_000

    /// Runs all and returns how it ended: with another build, as `compare` would.
    func perform() throws(CommandFailure) -> ExitCode {
        guard let own = Executable.path else { throw CommandFailure("/proc is not mounted, so no run can be repeated") }
        guard ResultFolder.kind(of: folder) == .nothing else {
            throw CommandFailure("\(folder): exists; name a new folder with --out")
        }
        let builds: [Build]
        if let other {
            builds = [Build(path: other, folder: folder + "/a"), Build(path: own, folder: folder + "/b")]
        } else {
            builds = [Build(path: own, folder: folder)]
        }
        let interruption = try Interruption { Console.writeError("ending\n") }
        var worst = ExitCode.success
        var allowance = Allowance(spare: count)
        for number in 1...count {
            let name = number < 10 ? "0\(number)" : "\(number)"
            // The one that starts first is not always the same.
            let order = number % 2 == 1 ? builds : builds.reversed()
            for together in areAtOnce ? [order] : builds.map({ [$0] }) {
                let folders = together.map { "\($0.folder)/\(name)" }
                if !isQuiet { Console.writeError("\(number) of \(count): \(folders.joined(separator: ", "))\n") }
                let code = try run(together, into: folders, &allowance, interruption)
                if code == .interrupted { return code }
                if code.rawValue > worst.rawValue { worst = code }
            }
        }
        return builds.count == 1 ? worst : try compare(builds[0], builds[1])
    }

    /// What runs that have to be done again may take.
    private struct Allowance {
        /// Runs that can't be believed are done again, but not for ever: on a busy machine all of them might be such.
        var spare: Int
        /// How long runs that are to begin at once have to get ready, in nanoseconds; keys alone can take a second.
        var lead: Int64 = 1_500_000_000
    }

    /// One run of each build, and another where they can't be believed or did not begin at once.
    private func run(
        _ builds: [Build],
        into folders: [String],
        _ allowance: inout Allowance,
        _ interruption: Interruption
    ) throws(CommandFailure) -> ExitCode {
        while true {
            let code = try run(builds, into: folders, lead: allowance.lead, interruption)
            guard allowance.spare > 0, code != .interrupted else { return code }
            let names = folders.joined(separator: ", ")
            if code == .invalid {
                Console.writeError("pushbench: \(names): INVALID and done again\n")
            } else if try !haveBegunAtOnce(folders) {
                Console.writeError("pushbench: \(names): did not begin at once, and are done again\n")
                allowance.lead *= 2
            } else {
                return code
            }
            allowance.spare -= 1
        }
    }

    /// One run of each build, all at the same time; returns the worst of their ends.
    ///
    /// - Parameter lead: from now to their common start, in nanoseconds; one alone begins when it is ready.
    private func run(
        _ builds: [Build],
        into folders: [String],
        lead: Int64,
        _ interruption: Interruption
    ) throws(CommandFailure) -> ExitCode {
        var children: [ChildProcess] = []
        let start = UTCTime(nanoseconds: WallClock.now() + lead)
        // One that fails takes the others with it.
        defer { for child in children { child.end() } }
        do throws(TransportError) {
            for (build, folder) in zip(builds, folders) {
                let own = ["--out", folder, "--quiet"] + (builds.count > 1 ? ["--start-at", "\(start)"] : [])
                children.append(try ChildProcess(path: build.path, arguments: ["run"] + arguments + own))
            }
        } catch {
            throw CommandFailure("\(error)")
        }
        while let running = children.first(where: { !$0.hasEnded }) {
            _ = running.waitForEnd(until: MonotonicClock.now() + Self.patience)
            if interruption.count > 0 { return .interrupted }
            // One that could not be done is no reason to wait for the other.
            for (index, child) in children.enumerated() where child.hasEnded {
                _ = try Self.code(of: child.end(), builds[index], folders[index])
            }
        }
        var worst = ExitCode.success
        for (index, child) in children.enumerated() {
            let code = try Self.code(of: child.end(), builds[index], folders[index])
            if code.rawValue > worst.rawValue { worst = code }
        }
        return worst
    }

    /// Whether all began at the time that was agreed on: they do unless one took longer than that to get ready.
    private func haveBegunAtOnce(_ folders: [String]) throws(CommandFailure) -> Bool {
        var starts: [Int64] = []
        for folder in folders { starts.append(try RecordSource(folder).record.startedAt.nanoseconds) }
        guard let first = starts.min(), let last = starts.max() else { return true }
        return last - first < Self.apart
    }

    /// - Throws: for a run that left no result.
    private static func code(
        of ending: ChildProcess.Ending,
        _ build: Build,
        _ folder: String
    ) throws(CommandFailure) -> ExitCode {
        guard case .exited(let status) = ending, let code = ExitCode(rawValue: status) else {
            throw CommandFailure("\(build.path): the run for \(folder) ended without an exit code of ours (\(ending))")
        }
        guard code != .failure, code != .usage else {
            throw CommandFailure("\(build.path): the run for \(folder) could not be done", code: code)
        }
        return code
    }

    private func compare(_ first: Build, _ second: Build) throws(CommandFailure) -> ExitCode {
        let (a, b) = (try ComparedSide.read(first.folder), try ComparedSide.read(second.folder))
        let comparison = Comparison(a, b, effect: CompareCommand.effect(a, b))
        let text = ComparisonText(comparison, names: (first.folder, second.folder))
        Console.write(wantsJSON ? text.json + "\n" : text.terminal(colours: Console.wantsColours))
        return comparison.isWorse ? .thresholdFailed : .success
    }
}

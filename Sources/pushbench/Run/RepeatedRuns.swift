import Report
import Transport

/// `pushbench run --repeat N`, alone or against another build: A B A B, so that whatever changes on the machine meanwhile
/// meets both.
///
/// Every run is a process of its own, as a single one would be. Results are kept in `DIR/01`, `DIR/02`, or with another
/// build in `DIR/a/01` (that one) and `DIR/b/01` (this one).
struct RepeatedRuns {
    /// Of a number of runs this many suffice to tell a difference in one number of some thirty.
    static let standardCount = 7

    let count: Int
    /// The other build; nil to run this one alone.
    let other: String?
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
        // Runs that can't be believed are done again, but not for ever: on a busy machine all of them might be such.
        var spare = count
        for number in 1...count {
            for build in builds {
                let name = number < 10 ? "0\(number)" : "\(number)"
                if !isQuiet { Console.writeError("\(number) of \(count): \(build.folder)/\(name)\n") }
                var code = try run(build, into: "\(build.folder)/\(name)", interruption)
                while code == .invalid, spare > 0 {
                    Console.writeError("pushbench: \(build.folder)/\(name) is INVALID and done again\n")
                    spare -= 1
                    code = try run(build, into: "\(build.folder)/\(name)", interruption)
                }
                if code == .interrupted { return code }
                if code.rawValue > worst.rawValue { worst = code }
            }
        }
        return builds.count == 1 ? worst : try compare(builds[0], builds[1])
    }

    private func run(_ build: Build, into out: String, _ interruption: Interruption) throws(CommandFailure) -> ExitCode
    {
        let ending: ChildProcess.Ending
        do throws(TransportError) {
            let child = try ChildProcess(path: build.path, arguments: ["run"] + arguments + ["--out", out, "--quiet"])
            while !child.waitForEnd(until: MonotonicClock.now() + Self.patience) {
                if interruption.count > 0 {
                    _ = child.end()
                    return .interrupted
                }
            }
            ending = child.end()
        } catch {
            throw CommandFailure("\(error)")
        }
        guard case .exited(let status) = ending, let code = ExitCode(rawValue: status) else {
            throw CommandFailure("\(build.path): the run for \(out) ended without an exit code of ours (\(ending))")
        }
        guard code != .failure, code != .usage else {
            throw CommandFailure("\(build.path): the run for \(out) could not be done", code: code)
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

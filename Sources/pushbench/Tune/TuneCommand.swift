import LoadPlan
import Planner
import Report
import Transport

/// `pushbench tune`: the pool to use, or the highest rate that holds, by short trials.
struct TuneCommand: Command {
    static let form = CommandForm(
        name: "tune",
        summary: "Find by short trials the smallest pool that is as good as the best, or the highest rate that holds.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .values(
                "sweep",
                "KNOB=VALUES",
                "What to try: connections, streams or batches, as 1..32, 10..100+10 or 1,2,4."
            ),
            .value(
                "within",
                "TIME",
                "Look for the highest rate whose p99 response time is not above this.",
                default: "250ms"
            ),
            .value(
                "at",
                "RATE",
                "Look for the lowest p99 response time at this rate, as well as or instead of --within."
            ),
            .flag("max-rate", "Look for the highest rate at which the profile's thresholds hold."),
            .value("start", "RATE", "With --max-rate: the rate to begin with.", default: "500/s"),
            .value("most", "RATE", "With --max-rate: the highest rate to try.", default: "200000/s"),
            .value("lane", "NAME", "The lane to tune; all load goes to it.", default: "the one with most devices"),
            .value("trial", "TIME", "How long each trial lasts.", default: "2s"),
            .value("warm-up", "TIME", "What comes before it and is not counted.", default: "500ms"),
            .value("time", "TIME", "Stop when so much time is over, with what is known by then.", default: "10m"),
            .value("seed", "N", "The order of the trials.", default: "1"),
            .value("hosts", "FILE", "Use running mock hosts: FILE holds the line that `pushbench mock` printed."),
            .values("set", "PATH=VALUE", "Change a field of the profile, such as mock.serviceTime=50ms."),
            .value("out", "DIR", "The folder for the results (default: Results/<UTC time>-<profile>-tune)."),
            .flag("json", "Print what was found as one line of JSON."),
            .flag("quiet", "Say nothing on the way, and print nothing."),
        ],
        example:
            "pushbench tune Profiles/apns-closed.json --sweep connections=1..16 --sweep streams=10..100+10 --within 100ms"
    )

    private let profilePath: String?
    private let overrides: [String]
    private let axes: [SweepAxis]
    private let goals: [TuneGoal]
    private let wantsHighestRate: Bool
    private let rates: ClosedRange<UInt64>
    private let lane: String?
    private let trial: TrialTimes
    private let time: Int64
    private let seed: UInt64
    private let hosts: String?
    private let out: String?
    private let wantsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        profilePath = arguments.operands.first
        overrides = arguments.all("set")
        axes = try Self.axes(arguments.all("sweep"))
        wantsHighestRate = arguments.has("max-rate")
        goals = try Self.goals(arguments, hasSweep: !axes.isEmpty)
        rates = try Self.rates(arguments, isWanted: wantsHighestRate)
        lane = arguments.value("lane")
        if let lane, !LaneName.all.contains(lane) {
            throw .usage("--lane is \(lane); allowed: \(LaneName.all.joined(separator: ", "))")
        }
        trial = TrialTimes(
            length: try Self.time(arguments, "trial", from: 200 * Nanoseconds.millisecond) ?? 2 * Nanoseconds.second,
            warmUp: try Self.time(arguments, "warm-up", from: Nanoseconds.millisecond) ?? 500 * Nanoseconds.millisecond
        )
        time = try Self.time(arguments, "time", from: Nanoseconds.second) ?? 10 * Nanoseconds.minute
        seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
        hosts = arguments.value("hosts")
        if hosts == RealRun.word {
            throw .usage("--hosts real: a tuning overloads its hosts, so it is for mock hosts only")
        }
        out = arguments.value("out")
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        guard !axes.isEmpty || wantsHighestRate else {
            throw .usage("tune needs --sweep KNOB=VALUES or --max-rate")
        }
    }

    private static func axes(_ texts: [String]) throws(CommandFailure) -> [SweepAxis] {
        var axes: [SweepAxis] = []
        for text in texts {
            let axis: SweepAxis
            do throws(SweepAxis.Failure) {
                axis = try SweepAxis(text)
            } catch {
                throw .usage("--sweep \(error.message)")
            }
            guard !axes.contains(where: { $0.knob == axis.knob }) else {
                throw .usage("--sweep \(axis.knob.rawValue) is given twice")
            }
            axes.append(axis)
        }
        return axes
    }

    private static func goals(_ arguments: Arguments, hasSweep: Bool) throws(CommandFailure) -> [TuneGoal] {
        var goals: [TuneGoal] = []
        let within = try time(arguments, "within", from: Nanoseconds.microsecond)
        let at = try rate(arguments, "at")
        guard hasSweep else {
            guard within == nil, at == nil else { throw .usage("--within and --at go with --sweep") }
            return []
        }
        if within != nil || at == nil { goals.append(.highestRate(within: within ?? 250 * Nanoseconds.millisecond)) }
        if let at { goals.append(.lowestLatency(at: Double(at))) }
        return goals
    }

    private static func rates(_ arguments: Arguments, isWanted: Bool) throws(CommandFailure) -> ClosedRange<UInt64> {
        let (start, most) = (try rate(arguments, "start"), try rate(arguments, "most"))
        guard isWanted || (start == nil && most == nil) else { throw .usage("--start and --most go with --max-rate") }
        let (first, last) = (start ?? 500, most ?? 200_000)
        guard first <= last else { throw .usage("--start is \(first)/s, above --most, which is \(last)/s") }
        return first...last
    }

    private static func rate(_ arguments: Arguments, _ name: String) throws(CommandFailure) -> UInt64? {
        guard let text = arguments.value(name) else { return nil }
        guard let rate = Quantity.rate(text), rate.perSecond >= 1, rate.perSecond <= 10_000_000 else {
            throw .usage("--\(name) is \(text); allowed: a rate such as 2000/s or 600k/min, from 1/s to 10000000/s")
        }
        return UInt64(rate.perSecond.rounded())
    }

    private static func time(_ arguments: Arguments, _ name: String, from least: Int64) throws(CommandFailure) -> Int64?
    {
        guard let time = try arguments.duration(name) else { return nil }
        guard (least...Nanoseconds.day).contains(time) else {
            throw .usage(
                "--\(name) is \(arguments.value(name) ?? ""); allowed: \(Quantity.text(duration: least)) to 24h"
            )
        }
        return time
    }

    func run() throws(CommandFailure) -> ExitCode {
        let loaded = try ProfileFile.load(profilePath, overrides: overrides)
        let profile = loaded.profile
        let lane = try lane(of: profile)
        let batch = profile.lane(lane).batch
        if axes.contains(where: { $0.knob == .batches }), batch == nil, lane != LaneName.fcm {
            throw .usage("--sweep batches: \(lane) has no batches; they are for fcm only")
        }
        let interruption = try Interruption {
            Console.writeError("ending with what is known; Ctrl-C again ends at once\n")
        }
        defer { withExtendedLifetime(interruption) {} }
        let job = TuneJob(
            loaded: loaded,
            lane: lane,
            axes: axes,
            goals: goals,
            rates: wantsHighestRate ? rates : nil,
            trial: trial,
            time: time,
            seed: seed,
            hosts: hosts,
            isQuiet: isQuiet
        )
        let folder = try prepareFolder(for: profile)
        let result = try job.perform(interruption)
        let path = try write(result, to: folder)
        if wantsJSON {
            Console.write(TuneFiles.json(result, folder: path))
        } else if !isQuiet {
            Console.write(TuneText(result).text(folder: path))
        }
        if interruption.count > 0 { return .interrupted }
        return result.foundAll ? .success : .thresholdFailed
    }

    private func lane(of profile: Profile) throws(CommandFailure) -> String {
        if let lane { return lane }
        return profile.fleet.mix.max { $0.share < $1.share }?.lane ?? LaneName.fcm
    }

    private func prepareFolder(for profile: Profile) throws(CommandFailure) -> ResultFolder {
        let path =
            out ?? ResultFolder.standardPath(for: profile.name + "-tune", at: UTCTime(nanoseconds: WallClock.now()))
        do throws(ResultFolderError) {
            return try ResultFolder(preparing: path, staysAlone: out == nil)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private func write(_ result: TuneResult, to folder: ResultFolder) throws(CommandFailure) -> String {
        do throws(ResultFolderError) {
            try folder.write([
                (TuneFiles.csv, { TuneFiles.writeCSV(result, to: $0) }),
                (TuneFiles.fragment, { TuneFiles.writeFragment(result, to: $0) }),
                (TuneFiles.page, { TunePage.write(result, to: $0) }),
            ])
            return folder.path
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension TuneResult {
    /// Whether every question has an answer.
    fileprivate var foundAll: Bool {
        findings.allSatisfy { $0.pool != nil } && (highestRate.map { $0.perSecond != nil } ?? true)
    }
}

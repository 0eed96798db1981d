import FoundationEssentials
import Report
import Transport

/// `pushbench run`: the main job.
struct RunCommand: Command {
    static let form = CommandForm(
        name: "run",
        summary: "Drive a profile's load against hosts and record what came of it.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .values("set", "PATH=VALUE", "Change a field of the profile, such as load.phases[1].rate=2000/s."),
            .value("workers", "N", "Threads that send (default: the profile's, else one per core less one)."),
            .value("out", "DIR", "The folder for the results (default: Results/<UTC time>-<profile>)."),
            .value(
                "hosts",
                "FILE",
                "Use running mock hosts: FILE holds the line that `pushbench mock` printed; or: real."
            ),
            .flag("send-to-real-devices", "With --hosts real: yes, send to the devices of the fleet."),
            .flag("ceiling", "First measure what this machine's generator can do at most, and tell the headroom."),
            ResultExports.option,
            .value("metrics", "HOST:PORT", "Serve Prometheus metrics there while the run goes on."),
            .value("live-csv", "FILE", "Write the timeline's rows there as the run goes on."),
            .value("repeat", "N", "Run N times, each with a result of its own in the folder; needs --out."),
            .value("against", "BIN", "Run the pushbench BIN (A) and this one (B) in turn, and compare; needs --out."),
            .flag("at-once", "With --against: both at the same time, so that a busy machine slows both alike."),
            .value("shard", "K/N", "Do part K of N of the run; `pushbench merge` joins the parts' results."),
            .value("shards", "N", "Likewise, with K (and for `auto` N) from Slurm, Kubernetes or MPI, as they set it."),
            .value("start-at", "TIME", "Begin the load at a UTC time such as 2026-11-30T09:20:00Z, or at +30s."),
            .value("start-gate", "DIR", "Begin when all shards have come to this folder, fresh for each run."),
            .value("start-limit", "TIME", "How long to wait there for the other shards.", default: "2m"),
            .flag("json", "Print the summary as one line of JSON."),
            .flag("quiet", "No progress on standard error."),
        ],
        example: "pushbench run Profiles/ci-smoke.json --set seed=7 --out Results/today"
    )

    private let job: RunJob
    private let repeated: RepeatedRuns?

    init(_ arguments: Arguments) throws(CommandFailure) {
        job = RunJob(
            profilePath: arguments.operands.first,
            overrides: arguments.all("set"),
            workers: try arguments.integer("workers", in: 1...256),
            out: arguments.value("out"),
            hostsFile: arguments.value("hosts"),
            mayReachRealDevices: arguments.has("send-to-real-devices"),
            wantsCeiling: arguments.has("ceiling"),
            exports: try ResultExports.asked(arguments),
            liveCSV: arguments.value("live-csv"),
            metricsAddress: arguments.value("metrics"),
            shard: try ShardChoice.shard(arguments, environment: ProcessInfo.processInfo.environment),
            start: try StartChoice(arguments),
            wantsJSON: arguments.has("json"),
            isQuiet: arguments.has("quiet")
        )
        repeated = try Self.repeated(arguments)
    }

    func run() throws(CommandFailure) -> ExitCode {
        if let repeated { return try repeated.perform() }
        OpenSSLLibrary.countAllocations()
        return try job.perform()
    }

    private static func repeated(_ arguments: Arguments) throws(CommandFailure) -> RepeatedRuns? {
        let (count, other) = (
            try arguments.integer("repeat", in: 1...99 as ClosedRange<Int>), arguments.value("against")
        )
        let areAtOnce = arguments.has("at-once")
        guard other != nil || !areAtOnce else { throw .usage("--at-once goes with --against") }
        guard count != nil || other != nil else { return nil }
        guard let folder = arguments.value("out") else { throw .usage("--repeat and --against need --out DIR") }
        let passed = ["set", "workers", "hosts", "export"]
            .flatMap { name in arguments.all(name).map { "--\(name)=\($0)" } }
        return RepeatedRuns(
            count: count ?? (areAtOnce ? RepeatedRuns.standardPairs : RepeatedRuns.standardCount),
            other: other,
            areAtOnce: areAtOnce,
            folder: folder,
            arguments: arguments.operands + passed + (arguments.has("ceiling") ? ["--ceiling"] : []),
            wantsJSON: arguments.has("json"),
            isQuiet: arguments.has("quiet")
        )
    }
}

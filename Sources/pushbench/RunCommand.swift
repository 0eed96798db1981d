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
            .value("hosts", "FILE", "Use running mock hosts: FILE holds the line that `pushbench mock` printed."),
            .flag("ceiling", "First measure what this machine's generator can do at most, and tell the headroom."),
            .flag("json", "Print the summary as one line of JSON."),
            .flag("quiet", "No progress on standard error."),
        ],
        example: "pushbench run Profiles/ci-smoke.json --set seed=7 --out Results/today"
    )

    private let job: RunJob

    init(_ arguments: Arguments) throws(CommandFailure) {
        job = RunJob(
            profilePath: arguments.operands.first,
            overrides: arguments.all("set"),
            workers: try arguments.integer("workers", in: 1...256),
            out: arguments.value("out"),
            hostsFile: arguments.value("hosts"),
            wantsCeiling: arguments.has("ceiling"),
            wantsJSON: arguments.has("json"),
            isQuiet: arguments.has("quiet")
        )
    }

    func run() throws(CommandFailure) -> ExitCode {
        OpenSSLLibrary.countAllocations()
        return try job.perform()
    }
}

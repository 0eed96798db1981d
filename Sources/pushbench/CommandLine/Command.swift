/// One command of pushbench: its options, and what it does.
protocol Command: Sendable {
    static var form: CommandForm { get }

    /// Takes the options; throws a usage failure for values that make no sense.
    init(_ arguments: Arguments) throws(CommandFailure)

    /// Does the work.
    func run() throws(CommandFailure) -> ExitCode
}

/// What a command is called with; its help is made from it.
struct CommandForm {
    /// As it is typed: `run`.
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The arguments that are not options, as help shows them: `[PROFILE]`.
    var operands = ""
    /// How many such arguments there may be.
    var operandCount = 0...0
    let options: [Option]
    /// A command line that works as it stands.
    let example: String

    /// What `--help` prints.
    var help: String {
        let words = ["pushbench", name, operands, "[options]"].filter { !$0.isEmpty }
        var lines = ["Usage: " + words.joined(separator: " "), "", summary, "", "Options:"]
        let all = options + [.flag("help", "Show this help.")]
        let width = (all.map { $0.form.count }.max() ?? 0) + 2
        for option in all {
            let padding = String(repeating: " ", count: width - option.form.count)
            lines.append("  \(option.form)\(padding)\(option.help)")
        }
        lines += ["", "Example:", "  \(example)"]
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Every command, in the order in which help lists them.
enum Commands {
    static let all: [any Command.Type] = [
        RunCommand.self, MockCommand.self, FleetCommand.self, ReportCommand.self, CompareCommand.self,
        MergeCommand.self, PlanCommand.self, TuneCommand.self, PreflightCommand.self,
        ReasonsCommand.self,
    ]

    /// What `pushbench --help` prints.
    static var help: String {
        var lines = [
            "Usage: pushbench COMMAND [arguments]", "", "Load-tests push-notification senders.", "", "Commands:",
        ]
        let width = (all.map { $0.form.name.count }.max() ?? 0) + 2
        for command in all {
            let padding = String(repeating: " ", count: width - command.form.name.count)
            lines.append("  \(command.form.name)\(padding)\(command.form.summary)")
        }
        lines += [
            "", "pushbench COMMAND --help shows a command's options and an example; pushbench --version the version.",
            "",
            "Exit codes: 0 done; 1 could not do it; 2 a threshold failed or B is worse; 3 the run is INVALID; 64 wrong usage;",
            "130 interrupted.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}

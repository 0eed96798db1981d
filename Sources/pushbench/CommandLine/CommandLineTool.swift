import LoadPlan

/// pushbench as a whole: finds the command, runs it, and turns what went wrong into one line and an exit code.
enum CommandLineTool {
    static let version = "0.1.0"

    /// - Parameter words: the command line without the program's name.
    static func run(_ words: [String]) -> ExitCode {
        do throws(CommandFailure) {
            return try dispatch(words)
        } catch {
            if !error.message.isEmpty { Console.writeError("pushbench: \(error.message)\n") }
            return error.code
        }
    }

    private static func dispatch(_ words: [String]) throws(CommandFailure) -> ExitCode {
        guard let name = words.first else {
            Console.writeError(Commands.help)
            return .usage
        }
        switch name {
        case "--help", "-h", "help":
            Console.write(Commands.help)
            return .success
        case "--version":
            Console.write("pushbench \(version)\n")
            return .success
        default:
            guard let command = Commands.all.first(where: { $0.form.name == name }) else { throw unknown(name) }
            return try perform(command, Array(words.dropFirst()))
        }
    }

    private static func perform(_ command: any Command.Type, _ words: [String]) throws(CommandFailure) -> ExitCode {
        let arguments = try Arguments(words, for: command.form)
        if arguments.wantsHelp {
            Console.write(command.form.help)
            return .success
        }
        return try command.init(arguments).run()
    }

    private static func unknown(_ name: String) -> CommandFailure {
        let names = Commands.all.map { $0.form.name }
        let hint = EditDistance.nearest(to: name, in: names).map { "did you mean \($0)?" }
        return .usage("unknown command \(name); \(hint ?? "known: " + names.joined(separator: ", "))")
    }
}

import Push

/// `pushbench reasons`: prints `docs/reasons.md`.
struct ReasonsCommand: Command {
    static let form = CommandForm(
        name: "reasons",
        summary: "Print what each answer of a host means for a sender, as Markdown.",
        options: [],
        example: "pushbench reasons"
    )

    init(_ arguments: Arguments) throws(CommandFailure) {}

    func run() throws(CommandFailure) -> ExitCode {
        Console.write(ReasonTable.markdown)
        return .success
    }
}

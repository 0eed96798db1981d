import LoadPlan
import Planner
import Report

/// `pushbench plan`: what a campaign takes, without sending.
struct PlanCommand: Command {
    static let form = CommandForm(
        name: "plan",
        summary: "Answer how long a campaign takes, and what pool, cores and quota it needs, without sending.",
        operands: "[CAMPAIGN]",
        operandCount: 0...1,
        options: PlanInputs.options + [
            .values(
                "what-if",
                "KEY=VALUE",
                "Change an input and show the difference: a short form such as connections=20 (an option's name) or a path."
            ),
            .value(
                "solve",
                "GOAL",
                "Turn the question round: rate, devices, deadline, connections or quota; also for=GOAL."
            ),
            .value("out", "DIR", "Write \(PlanFiles.json), \(PlanFiles.csv) and \(PlanFiles.page) there."),
            .flag("csv", "Print the median campaign over time as CSV."),
            .flag("json", "Print the answer as one line of JSON."),
            .flag("quiet", "Print nothing; with --out."),
        ],
        example: "pushbench plan --devices 8M --deadline 15m --connections 12 --service-time 100ms --keeper smooth"
    )

    private let inputs: PlanInputs
    private let changes: [String]
    private let goal: Solver.Goal?
    private let out: String?
    private let wantsCSV: Bool
    private let wantsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        inputs = try PlanInputs(arguments)
        changes = arguments.all("what-if")
        for change in changes where !change.contains("=") {
            throw .usage("--what-if is \(change); allowed: KEY=VALUE, such as connections=20")
        }
        goal = try arguments.value("solve").map(Self.goal)
        out = arguments.value("out")
        wantsCSV = arguments.has("csv")
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        if wantsCSV, wantsJSON { throw .usage("--json and --csv exclude each other") }
        if isQuiet, out == nil { throw .usage("--quiet without --out would say nothing at all") }
        if let goal, let given = inputs.given(goal) {
            throw .usage("--\(given) gives what --solve \(goal.rawValue) asks for; leave out one of them")
        }
    }

    private static func goal(_ text: String) throws(CommandFailure) -> Solver.Goal {
        let word = text.hasPrefix("for=") ? String(text.dropFirst(4)) : text
        guard let goal = Solver.Goal(rawValue: word) else {
            let allowed = Solver.Goal.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--solve is \(text); allowed: \(allowed)")
        }
        return goal
    }

    func run() throws(CommandFailure) -> ExitCode {
        var profile = try inputs.profile()
        var solved: PlanFiles.Solved?
        if let goal {
            let solution = try solve(goal, profile)
            profile = solution.profile
            solved = PlanSolution.described(solution)
        }
        let answer = try PlanWork.answer(profile, file: inputs.file)
        var changed: (answer: PlanAnswer, changes: [String])?
        if !changes.isEmpty {
            let other = try inputs.profile(changing: changes)
            changed = (try PlanWork.answer(other, file: inputs.file), changes)
        }
        if let out { try write(answer, changed, solved, to: out) }
        show(answer, changed, solved)
        // A deadline is a promise: where it is missed in some of the simulations, a threshold has failed.
        return (answer.inTime ?? 1) < 1 ? .thresholdFailed : .success
    }

    private func solve(_ goal: Solver.Goal, _ profile: Profile) throws(CommandFailure) -> Solver.Solution {
        let found: Solver.Solution?
        do throws(BrokenRule) {
            found = try Solver(goal, of: profile, lane: inputs.lane).solve()
        } catch {
            throw CommandFailure("\(inputs.file): \(error.path) \(error.message)")
        }
        guard let found else {
            throw CommandFailure(
                "\(inputs.file): no \(goal.rawValue) keeps the deadline; what else binds, plan says without --solve"
            )
        }
        return found
    }

    private func show(
        _ answer: PlanAnswer,
        _ changed: (answer: PlanAnswer, changes: [String])?,
        _ solved: PlanFiles.Solved?
    ) {
        if isQuiet { return }
        if wantsCSV {
            Console.write(ResultText.collect { PlanFiles.writeCSV(answer, to: $0) })
        } else if wantsJSON {
            Console.write(
                ResultText.collect {
                    PlanFiles.writeJSON(answer, changed: changed, solved: solved, isBroken: false, to: $0)
                }
            )
        } else {
            Console.write(PlanText(answer, changed: changed, solution: solved?.sentence).text)
        }
    }

    private func write(
        _ answer: PlanAnswer,
        _ changed: (answer: PlanAnswer, changes: [String])?,
        _ solved: PlanFiles.Solved?,
        to out: String
    ) throws(CommandFailure) {
        do throws(ResultFolderError) {
            try ResultFolder(preparing: out)
                .write([
                    (
                        PlanFiles.json,
                        { PlanFiles.writeJSON(answer, changed: changed, solved: solved, isBroken: true, to: $0) }
                    ),
                    (PlanFiles.csv, { PlanFiles.writeCSV(answer, to: $0) }),
                    (
                        PlanFiles.page,
                        { PlanPage.write(answer, changed: changed, solution: solved?.sentence, to: $0) }
                    ),
                ])
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

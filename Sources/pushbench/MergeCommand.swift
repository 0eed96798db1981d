import LoadPlan
import Report

/// `pushbench merge`: joins the records of a run's shards into one result.
struct MergeCommand: Command {
    static let form = CommandForm(
        name: "merge",
        summary: "Join the results of a run's shards into one.",
        operands: "RESULT...",
        operandCount: 1...Int.max,
        options: [
            .value("out", "DIR", "The folder for the result (default: Results/<UTC time>-<profile>-merged)."),
            .value("allow-missing", "K", "Believe the result though up to K shards are missing.", default: "0"),
            .value("max-skew", "TIME", "How long after the agreed start a shard may begin.", default: "1s"),
            .flag("json", "Print the summary as one line of JSON."),
            .flag("quiet", "Print no summary."),
        ],
        example: "pushbench merge Results/shard-* --out Results/launch"
    )

    private let results: [String]
    private let out: String?
    private let rules: RecordMerge.Rules
    private let wantsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        results = arguments.operands
        out = arguments.value("out")
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        var rules = RecordMerge.Rules()
        rules.allowedMissing = try arguments.integer("allow-missing", in: 0...Shard.most) ?? rules.allowedMissing
        if let skew = try arguments.duration("max-skew") { rules.latestStart = skew }
        self.rules = rules
    }

    func run() throws(CommandFailure) -> ExitCode {
        let record = try merge()
        let path = out ?? ResultFolder.standardPath(for: record.name + "-merged", at: record.startedAt)
        let folder: String
        do throws(ResultFolderError) {
            folder = try ResultFolder(preparing: path, staysAlone: out == nil).write(record)
        } catch {
            throw CommandFailure("\(error)")
        }
        JobSummary.append(record)
        if wantsJSON {
            Console.write(JSONSummary.text(record, folder: folder) + "\n")
        } else if !isQuiet {
            Console.write(TerminalSummary(record, colours: Console.wantsColours).text(folder: folder))
        }
        return ExitCode(judging: record)
    }

    private func merge() throws(CommandFailure) -> RunRecord {
        let merge = try RecordCrew.merge(results)
        do throws(RecordError) {
            return try merge.result(rules, file: results[0])
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

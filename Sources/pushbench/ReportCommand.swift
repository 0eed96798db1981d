import Report

/// `pushbench report`: makes every file of a result again from its record.
struct ReportCommand: Command {
    static let form = CommandForm(
        name: "report",
        summary: "Make every file of a result again from its record.",
        operands: "RESULT",
        operandCount: 1...1,
        options: [
            .value("out", "DIR", "Write the files there (default: beside the record)."),
            ResultExports.option,
            .flag("json", "Print the summary as one line of JSON."),
            .flag("quiet", "Print no summary."),
        ],
        example: "pushbench report Results/2026-11-30T092000Z-mixed-fleet --out Results/again"
    )

    private let result: String
    private let out: String?
    private let exports: [ResultExport]
    private let wantsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        result = arguments.operands[0]
        out = arguments.value("out")
        exports = try ResultExports.asked(arguments)
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
    }

    func run() throws(CommandFailure) -> ExitCode {
        let (record, folder) = try Self.remake(result, into: out, exports: exports)
        if wantsJSON {
            Console.write(JSONSummary.text(record, folder: folder) + "\n")
        } else if !isQuiet {
            Console.write(TerminalSummary(record, colours: Console.wantsColours).text(folder: folder))
        }
        return ExitCode(judging: record)
    }

    /// Makes the files again.
    ///
    /// - Parameters:
    ///   - result: a result's folder or a record's file.
    ///   - out: where the files go; nil: to where the record is. The record itself is copied, not written anew: what
    ///     another pushbench wrote into it must not be lost.
    ///   - exports: forms for other tools that are made as well.
    /// - Returns: the record, and the folder that the files are in.
    static func remake(
        _ result: String,
        into out: String?,
        exports: [ResultExport] = []
    ) throws(CommandFailure) -> (record: RunRecord, folder: String) {
        let source = try RecordSource(result)
        var files = ResultExports.files(exports, of: source.record)
        for file in ResultFile.allCases where file != .record {
            files.append((file.name, { file.write(source.record, to: $0) }))
        }
        if out != nil { files.append((ResultFile.record.name, { $0.append(source.bytes) })) }
        do throws(ResultFolderError) {
            let folder = try ResultFolder(preparing: out ?? source.folder)
            try folder.write(files)
            return (source.record, folder.path)
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

import Report

/// `pushbench report`: makes every file of a result again from its record.
struct ReportCommand: Command {
    static let form = CommandForm(
        name: "report",
        summary: "Make every file of a result again from its record, or one page of several.",
        operands: "RESULT...",
        operandCount: 1...OverlayPage.mostRuns,
        options: [
            .value("out", "DIR", "Write the files there (default: beside the record); needed for several."),
            ResultExports.option,
            .flag("json", "Print the summary as one line of JSON."),
            .flag("quiet", "Print no summary."),
        ],
        example: "pushbench report Results/2026-11-30T092000Z-mixed-fleet --out Results/again"
    )

    private let results: [String]
    private let out: String?
    private let exports: [ResultExport]
    private let wantsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        results = arguments.operands
        out = arguments.value("out")
        exports = try ResultExports.asked(arguments)
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        guard results.count > 1 else { return }
        guard out != nil else { throw .usage("several results need --out DIR for the page that shows them all") }
        guard exports.isEmpty, !wantsJSON else { throw .usage("several results have one page and nothing else") }
    }

    func run() throws(CommandFailure) -> ExitCode {
        if results.count > 1, let out { return try overlay(in: out) }
        let (record, folder) = try Self.remake(results[0], into: out, exports: exports)
        if wantsJSON {
            Console.write(JSONSummary.text(record, folder: folder) + "\n")
        } else if !isQuiet {
            Console.write(TerminalSummary(record, colours: Console.wantsColours).text(folder: folder))
        }
        return ExitCode(judging: record)
    }

    private func overlay(in out: String) throws(CommandFailure) -> ExitCode {
        var runs: [(name: String, record: RunRecord)] = []
        for path in results { runs.append((path, try RecordSource(path).record)) }
        do throws(ResultFolderError) {
            let folder = try ResultFolder(preparing: out)
            try folder.write([(ResultFile.page.name, { OverlayPage.write(runs, to: $0) })])
            if !isQuiet { Console.write("\(folder.path)/\(ResultFile.page.name)\n") }
        } catch {
            throw CommandFailure("\(error)")
        }
        return .success
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

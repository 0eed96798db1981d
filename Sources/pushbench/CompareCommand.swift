import Glibc
import Report

/// `pushbench compare`: tells whether B is worse than A.
struct CompareCommand: Command {
    static let form = CommandForm(
        name: "compare",
        summary: "Tell whether the results B are worse than the results A.",
        operands: "A B",
        operandCount: 2...2,
        options: [
            .value(
                "effect",
                "PERCENT",
                "The least difference of a median that counts.",
                default: "2, with one run a side 5"
            ),
            .flag("across", "Compare although machine, profile, toolchain or libraries differ."),
            .flag("json", "Print one line of JSON."),
            .flag("markdown", "Print Markdown, for a job summary."),
        ],
        example: "pushbench compare Results/before Results/after --effect 3"
    )

    private let names: (first: String, second: String)
    private let effect: Double?
    private let isAcross: Bool
    private let wantsJSON: Bool
    private let wantsMarkdown: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        names = (arguments.operands[0], arguments.operands[1])
        isAcross = arguments.has("across")
        wantsJSON = arguments.has("json")
        wantsMarkdown = arguments.has("markdown")
        guard !(wantsJSON && wantsMarkdown) else { throw .usage("--json and --markdown exclude each other") }
        effect = try arguments.value("effect")
            .map { text throws(CommandFailure) in
                let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
                guard let percent = Double(digits), percent > 0, percent <= 100 else {
                    throw .usage("--effect is \"\(text)\"; allowed: a number of percent above 0 and up to 100")
                }
                return percent / 100
            }
    }

    func run() throws(CommandFailure) -> ExitCode {
        let (first, second) = (try ComparedSide.read(names.first), try ComparedSide.read(names.second))
        let comparison = Comparison(first, second, effect: effect ?? Self.effect(first, second))
        if !isAcross, !comparison.differences.isEmpty {
            throw CommandFailure(
                "\(names.first) and \(names.second) are not alike (\(comparison.differences.joined(separator: "; "))); "
                    + "--across compares them all the same"
            )
        }
        let text = ComparisonText(comparison, names: names)
        if wantsJSON {
            Console.write(text.json + "\n")
        } else {
            Console.write(wantsMarkdown ? text.markdown : text.terminal(colours: Console.wantsColours))
        }
        return comparison.isWorse ? .thresholdFailed : .success
    }

    /// The least effect where the user names none: one run says little about the next.
    static func effect(_ first: ComparedSide, _ second: ComparedSide) -> Double {
        first.isSingle && second.isSingle ? 0.05 : 0.02
    }
}

extension ComparedSide {
    fileprivate var isSingle: Bool {
        guard case .runs(let records) = self else { return false }
        return records.count == 1
    }

    /// One side: a result, all results in a folder, by name, or a baseline.
    static func read(_ path: String) throws(CommandFailure) -> ComparedSide {
        if path.hasSuffix(".json"), let baseline = try BaselineFile.read(path) { return .baseline(baseline) }
        return .runs(try records(path))
    }

    private static func records(_ path: String) throws(CommandFailure) -> [RunRecord] {
        var paths = [path]
        if !path.hasSuffix(".json"), access("\(path)/\(ResultFile.record.name)", F_OK) != 0 {
            paths = try results(in: path)
        }
        var records: [RunRecord] = []
        for path in paths {
            let record = try RecordSource(path).record
            guard record.verdict.isValid else {
                throw CommandFailure("\(path): the run is INVALID, so its numbers say nothing", code: .invalid)
            }
            guard !record.interrupted else {
                throw CommandFailure("\(path): the run was interrupted, so its numbers are not those of its profile")
            }
            records.append(record)
        }
        return records
    }

    private static func results(in folder: String) throws(CommandFailure) -> [String] {
        var names: [String] = []
        do throws(ResultFolderError) {
            // Unfinished results have names with a dot before them.
            names = try ResultFolder.names(in: folder)
                .filter { !$0.hasPrefix(".") && access("\(folder)/\($0)/\(ResultFile.record.name)", F_OK) == 0 }
        } catch {
            throw CommandFailure("\(error)")
        }
        guard !names.isEmpty else {
            throw CommandFailure("\(folder): holds no \(ResultFile.record.name), and no folder that does")
        }
        return names.map { "\(folder)/\($0)" }
    }
}

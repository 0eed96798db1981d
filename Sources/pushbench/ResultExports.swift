import Report

/// The option `--export` of the commands that write results.
enum ResultExports {
    static var option: Option {
        let names = ResultExport.allCases.map(\.rawValue).joined(separator: ", ")
        return .values("export", "FORM", "Also write files for other tools; any of \(names).")
    }

    /// The forms asked for, each once; several may stand in one option with commas between them.
    static func asked(_ arguments: Arguments) throws(CommandFailure) -> [ResultExport] {
        var exports: [ResultExport] = []
        for word in arguments.all("export").flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let export = ResultExport(rawValue: String(word)) else {
                let names = ResultExport.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--export has \"\(word)\"; allowed: \(names)")
            }
            if !exports.contains(export) { exports.append(export) }
        }
        return exports
    }

    /// The files that a result does not have anyway.
    ///
    /// Says on standard error which forms an INVALID run does without.
    static func files(_ exports: [ResultExport], of record: RunRecord) -> [ResultFolder.File] {
        let own = ResultFile.allCases.map(\.name)
        return exports.flatMap { export -> [ResultFolder.File] in
            let files = export.files(of: record)
            if files.isEmpty, export.isForTrackers {
                Console.writeError(
                    "pushbench: no \(export.rawValue) of an INVALID run, lest its numbers become history\n"
                )
            }
            return files.filter { !own.contains($0.name) }
        }
    }
}

import Glibc
import Report

/// `pushbench report RESULT`: makes every file of a result again from its record.
enum ReportCommand {
    /// The record at a path: a result's folder, or the record itself.
    private struct Source {
        let folder: String
        let bytes: [UInt8]
        let record: RunRecord
    }

    /// Makes the files again.
    ///
    /// - Parameters:
    ///   - result: a result's folder or a record's file.
    ///   - out: where the files go; nil: to where the record is. The record itself is copied, not written anew: whatever a
    ///     newer pushbench would leave out of it must not be lost.
    /// - Returns: the record, and the folder that the files are in.
    static func remake(
        _ result: String,
        into out: String?
    ) throws -> (record: RunRecord, folder: String) {
        let source = try read(result)
        let folder = try ResultFolder(preparing: out ?? source.folder)
        var files: [(name: String, contents: (ResultText) -> Void)] = []
        for file in ResultFile.allCases where file != .record {
            files.append((file.name, { file.write(source.record, to: $0) }))
        }
        if out != nil { files.append((ResultFile.record.name, { $0.append(source.bytes) })) }
        try folder.write(files)
        return (source.record, folder.path)
    }

    private static func read(_ result: String) throws -> Source {
        var folder = result
        while folder.count > 1, folder.last == "/" { folder.removeLast() }
        var file = "\(folder)/\(ResultFile.record.name)"
        if folder.hasSuffix(".json") {
            file = folder
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
        }
        let bytes = try ResultFileReader.read(file)
        return Source(folder: folder, bytes: bytes, record: try RunRecord(json: bytes, file: file))
    }
}

import Report

/// A record as it was found: in a result's folder, or as a file of its own.
struct RecordSource {
    /// The folder that the record is in.
    let folder: String
    let bytes: [UInt8]
    let record: RunRecord

    init(_ path: String) throws(CommandFailure) {
        var folder = path
        while folder.count > 1, folder.last == "/" { folder.removeLast() }
        var file = "\(folder)/\(ResultFile.record.name)"
        if folder.hasSuffix(".json") {
            file = folder
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
        }
        do throws(ResultFolderError) {
            bytes = try ResultFileReader.read(file)
        } catch {
            throw CommandFailure("\(error)")
        }
        do throws(RecordError) {
            record = try RunRecord(json: bytes, file: file)
        } catch {
            throw CommandFailure("\(error)")
        }
        self.folder = folder
    }
}

import Glibc
import Report

/// Why a result could not be read or written: one line with the path.
struct ResultFolderError: Error, Equatable, CustomStringConvertible {
    var path: String
    var problem: String

    /// What the last system call said about a path.
    init(path: String, code: Int32 = errno) {
        self.path = path
        problem = String(cString: strerror(code))
    }

    init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    var description: String { "\(path): \(problem)" }
}

/// The folder that a result is written to, so that a crash leaves no half result.
///
/// Files are written and synced in a ``ResultWorkspace``. A new folder appears by one rename of the workspace; into a
/// folder that is there already, files are renamed one by one, the record last, and other people's files stay.
struct ResultFolder {
    /// A file's name, and what writes it.
    typealias File = (name: String, contents: (ResultText) -> Void)

    /// Where the result will be, without a slash at the end.
    let path: String
    /// Whether the result is to have a folder of its own, even if another has taken this one's name by then.
    private let staysAlone: Bool

    /// Makes sure that the place can be written to, and leaves it as it was: to be called before a run, not after it.
    init(preparing path: String, staysAlone: Bool = false) throws(ResultFolderError) {
        self.staysAlone = staysAlone
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        self.path = String(trimmed)
        let kind = Self.kind(of: self.path)
        guard kind != .other else { throw ResultFolderError(path: self.path, problem: "is not a folder") }
        guard kind == .folder || !["", ".", ".."].contains(Self.split(self.path).name) else {
            throw ResultFolderError(path: "\"\(path)\"", problem: "is no name for a new folder")
        }
        try ResultWorkspace(for: self.path, isNew: kind == .nothing).discard()
    }

    /// Where a result goes when the user names no folder: `Results/2026-11-30T092000Z-mixed-fleet`.
    static func standardPath(for name: String, at time: UTCTime) -> String {
        let safe = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        return unused("Results/\(time.compact)-\(String(safe))")
    }

    /// The path, with a number behind it where something is there already.
    private static func unused(_ path: String) -> String {
        var candidate = path
        var number = 1
        while kind(of: candidate) != .nothing {
            number += 1
            candidate = "\(path)-\(number)"
        }
        return candidate
    }

    /// Writes all files of a result and those for other tools, and puts them in their place.
    ///
    /// - Returns: the folder's path.
    @discardableResult
    func write(_ record: RunRecord, exports: [ResultExport] = []) throws(ResultFolderError) -> String {
        let files: [File] = ResultFile.allCases.map { file in (file.name, { file.write(record, to: $0) }) }
        // The record stays the last.
        return try write(ResultExports.files(exports, of: record) + files)
    }

    /// Writes files and puts them in their place, in this order; on failure nothing of them is left.
    ///
    /// - Returns: the folder's path.
    @discardableResult
    func write(_ files: [File]) throws(ResultFolderError) -> String {
        let path = staysAlone ? Self.unused(path) : path
        let isNew = Self.kind(of: path) == .nothing
        let workspace = try ResultWorkspace(for: path, isNew: isNew)
        do throws(ResultFolderError) {
            for file in files { try Self.write(file.name, file.contents, to: workspace.path, for: path) }
            try Self.sync(workspace.path)
            if isNew { return try publishFolder(workspace.path, at: path) }
            try publish(files.map(\.name), of: workspace.path, in: path)
            return path
        } catch {
            workspace.discard()
            throw error
        }
    }

    /// Writes one file; failures name the place that the user knows, not the one where it is until the others are there.
    private static func write(
        _ name: String,
        _ contents: (ResultText) -> Void,
        to workspace: String,
        for path: String
    ) throws(ResultFolderError) {
        do throws(ResultFolderError) {
            try ResultFileWriter.write("\(workspace)/\(name)", contents)
        } catch {
            throw ResultFolderError(path: "\(path)/\(name)", problem: error.problem)
        }
    }

    /// Gives the workspace its name; where that was taken this very moment, perhaps another one.
    private func publishFolder(_ workspace: String, at wanted: String) throws(ResultFolderError) -> String {
        var path = wanted
        while rename(workspace, path) != 0 {
            guard staysAlone, errno == ENOTEMPTY || errno == EEXIST else { throw ResultFolderError(path: path) }
            path = Self.unused(wanted)
        }
        try Self.sync(Self.split(path).parent)
        return path
    }

    private func publish(_ names: [String], of workspace: String, in path: String) throws(ResultFolderError) {
        for name in names {
            guard rename("\(workspace)/\(name)", "\(path)/\(name)") == 0 else {
                throw ResultFolderError(path: "\(path)/\(name)")
            }
        }
        rmdir(workspace)
        try Self.sync(path)
    }
}

// MARK: - Folders

extension ResultFolder {
    /// The names of what a folder holds, in order.
    static func names(in path: String) throws(ResultFolderError) -> [String] {
        guard let stream = opendir(path) else { throw ResultFolderError(path: path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    enum Kind {
        case nothing
        case folder
        case other
    }

    static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
    }

    static func split(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let parent = path[..<slash]
        return (parent.isEmpty ? "/" : String(parent), String(path[path.index(after: slash)...]))
    }

    /// Makes the names in a folder last through a power cut.
    private static func sync(_ path: String) throws(ResultFolderError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ResultFolderError(path: path) }
        defer { close(descriptor) }
        // EINVAL: a file system that has no such thing for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw ResultFolderError(path: path) }
    }
}

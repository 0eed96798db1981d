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
/// Files are written and synced in a workspace with a temporary name. A new folder appears by one rename of the workspace;
/// into a folder that is there already, files are renamed one by one, the record last, and other people's files stay.
struct ResultFolder {
    /// Where the result will be, without a slash at the end.
    let path: String
    private let workspace: String
    private let isNew: Bool

    /// Makes the workspace, which also proves that the place can be written to: to be called before the run, not after.
    init(preparing path: String) throws(ResultFolderError) {
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        self.path = String(trimmed)
        let (parent, name) = Self.split(self.path)
        switch Self.kind(of: self.path) {
        case .folder:
            isNew = false
            workspace = try Self.makeWorkspace("\(self.path)/.pushbench")
        case .nothing:
            isNew = true
            try Self.makeFolders(parent)
            workspace = try Self.makeWorkspace("\(parent)/.\(name)")
        case .other:
            throw ResultFolderError(path: self.path, problem: "is not a folder")
        }
    }

    /// Where a result goes when the user names no folder: `Results/2026-11-30T092000Z-mixed-fleet`.
    static func standardPath(for name: String, at time: UTCTime) -> String {
        let safe = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        let base = "Results/\(time.compact)-\(String(safe))"
        var candidate = base
        var number = 1
        while kind(of: candidate) != .nothing {
            number += 1
            candidate = "\(base)-\(number)"
        }
        return candidate
    }

    /// Writes all files of a result and puts them in their place.
    func write(_ record: RunRecord) throws(ResultFolderError) {
        try write(ResultFile.allCases.map { file in (file.name, { file.write(record, to: $0) }) })
    }

    /// Writes files and puts them in their place, in this order; on failure nothing of them is left.
    func write(_ files: [(name: String, contents: (ResultText) -> Void)]) throws(ResultFolderError) {
        do throws(ResultFolderError) {
            for file in files { try ResultFileWriter.write("\(workspace)/\(file.name)", file.contents) }
            try Self.sync(workspace)
            try publish(files.map(\.name))
        } catch {
            discard()
            throw error
        }
    }

    /// Removes the workspace with what is in it: nothing was written, or nothing is wanted.
    func discard() {
        // A workspace that is gone already is what we want; a file that can't be removed is no reason to fail now.
        for file in ResultFile.allCases { unlink("\(workspace)/\(file.name)") }
        rmdir(workspace)
    }

    private func publish(_ names: [String]) throws(ResultFolderError) {
        if isNew {
            guard rename(workspace, path) == 0 else { throw ResultFolderError(path: path) }
            try Self.sync(Self.split(path).parent)
            return
        }
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
    private enum Kind {
        case nothing
        case folder
        case other
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let parent = path[..<slash]
        return (parent.isEmpty ? "/" : String(parent), String(path[path.index(after: slash)...]))
    }

    /// Makes a folder and those above it, where they are missing.
    private static func makeFolders(_ path: String) throws(ResultFolderError) {
        switch kind(of: path) {
        case .folder: return
        case .other: throw ResultFolderError(path: path, problem: "is not a folder")
        case .nothing: break
        }
        let parent = split(path).parent
        if parent != path { try makeFolders(parent) }
        // Another process may have made it meanwhile.
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw ResultFolderError(path: path) }
    }

    /// A new folder; the process and, should that number have been used by a crashed one, a count tell it from others.
    private static func makeWorkspace(_ prefix: String) throws(ResultFolderError) -> String {
        for attempt in 0..<100 {
            let path = "\(prefix).part-\(getpid())-\(attempt)"
            if mkdir(path, 0o777) == 0 { return path }
            guard errno == EEXIST else { throw ResultFolderError(path: path) }
        }
        throw ResultFolderError(path: prefix, problem: "too many unfinished results beside it")
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

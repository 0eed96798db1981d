import Glibc
import Report

/// The folder with a temporary name in which the files of a result are written, and the folders above it.
///
/// It is made when it is needed and goes again with what was made for it, unless the result is published.
struct ResultWorkspace {
    let path: String
    /// Folders that were missing above it, the outermost first.
    private let made: [String]

    /// Makes it for a result at `path`: in that folder where it exists, else beside it.
    ///
    /// The process and, should that number have been used by a crashed one, a count tell it from others.
    init(for path: String, isNew: Bool) throws(ResultFolderError) {
        let (parent, name) = ResultFolder.split(path)
        let prefix = isNew ? "\(parent)/.\(name)" : "\(path)/.pushbench"
        var made: [String] = []
        do throws(ResultFolderError) {
            self.path = try Self.makeFolder(prefix, for: path) { () throws(ResultFolderError) in
                if isNew { try Self.makeFolders(parent, noting: &made) }
            }
        } catch {
            Self.remove(made)
            throw error
        }
        self.made = made
    }

    /// Removes it with what is in it, and the folders that were made for it.
    ///
    /// What is gone already is what we want; what can't be removed is no reason to fail now.
    func discard() {
        for name in (try? ResultFolder.names(in: path)) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
        Self.remove(made)
    }

    /// From the innermost; one that somebody else uses by now is not empty and stays.
    private static func remove(_ folders: [String]) {
        for folder in folders.reversed() { rmdir(folder) }
    }

    /// Makes a folder and those above it, where they are missing.
    private static func makeFolders(_ path: String, noting made: inout [String]) throws(ResultFolderError) {
        switch ResultFolder.kind(of: path) {
        case .folder: return
        case .other: throw ResultFolderError(path: path, problem: "is not a folder")
        case .nothing: break
        }
        let parent = ResultFolder.split(path).parent
        if parent != path { try makeFolders(parent, noting: &made) }
        if mkdir(path, 0o777) == 0 {
            made.append(path)
        } else if errno != EEXIST, !isParentMissing(path) {
            // Another process may have made it meanwhile, or removed the one above it.
            throw ResultFolderError(path: path)
        }
    }

    /// Whether a folder could not be made because the one above it has gone; keeps `errno`.
    private static func isParentMissing(_ path: String) -> Bool {
        let error = errno
        defer { errno = error }
        return error == ENOENT && ResultFolder.kind(of: ResultFolder.split(path).parent) == .nothing
    }

    /// A new folder with a number at the end of its name; failures name the result's path, which the user knows.
    ///
    /// - Parameter makeParents: makes the folders above it; again where a process that shares them, such as another shard,
    ///   has just removed them because it needed them no more.
    private static func makeFolder(
        _ prefix: String,
        for path: String,
        in makeParents: () throws(ResultFolderError) -> Void
    ) throws(ResultFolderError) -> String {
        for attempt in 0..<100 {
            try makeParents()
            let folder = "\(prefix).part-\(getpid())-\(attempt)"
            if mkdir(folder, 0o777) == 0 { return folder }
            guard errno == EEXIST || isParentMissing(folder) else { throw ResultFolderError(path: path) }
        }
        throw ResultFolderError(path: path, problem: "too many unfinished results beside it")
    }
}

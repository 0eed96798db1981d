import Glibc

/// A file that appears under its name only once it is complete: until then it has a temporary name beside it, and an
/// unfinished one goes away again.
///
/// Standard output, and a path where something other than a file stands (a pipe, a device), are written as they are.
final class OutputFile {
    /// What names standard output in place of a path.
    static let standardOutput = "-"

    private let path: String
    private let temporaryPath: String?
    private let descriptor: Int32
    private var isOpen = true

    /// Whether the file does not stand under its name yet.
    var isTemporary: Bool { temporaryPath != nil }

    /// Opens it.
    init(_ path: String) throws(CommandFailure) {
        if path == Self.standardOutput {
            self.path = "standard output"
            temporaryPath = nil
            descriptor = STDOUT_FILENO
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT != S_IFDIR else { throw CommandFailure("\(path): is a folder") }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            self.path = path
            temporaryPath = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // Through a link, so that the file it points to is replaced and not the link.
            self.path = Self.resolved(path)
            let temporary = "\(self.path).part-\(getpid())"
            temporaryPath = temporary
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        }
        guard descriptor >= 0 else { throw CommandFailure("\(ResultFolderError(path: path))") }
    }

    deinit {
        if isOpen, descriptor > STDOUT_FILENO { close(descriptor) }
        // Not finished: a part of a file is worth nothing.
        if isOpen, let temporaryPath { unlink(temporaryPath) }
    }

    /// Writes all of some bytes.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard descriptor != STDOUT_FILENO else { return Console.write(bytes) }
        guard Console.write(bytes, to: descriptor) else { throw failure() }
    }

    /// Puts the complete file under its name.
    func finish() throws(CommandFailure) {
        guard descriptor > STDOUT_FILENO else { return }
        if let temporaryPath {
            guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw failure() }
        }
        isOpen = false
        guard close(descriptor) == 0 || errno == EINTR else { throw failure() }
    }

    private func failure() -> CommandFailure { CommandFailure("\(ResultFolderError(path: path))") }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

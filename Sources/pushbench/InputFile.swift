import Glibc

/// Reads files of any size piece by piece.
enum InputFile {
    private static let pieceSize = 256 << 10

    /// What names standard input in place of a path.
    static let standardInput = "-"

    /// Hands a file's bytes to `take`, in order; what `take` throws is told with the file's name.
    ///
    /// - Parameter begin: told the file's size before the first piece, 0 where it is not known.
    static func read<Problem: Error>(
        _ path: String,
        begin: (_ size: Int) -> Void = { _ in },
        take: (Span<UInt8>) throws(Problem) -> Void
    ) throws(CommandFailure) {
        if path == standardInput { return try read(STDIN_FILENO, name: "standard input", begin, take) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(ResultFolderError(path: path))") }
        defer { close(descriptor) }
        try read(descriptor, name: path, begin, take)
    }

    private static func read<Problem: Error>(
        _ descriptor: Int32,
        name: String,
        _ begin: (_ size: Int) -> Void,
        _ take: (Span<UInt8>) throws(Problem) -> Void
    ) throws(CommandFailure) {
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        begin(isFile ? Int(status.st_size) : 0)
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandFailure("\(ResultFolderError(path: name))") }
            do throws(Problem) {
                try take(piece.span.extracting(0..<count))
            } catch {
                throw CommandFailure("\(name): \(error)")
            }
        }
    }
}

import Fleet
import Glibc

/// Reads a fleet from a CSV file, piece by piece.
enum FleetFile {
    private static let pieceSize = 256 << 10

    /// What names standard input in place of a path.
    static let standardInput = "-"

    /// Reads the whole fleet.
    static func read(_ path: String) throws(CommandFailure) -> CSVFleet {
        if path == standardInput { return try read(STDIN_FILENO, name: "standard input") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(ResultFolderError(path: path))") }
        defer { close(descriptor) }
        return try read(descriptor, name: path)
    }

    private static func read(_ descriptor: Int32, name: String) throws(CommandFailure) -> CSVFleet {
        var status = stat()
        let size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        var reader = CSVFleetReader(expectedBytes: size)
        var piece = [UInt8](repeating: 0, count: pieceSize)
        do throws(FleetCSVError) {
            while true {
                let count = Glibc.read(descriptor, &piece, piece.count)
                if count == 0 { return try reader.finish() }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                try reader.feed(piece.span.extracting(0..<count))
            }
        } catch {
            throw CommandFailure("\(name): \(error)")
        }
        throw CommandFailure("\(ResultFolderError(path: name))")
    }
}

import Fleet
import Glibc

/// Reads a fleet from a CSV file, piece by piece.
enum FleetFile {
    private static let pieceSize = 256 << 10

    static func read(_ path: String) throws(CommandFailure) -> CSVFleet {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(ResultFolderError(path: path))") }
        defer { close(descriptor) }
        var reader = CSVFleetReader()
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
            throw CommandFailure("\(path): \(error)")
        }
        throw CommandFailure("\(ResultFolderError(path: path))")
    }
}

import Fleet

/// Reads a fleet from a CSV file, piece by piece.
enum FleetFile {
    /// What names standard input in place of a path.
    static let standardInput = InputFile.standardInput

    /// Reads the whole fleet.
    static func read(_ path: String) throws(CommandFailure) -> CSVFleet {
        var reader = CSVFleetReader()
        try InputFile.read(path) {
            reader = CSVFleetReader(expectedBytes: $0)
        } take: { piece throws(FleetCSVError) in
            try reader.feed(piece)
        }
        do throws(FleetCSVError) {
            return try reader.finish()
        } catch {
            throw CommandFailure("\(path == standardInput ? "standard input" : path): \(error)")
        }
    }
}

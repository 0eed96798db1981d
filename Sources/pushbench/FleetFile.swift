import Fleet

/// Reads a fleet from a CSV file, piece by piece.
enum FleetFile {
    /// What names standard input in place of a path.
    static let standardInput = InputFile.standardInput

    /// Reads the whole fleet.
    ///
    /// - Parameter routing: what becomes of rows that leave something open.
    static func read(_ path: String, routing: CSVRouting = CSVRouting()) throws(CommandFailure) -> CSVFleet {
        var reader = CSVFleetReader(routing: routing)
        try InputFile.read(path) {
            reader = CSVFleetReader(expectedBytes: $0, routing: routing)
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

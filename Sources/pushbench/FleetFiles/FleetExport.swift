import Fleet
import Transport

/// Writes a stretch of a fleet as CSV.
struct FleetExport {
    let fleet: FleetSource
    let positions: Range<UInt64>

    /// Rows are collected up to about this many bytes between writes.
    private static let pieceSize = 256 << 10

    /// Writes the header and a row for each device.
    ///
    /// - Parameter path: a file, which the first SIGINT or SIGTERM keeps from appearing; or ``OutputFile/standardOutput``.
    /// - Returns: whether it was done, and not interrupted.
    func write(to path: String) throws(CommandFailure) -> Bool {
        guard path != OutputFile.standardOutput else {
            return try write(to: OutputFile(path), isInterrupted: { false })
        }
        // Before there is a file that a signal could leave behind.
        let signals: Signals
        do throws(TransportError) {
            signals = try Signals(waking: Poller().waker, exitOnSecond: true)
        } catch {
            throw CommandFailure("\(error)")
        }
        return try write(to: OutputFile(path), isInterrupted: { signals.count > 0 })
    }

    private func write(to output: OutputFile, isInterrupted: () -> Bool) throws(CommandFailure) -> Bool {
        var writer = FleetCSVWriter(fleet)
        var piece = FleetCSVWriter.header
        piece.reserveCapacity(Self.pieceSize + 4096)
        for position in positions {
            writer.append(fleet.device(at: position), to: &piece)
            guard piece.count >= Self.pieceSize else { continue }
            try output.write(piece)
            piece.removeAll(keepingCapacity: true)
            if isInterrupted() { return false }
        }
        try output.write(piece)
        try output.finish()
        return true
    }
}

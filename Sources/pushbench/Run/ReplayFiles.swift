import Fleet
import LoadPlan
import Sending

/// Reads the files that a profile's replayed phases name.
enum ReplayFiles {
    /// The times of each replayed phase, by its index in the profile.
    ///
    /// - Parameter folder: the profile's, from which relative paths count.
    static func read(
        for profile: Profile,
        fleet: FleetSource,
        folder: String
    ) throws(CommandFailure) -> [Int: [ReplayTimes]] {
        var replays: [Int: [ReplayTimes]] = [:]
        for (index, phase) in profile.load.phases.enumerated() {
            guard case .replay(let path) = phase.shape else { continue }
            replays[index] = try read(
                path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)",
                ReplayReader(fleet: fleet, duration: phase.duration)
            )
        }
        return replays
    }

    private static func read(_ path: String, _ start: ReplayReader) throws(CommandFailure) -> [ReplayTimes] {
        var reader = start
        try InputFile.read(path) { piece throws(ReplayError) in try reader.feed(piece) }
        do throws(ReplayError) {
            return try reader.finish()
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}

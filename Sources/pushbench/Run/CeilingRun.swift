import Driver
import Fleet
import LoadPlan
import Sending

/// Measures what this machine's generator can do at most, before a run.
enum CeilingRun {
    /// Drives canned mock hosts in a closed loop for a few seconds.
    ///
    /// - Parameter arguments: the words that make a mock process load the profile.
    /// - Returns: nil where the user ended it.
    static func measure(
        _ profile: Profile,
        arguments: [String],
        fleet: FleetSource,
        workers: Int,
        interruption: Interruption
    ) throws(CommandFailure) -> CeilingMeasurement? {
        let mock = try MockProcess(arguments: arguments + ["--policy", "canned"])
        defer { mock.end() }
        do throws(RunError) {
            let run = try Run(
                profile: CeilingMeasurement.profile(
                    for: profile,
                    weights: FleetLane.allCases.map(fleet.laneCount)
                ),
                fleet: fleet,
                workers: workers,
                hosts: mock.announcement
            )
            let measured = try run.perform(
                Run.Observer(progressed: { _ in }, interruptions: { interruption.count })
            )
            guard !measured.interrupted, let phase = measured.phases.indices.last else { return nil }
            let answered = measured.lanes.reduce(0) { $0 + $1.phases[phase].counts.answered }
            return CeilingMeasurement(pushes: answered, duration: measured.phases[phase].duration)
        } catch {
            throw CommandFailure("--ceiling: \(error)")
        }
    }
}

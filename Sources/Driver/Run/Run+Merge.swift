import LoadPlan
import Sending

extension Run {
    /// Joins what the workers measured.
    ///
    /// - Parameters:
    ///   - agreement: how the load began; nil where it did not.
    ///   - aheadOfHosts: this machine's clock against theirs; nil where that isn't known.
    ///   - faultyLane: the index of the lane whose fault ended the run; nil where none did.
    func merge(
        _ results: [WorkerResult],
        _ resources: ResourceWindow,
        _ agreement: StartAgreement?,
        aheadOfHosts: Int64?,
        faultyLane: Int?
    ) -> RunMeasurement {
        let interruptedAt = results.compactMap(\.loop.interruptedAt).min()
        // A closed loop whose pushes are used up ends the run before its phase does.
        let cutAt = interruptedAt ?? resources.duration
        var measurement = RunMeasurement(
            phases: measuredPhases(cutAt: cutAt),
            lanes: setups.map { LaneMeasurement(name: $0.name, phases: profile.load.phases.count) },
            startedAt: resources.wallAtStart
        )
        measurement.duration = resources.duration
        measurement.interrupted = interruptedAt != nil
        measurement.faultyLane = faultyLane.map { setups[$0].name }
        measurement.generator = resources.measurement
        measurement.generator.workers = workers
        for result in results { add(result, to: &measurement) }
        // Where the load did not begin, there is no start that their times could count from.
        measurement.credentials = credentials.measurements(
            lanes: setups,
            attempts: attemptsByKey(results),
            start: agreement?.start ?? 0
        )
        measurement.contradictions = measurement.findings
        measurement.shard = ownShard(results, resources, agreement)
        measurement.shard?.aheadOfHosts = aheadOfHosts
        return measurement
    }

    /// By lane, how many times pushes were written under each of its keys.
    private func attemptsByKey(_ results: [WorkerResult]) -> [[UInt64]] {
        setups.map { setup in
            results.compactMap { $0.attemptsByKey[setup.index] }.reduce([0, 0]) { zip($0, $1).map(+) }
        }
    }

    private func ownShard(
        _ results: [WorkerResult],
        _ resources: ResourceWindow,
        _ agreement: StartAgreement?
    ) -> ShardMeasurement? {
        guard let shard else { return nil }
        let late = results.map(\.loop.beganLate).max() ?? 0
        let correction = agreement?.correction ?? 0
        var own = ShardMeasurement(shard, startedAt: resources.wallAtStart + late - correction)
        own.plannedByAll = plannedByAll
        own.agreedStart = agreement?.agreed
        own.aheadOfGate = agreement?.aheadOfGate
        return own
    }

    /// The numbers so far of a run that goes on: phases are cut at the end of the last whole second; what is known at the end
    /// only, of connections, credentials and the generator, is not in it.
    func measurement(of live: LiveMeasurement, seconds: Int, startedAt: Int64) -> RunMeasurement {
        let cut = Int64(seconds) * Nanoseconds.second
        var measurement = RunMeasurement(
            phases: measuredPhases(cutAt: cut),
            lanes: live.lanes(seconds: seconds),
            startedAt: startedAt
        )
        measurement.duration = cut
        measurement.generator.workers = workers
        return measurement
    }

    private func add(_ result: WorkerResult, to measurement: inout RunMeasurement) {
        for (index, lane) in result.lanes { measurement.lanes[index].merge(lane) }
        measurement.connections += result.connections
        measurement.planHash &+= result.planHash
        measurement.sentHash &+= result.sentHash
        measurement.generator.workerCPU.append(result.loop.cpuAtEnd - result.loop.cpuAtStart)
        measurement.generator.turns += result.loop.turns
        measurement.generator.reads += result.reads
        measurement.generator.writes += result.writes
        measurement.generator.longestStall = max(measurement.generator.longestStall, result.loop.longestStall)
        if result.backlogOverflowed { measurement.generator.backlogOverflowed = true }
        measurement.generator.failure = measurement.generator.failure ?? result.loop.failure
    }

    /// The profile's phases as they were run; all rounds of one together.
    private func measuredPhases(cutAt cut: Int64) -> [RunMeasurement.Phase] {
        profile.load.phases.enumerated()
            .map { index, phase in
                let rounds = phases.filter { $0.index == index }
                let start = rounds.first?.start ?? 0
                let end = max(start, min(rounds.last?.end ?? start, cut))
                var measured = RunMeasurement.Phase(name: phase.name, warmUp: phase.warmUp, start: start, end: end)
                measured.duration = rounds.reduce(0) { $0 + max(0, min($1.end, cut) - $1.start) }
                return measured
            }
    }
}

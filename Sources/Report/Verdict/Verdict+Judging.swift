import Histogram
package import LoadPlan
package import Sending

extension Verdict {
    /// Judges a run against the profile's bounds.
    ///
    /// The same measurement always gets the same verdict. Warm-up phases count only for the accounting, since what they break there is a bug.
    package init(on run: RunMeasurement, within bounds: VerdictBounds) {
        let judge = Judge(run: run, bounds: bounds)
        causes =
            judge.accounting() + judge.impossible() + judge.lag() + judge.sentShare() + judge.backlog() + judge.stall()
            + judge.workerCPU() + judge.clockStep() + judge.workerFailure()
    }
}

/// One method for each cause, in the order in which they are shown.
private struct Judge {
    let run: RunMeasurement
    let bounds: VerdictBounds

    /// The accounting identity, of every lane and phase: a push has exactly one end, and each end is named.
    func accounting() -> [VerdictCause] {
        run.lanes.flatMap { lane in
            zip(run.phases, lane.phases)
                .compactMap { phase, measured in
                    let ends = measured.outcomes.reduce(0) { $0 + $1.count }
                    let counts = measured.counts
                    guard !counts.holds || ends != counts.planned else { return nil }
                    return VerdictCause(
                        .accounting,
                        "\(lane.name) in phase \(phase.name): \(HumanUnits.count(counts.planned)) pushes were planned, but "
                            + "\(HumanUnits.count(counts.ended)) ended and \(HumanUnits.count(ends)) ends are named; the "
                            + "three must be equal: this is a bug in pushbench, please report it"
                    )
                }
        }
    }

    func impossible() -> [VerdictCause] {
        run.contradictions.map {
            VerdictCause(.impossible, "\($0): this can't be and is a bug in pushbench, please report it")
        }
    }

    func lag() -> [VerdictCause] {
        let p99 = run.measured.clocks.lag.value(atQuantile: 0.99)
        guard p99 > bounds.lagP99 else { return [] }
        return [
            VerdictCause(
                .lag,
                "lag p99 was \(HumanUnits.time(p99)), above the bound of \(HumanUnits.time(bounds.lagP99)): the "
                    + "generator was late with its own plan"
            )
        ]
    }

    /// Where no stream was free, the host or the pool held pushes back, and not the generator.
    func sentShare() -> [VerdictCause] {
        run.lanes.compactMap { lane in
            let measured = run.measured(lane)
            let planned = measured.counts.planned
            // No more of the plan: what was skipped for other reasons is no fault of the generator's, but was not sent either.
            let left = min(planned, measured.outcomes.count(of: .loadEnded))
            guard Double(planned - left) < bounds.sentShare * Double(planned) else { return nil }
            return VerdictCause(
                .sentShare,
                "\(lane.name): \(HumanUnits.count(left)) of \(HumanUnits.count(planned)) planned pushes "
                    + "(\(HumanUnits.percent(left, of: planned))) were left unsent at the end though streams were free, above "
                    + "the bound of \(HumanUnits.percent(1 - bounds.sentShare)): the generator, or the batches it may have in "
                    + "flight, were too few"
            )
        }
    }

    func backlog() -> [VerdictCause] {
        let overflows = run.lanes.compactMap { lane -> VerdictCause? in
            let skipped = run.measured(lane).outcomes.count(of: .backlogFull)
            guard skipped > 0 else { return nil }
            return VerdictCause(
                .backlog,
                "\(lane.name): the backlog overflowed and \(HumanUnits.count(skipped)) pushes were never sent, above the "
                    + "bound of 0: the pool or the host was too small for the planned rate"
            )
        }
        let isExplained = run.lanes.contains { lane in
            lane.phases.contains { $0.outcomes.count(of: .backlogFull) > 0 }
        }
        guard run.generator.backlogOverflowed, !isExplained else { return overflows }
        return [VerdictCause(.backlog, "a lane's backlog overflowed, though no skipped push says so")]
    }

    func stall() -> [VerdictCause] {
        let longest = run.generator.longestStall
        guard longest > bounds.stall else { return [] }
        return [
            VerdictCause(
                .stall,
                "a worker's loop stood still for \(HumanUnits.time(longest)), above the bound of "
                    + HumanUnits.time(bounds.stall)
            )
        ]
    }

    func workerCPU() -> [VerdictCause] {
        run.generator.workerCPU.enumerated()
            .compactMap { worker, used in
                guard run.duration > 0 else { return nil }
                let share = Double(used) / Double(run.duration)
                guard share > bounds.workerCPU else { return nil }
                return VerdictCause(
                    .workerCPU,
                    "worker \(worker) used \(HumanUnits.percent(share)) of a core, above the bound of "
                        + "\(HumanUnits.percent(bounds.workerCPU)): there was none to spare"
                )
            }
    }

    func clockStep() -> [VerdictCause] {
        let step = run.generator.clockStep
        guard step.magnitude > bounds.clockStep.magnitude else { return [] }
        return [
            VerdictCause(
                .clockStep,
                "the wall clock stepped by \(HumanUnits.time(step)) against the monotonic clock, above the bound of "
                    + HumanUnits.time(bounds.clockStep)
            )
        ]
    }

    func workerFailure() -> [VerdictCause] {
        guard let failure = run.generator.failure else { return [] }
        return [
            VerdictCause(
                .workerFailure,
                "\(failure): the worker broke down, and the run was ended with what was measured until then"
            )
        ]
    }
}

extension RunMeasurement {
    /// All lanes together, without warm-up.
    fileprivate var measured: PhaseMeasurement {
        lanes.reduce(into: PhaseMeasurement()) { $0.merge(measured($1)) }
    }

    /// One lane without its warm-up.
    fileprivate func measured(_ lane: LaneMeasurement) -> PhaseMeasurement {
        zip(phases, lane.phases)
            .reduce(into: PhaseMeasurement()) { sum, part in
                if !part.0.warmUp { sum.merge(part.1) }
            }
    }
}

extension [OutcomeRow] {
    /// How many pushes were skipped for one cause.
    fileprivate func count(of cause: SkipCause) -> UInt64 {
        reduce(0) { sum, row in
            row.disposition == "skipped" && row.reason == cause.rawValue ? sum + row.count : sum
        }
    }
}

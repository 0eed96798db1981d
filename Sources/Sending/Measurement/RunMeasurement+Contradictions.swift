import Histogram

extension RunMeasurement {
    /// What cannot be: counts and clocks that say different things of the same pushes.
    ///
    /// Empty unless pushbench itself has a bug, or the machine's clock runs backwards. Checked at the end of every run.
    package var findings: [String] {
        lanes.flatMap { lane in
            zip(phases, lane.phases)
                .flatMap { phase, measured in
                    measured.contradictions(longest: duration).map { "\(lane.name) in phase \(phase.name): \($0)" }
                }
        } + planFindings
    }

    /// The hash of what was sent is that of the plan exactly where all was sent.
    private var planFindings: [String] {
        let counts = lanes.flatMap(\.phases).reduce(into: PushCounts()) { $0 += $1.counts }
        guard counts.sent == counts.planned, planHash != sentHash else { return [] }
        return ["all \(counts.planned) planned pushes were sent, but to other devices or at other times than planned"]
    }
}

extension PhaseMeasurement {
    /// - Parameter longest: no time can be longer than the run.
    fileprivate func contradictions(longest: Int64) -> [String] {
        var found: [String] = []
        if counts.retries > counts.attempts || counts.sent > counts.planned {
            found.append("\(counts.planned) planned, \(counts.attempts) attempts and \(counts.retries) retries")
        }
        for (clock, expected) in [
            (PushClock.response, counts.answered), (.service, counts.answered), (.streamWait, counts.sent),
        ] where clocks[clock].count != expected {
            found.append("\(clocks[clock].count) times of \(clock.rawValue) for \(expected) pushes")
        }
        if clocks.service.max > clocks.response.max {
            found.append("a service time of \(clocks.service.max) ns is longer than every response time")
        }
        for clock in PushClock.allCases where clocks[clock].max > max(longest, 0) {
            found.append("\(clock.rawValue) of \(clocks[clock].max) ns is longer than the run, \(longest) ns")
        }
        return found
    }
}

import Histogram

/// Where a run is, as seen at one moment; counts are from the run's start.
package struct ProgressSnapshot: Sendable, Equatable {
    /// Nanoseconds from the run's start.
    package var time: Int64 = 0
    /// Nil while the connections are being opened.
    package var phase: String?
    /// Nanoseconds since the phase began, and its length.
    package var phaseElapsed: Int64 = 0
    package var phaseLength: Int64 = 0
    package var planned: UInt64 = 0
    package var sent: UInt64 = 0
    package var answered: UInt64 = 0
    package var rejected: UInt64 = 0
    package var failed: UInt64 = 0
    package var skipped: UInt64 = 0
    package var inFlight: UInt64 = 0

    package init() {}
}

extension ProgressSnapshot {
    /// The live line, without a line end.
    ///
    /// Failed and skipped pushes are named only when there are any.
    ///
    /// - Parameter last: the snapshot shown before; the rate is that of the answers since then, or since the run's start.
    package func line(since last: ProgressSnapshot?) -> String {
        guard let phase else { return "connecting" }
        let second: Int64 = 1_000_000_000
        let before = last ?? ProgressSnapshot()
        let answers = answered - min(answered, before.answered)
        let elapsed = HumanUnits.duration(phaseElapsed / second * second)
        var parts = [
            "\(HumanUnits.line(phase)) \(elapsed) of \(HumanUnits.duration(phaseLength))",
            "planned \(HumanUnits.count(planned))",
            "sent \(HumanUnits.count(sent))",
            "answered \(HumanUnits.count(answered))",
            "\(HumanUnits.perSecond(answers, in: time - before.time))/s",
            "in flight \(HumanUnits.count(inFlight))",
            "rejected \(HumanUnits.percent(rejected, of: answered, digits: 1))",
        ]
        if failed > 0 { parts.append("failed \(HumanUnits.count(failed))") }
        if skipped > 0 { parts.append("skipped \(HumanUnits.count(skipped))") }
        return parts.joined(separator: " · ")
    }
}

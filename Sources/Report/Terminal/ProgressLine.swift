package import Sending

extension RunProgress {
    /// A plain line, for where there is no terminal, without a line end.
    ///
    /// Failed and skipped pushes are named only when there are any.
    ///
    /// - Parameter last: the snapshot shown before; the rate is that of the answers since then, or since the run's start.
    package func line(since last: RunProgress?) -> String {
        guard let phase else { return "connecting" }
        let second: Int64 = 1_000_000_000
        let before = last ?? RunProgress()
        let answers = answered - min(answered, before.answered)
        let since = HumanUnits.duration(phaseElapsed / second * second)
        var parts = [
            "\(HumanUnits.line(phase)) \(since) of \(HumanUnits.duration(phaseDuration))",
            "planned \(HumanUnits.count(planned))",
            "sent \(HumanUnits.count(sent))",
            "answered \(HumanUnits.count(answered))",
            "\(HumanUnits.perSecond(answers, in: elapsed - before.elapsed))/s",
            "in flight \(HumanUnits.count(UInt64(max(0, inFlight))))",
            "rejected \(HumanUnits.percent(rejected, of: answered, digits: 1))",
        ]
        if failed > 0 { parts.append("failed \(HumanUnits.count(failed))") }
        if skipped > 0 { parts.append("skipped \(HumanUnits.count(skipped))") }
        return parts.joined(separator: " · ")
    }
}

import Histogram
import LoadPlan

extension ThresholdResult {
    /// The value as people read it, or why there is none.
    package var valueText: String {
        guard let value, let text = Self.text(value, unit) else { return "no samples" }
        return text
    }

    /// How far the value is from the bound, as `7.6% below`; empty where the margin has no meaning.
    package var marginText: String {
        guard let margin, let parts = margin.magnitude.scaled else { return "" }
        guard parts > 0 else { return "at the bound" }
        // From ten times the bound on, a fraction of a percent is noise.
        let percent =
            parts < 10_000_000
            ? FixedDecimal(Int128(parts), over: 10_000, digits: 1)?.description ?? "0.0"
            : HumanUnits.count(UInt64((parts + 5_000) / 10_000))
        return "\(percent)% \(isBelow ? "below" : "above")"
    }

    /// The condition, with its windows.
    package var conditionText: String {
        over.map { "\(condition) over \(HumanUnits.duration($0))" } ?? condition
    }

    /// `holds` or `FAILED`.
    package var word: String { holds ? "holds" : "FAILED" }

    /// On which side of the bound the value is.
    private var isBelow: Bool {
        guard let value, let mine = value.scaled, let other = bound.scaled else { return false }
        return mine < other
    }

    private static func text(_ value: FixedDecimal, _ unit: ThresholdUnit) -> String? {
        guard let scaled = value.scaled else { return nil }
        switch unit {
        // Three digits where a person would read two: the difference to a bound is the point here.
        case .time: return HumanUnits.exactTime(scaled)
        case .count: return HumanUnits.count(UInt64(clamping: scaled))
        case .share:
            return (FixedDecimal(Int128(scaled), over: 10_000, digits: 2)?.description ?? "0") + "%"
        case .rate: return HumanUnits.perSecond(UInt64(clamping: scaled), in: 1_000_000_000_000) + "/s"
        case .bytes: return value.description + " B"
        case .number: return value.description
        }
    }
}

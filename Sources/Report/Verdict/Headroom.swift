import Sending

/// What a run's busiest second asked of the generator, against what it could do at most.
struct Headroom {
    /// Pushes that fell due in the busiest second, all lanes together, warm-up included.
    let peak: UInt64
    let ceiling: UInt64

    /// A generator this near its ceiling adds queueing of its own to every time.
    private static let mostShare = 0.8

    /// Nil where the ceiling was not measured.
    init?(_ record: RunRecord) {
        guard let ceiling = record.generator.ceiling?.perSecond, ceiling > 0 else { return nil }
        self.ceiling = ceiling
        var bySecond: [Int: UInt64] = [:]
        for row in record.lanes.flatMap(\.timeline) { bySecond[row.second, default: 0] += row.planned }
        peak = bySecond.values.max() ?? 0
    }

    private var share: Double { Double(peak) / Double(ceiling) }

    /// For the line of the verdict.
    var figure: String {
        "peak \(HumanUnits.count(peak))/s is \(HumanUnits.percent(peak, of: ceiling, digits: 0)) of the ceiling, "
            + "\(HumanUnits.count(ceiling))/s"
    }

    /// A warning where there is too little room; nil where there is enough.
    var warning: String? {
        guard share > Self.mostShare else { return nil }
        return
            "little headroom: \(HumanUnits.count(peak)) pushes were planned in the busiest second and the generator's "
            + "ceiling is \(HumanUnits.count(ceiling))/s; times near it are partly the generator's own"
    }
}

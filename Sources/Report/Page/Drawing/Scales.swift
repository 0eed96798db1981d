import LoadPlan

/// A tick of an axis.
struct Tick {
    var position: Double
    var label: String
}

/// From 0 to a round number, for counts and rates.
struct LinearScale {
    let top: Double
    private let step: Double

    init(upTo highest: Double) {
        step = Self.step(for: max(highest, 1))
        var top = step
        while top < highest { top += step }
        self.top = top
    }

    /// 0 at the bottom, 1 at the top.
    func position(_ value: Double) -> Double { value / top }

    var ticks: [Tick] {
        stride(from: 0, through: top + step / 2, by: step)
            .map { Tick(position: position($0), label: label(UInt64($0.rounded()))) }
    }

    /// From 100,000 on in thousands or millions: longer numbers have no room beside a picture.
    private func label(_ value: UInt64) -> String {
        guard top >= 100_000, value > 0 else { return HumanUnits.count(value) }
        if value % 1_000_000 == 0 { return "\(HumanUnits.count(value / 1_000_000))M" }
        if value > 1_000_000 { return "\(value / 1_000_000).\(value / 100_000 % 10)M" }
        return "\(value / 1_000)k"
    }

    /// 1, 2 or 5 times a power of ten, about four to the highest value; whole, since all that is drawn is counted.
    private static func step(for highest: Double) -> Double {
        var unit = 1.0
        while unit * 50 < highest { unit *= 10 }
        return [1, 2, 5, 10].map { $0 * unit }.first { $0 * 5 >= highest } ?? unit * 10
    }
}

/// Times on a logarithmic axis, between two round ones.
struct TimeScale {
    let lowest: Double
    let highest: Double

    /// Nil when there is nothing to show.
    init?(from lowest: Int64, to highest: Int64) {
        guard highest > 0, lowest <= highest else { return nil }
        let rounds = Self.rounds
        let low = rounds.last { $0 <= Double(max(1, lowest)) } ?? 1
        let high = rounds.first { $0 >= Double(highest) && $0 > low } ?? Double(highest)
        (self.lowest, self.highest) = (low, high)
    }

    /// 0 at the bottom, 1 at the top; what lies outside is drawn at the edge.
    func position(_ nanoseconds: Int64) -> Double { position(Double(nanoseconds)) }

    private func position(_ value: Double) -> Double {
        let inside = min(max(value, lowest), highest)
        return naturalLogarithm(inside / lowest) / naturalLogarithm(highest / lowest)
    }

    var ticks: [Tick] {
        let all = Self.rounds.filter { $0 >= lowest && $0 <= highest }
        // Where 1, 2, 5 would crowd the axis, the powers of ten alone do.
        let shown = all.count <= 7 ? all : all.filter { Self.powers.contains($0) }
        return shown.map { Tick(position: position($0), label: HumanUnits.axisTime(Int64($0))) }
    }

    private static let powers: [Double] = (0..<15)
        .map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
    private static let rounds = powers.flatMap { [$0, 2 * $0, 5 * $0] }
}

/// Shares on the axis of a percentile curve: each step to the right has ten times fewer values beyond it.
struct TailScale {
    /// The decades shown: 3 for up to 99.9%.
    private let decades: Double
    private static let most = 6.0

    init(count: UInt64) {
        decades = min(Self.most, max(1, Self.decades(Double(max(1, count)))))
    }

    /// The place of the value that `beyond` of `count` values are above; 1 for the maximum.
    func position(beyond: UInt64, of count: UInt64) -> Double {
        guard beyond > 0 else { return 1 }
        return min(1, Self.decades(Double(count) / Double(beyond)) / decades)
    }

    func position(quantile: Double) -> Double {
        min(1, Self.decades(1 / (1 - quantile)) / decades)
    }

    var ticks: [Tick] {
        let all: [(Double, String)] = [
            (0, "0"), (0.5, "50%"), (0.9, "90%"), (0.99, "99%"), (0.999, "99.9%"), (0.9999, "99.99%"),
            (0.99999, "99.999%"),
        ]
        return all.filter { $0.0 == 0 || position(quantile: $0.0) < 0.97 }
            .map { Tick(position: $0.0 == 0 ? 0 : position(quantile: $0.0), label: $0.1) }
    }

    private static func decades(_ ratio: Double) -> Double { naturalLogarithm(ratio) / naturalLogarithm(10) }
}

/// Seconds since the run's start.
struct RunTimeScale {
    let end: Double

    init(end: Double) {
        self.end = max(end, 0.001)
    }

    func position(_ seconds: Double) -> Double { min(1, max(0, seconds / end)) }

    var ticks: [Tick] {
        let steps = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200,
        ]
        let step = steps.first { end / $0 <= 6 } ?? 86_400
        return (0...Int(end / step))
            .map { index in
                let nanoseconds = Int64((Double(index) * step * 1_000).rounded()) * 1_000_000
                return Tick(position: position(Double(index) * step), label: HumanUnits.duration(nanoseconds))
            }
    }
}

import Histogram
import Planner

/// What a plan says, piece by piece, for terminal and page.
enum PlanSentences {
    /// `15 min 0.4 s`, `1 h 3 min`.
    static func time(_ nanoseconds: Int64) -> String {
        let minute: Int64 = 60_000_000_000
        guard nanoseconds >= 2 * minute else { return HumanUnits.duration(nanoseconds) }
        let tenths = (nanoseconds + 50_000_000) / 100_000_000
        let (minutes, rest) = (tenths / 600, tenths % 600)
        let seconds = rest == 0 ? "" : rest % 10 == 0 ? " \(rest / 10) s" : " \(rest / 10).\(rest % 10) s"
        return minutes < 60 ? "\(minutes) min\(seconds)" : "\(minutes / 60) h \(minutes % 60) min\(seconds)"
    }

    static func count(_ number: Int64) -> String { HumanUnits.count(UInt64(clamping: number)) }

    static func decimal(_ number: Double) -> String {
        FixedDecimal(Int128((number * 100).rounded()), over: 100, digits: 2)?.description ?? "0"
    }

    static func bytes(_ number: UInt64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(number), 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let digits = unit == 0 || value >= 100 ? 0 : 1
        let text = FixedDecimal(Int128((value * 10).rounded()), over: 10, digits: digits)?.description ?? "0"
        return "\(text) \(units[unit])"
    }

    static func binding(_ answer: PlanAnswer) -> String {
        let used = answer.pressures
            .map { pressure in
                let used = pressure.used.map { "\(HumanUnits.percent($0)) used at most" }
                let held =
                    pressure.held > 0.0005 ? "held pushes up for \(HumanUnits.percent(pressure.held)) of the time" : nil
                return "\(pressure.limit.rawValue) " + [used, held].compactMap { $0 }.joined(separator: ", ")
            }
            .joined(separator: "; ")
        guard let binding = answer.binding else { return "none: pushes go out as they fall due (\(used))" }
        return "\(binding.rawValue) (\(used))"
    }

    static func quota(_ quota: QuotaAnswer, of lane: String) -> String {
        let others = quota.usedByOthers > 0 ? ", \(HumanUnits.percent(quota.usedByOthers)) by other traffic" : ""
        return "\(lane): \(HumanUnits.percent(quota.peakShare)) of \(HumanUnits.count(UInt64(quota.limit))) in each "
            + "\(time(quota.window)) used at most\(others)"
    }

    static func phase(_ phase: PhaseAnswer) -> String {
        let refused =
            phase.leastRefused == phase.mostRefused
            ? count(phase.leastRefused) : "\(count(phase.leastRefused)) to \(count(phase.mostRefused))"
        return
            "at the luckiest \(time(phase.bestFinish)) (the quota's minute begins \(time(phase.bestPhase)) after the "
            + "start), at the unluckiest \(time(phase.worstFinish)) (\(time(phase.worstPhase))); \(refused) refused"
    }

    static func cpu(_ answer: PlanAnswer) -> String {
        guard let cores = answer.cores, let advised = answer.coresAdvised else {
            return "not counted: nobody said what a push costs (--cpu-per-push, or --from RESULT)"
        }
        return "\(decimal(cores)) cores needed, \(advised) advised; \(answer.workers) planned"
    }

    static func bytes(_ answer: PlanAnswer) -> String {
        "\(bytes(answer.bytesOut)) out, \(bytes(answer.bytesIn)) in"
    }
}

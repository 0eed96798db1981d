import Histogram
package import Planner

/// What a tuning found, for a terminal.
package struct TuneText {
    private let result: TuneResult

    package init(_ result: TuneResult) { self.result = result }

    package func text(folder: String?) -> String {
        var lines = ["\(result.name) · \(result.lane) · seed \(result.seed) · \(result.rows.count) trials"]
        for finding in result.findings { lines += [""] + TuneSentences.finding(finding, lane: result.lane) }
        if let highest = result.highestRate { lines += [""] + TuneSentences.highest(highest) }
        if let pool = result.pool {
            lines += [
                "", "paste into a profile:", "", "    " + pool.fragment(lane: result.lane), "", "in other senders:", "",
            ]
            lines += senders(pool)
        }
        if let folder { lines += ["", "\(folder)   \(TuneFiles.page)  \(TuneFiles.csv)  \(TuneFiles.fragment)"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private func senders(_ pool: TunedPool) -> [String] {
        var table = TextTable([
            .init(heading: "", alignment: .left), .init(heading: "", alignment: .left),
            .init(heading: "", alignment: .left),
        ])
        for setting in KnownSenders.settings(pool, lane: result.lane) {
            table.add(["    " + setting.sender, setting.options, setting.note])
        }
        return table.lines(headings: false)
    }
}

/// What a tuning found, piece by piece.
enum TuneSentences {
    static func pool(_ pool: TunedPool) -> String {
        let batches = pool.batches.map { ", \($0) \($0 == 1 ? "batch" : "batches") in flight" } ?? ""
        return
            "\(pool.connections) \(pool.connections == 1 ? "connection" : "connections") of \(pool.streams) streams\(batches)"
    }

    static func finding(_ finding: TuneFinding, lane: String) -> [String] {
        var lines = [finding.goal]
        if let pool = finding.pool, let found = finding.found, let best = finding.best {
            lines.append("    \(self.pool(pool)): \(rate(found)), p99 \(HumanUnits.time(found.p99))")
            lines.append(
                "    the smallest that is not shown to be more than 2% worse than the best (\(rate(best)), p99 \(HumanUnits.time(best.p99)))"
            )
            if !finding.isSettled { lines.append("    not settled: " + unsettled(finding, pool)) }
        } else {
            lines.append("    no pool of the sweep does it")
        }
        if let cause = finding.cause { lines.append("    \(cause.rawValue): \(cause.sentence)") }
        let dropped = finding.dropped == 0 ? "" : ", \(finding.dropped) of them INVALID and dropped"
        lines.append("    \(finding.trials) trials of a grid of \(finding.gridSize)\(dropped)\(scatter(finding))")
        if finding.isCutShort { lines.append("    the time was up before the answer was stable") }
        return lines
    }

    private static func scatter(_ finding: TuneFinding) -> String {
        finding.scatter.map { "; two of the same pool in a row differ by \(HumanUnits.percent($0)) (median)" } ?? ""
    }

    private static func unsettled(_ finding: TuneFinding, _ pool: TunedPool) -> String {
        let hint = "a longer --trial on a quieter machine would tell"
        guard let least = finding.least, least != pool else {
            return "these trials do not tell it from the best; \(hint)"
        }
        return "these trials leave anything down to \(self.pool(least)) possible; \(hint)"
    }

    static func highest(_ highest: TuneResult.HighestRate) -> [String] {
        let rate = highest.perSecond.map { "\(HumanUnits.count($0))/s" }
        var lines = ["the highest rate that holds \(highest.thresholds.joined(separator: ", "))"]
        lines.append("    " + (rate ?? "none that was tried"))
        if highest.isGeneratorBound {
            lines.append("    \(TuneCause.generator.rawValue): \(TuneCause.generator.sentence)")
        }
        let dropped = highest.dropped == 0 ? "" : ", \(highest.dropped) of them INVALID and dropped"
        lines.append("    \(highest.trials) trials\(dropped), every verdict confirmed")
        return lines
    }

    static func rate(_ facts: TrialFacts) -> String { "\(HumanUnits.count(UInt64(max(0, facts.rate).rounded())))/s" }
}

import Histogram
package import Planner

/// What a plan says, for a terminal.
package struct PlanText {
    private let answer: PlanAnswer
    /// What the answer is compared with, and what was changed to get there.
    private let changed: (answer: PlanAnswer, changes: [String])?
    private let solution: String?

    /// - Parameters:
    ///   - changed: the answer to the same campaign with some inputs changed.
    ///   - solution: what was solved for, in a sentence.
    package init(_ answer: PlanAnswer, changed: (answer: PlanAnswer, changes: [String])? = nil, solution: String? = nil)
    {
        self.answer = answer
        self.changed = changed
        self.solution = solution
    }

    package var text: String {
        var lines = [heading, ""]
        if let solution { lines += ["solved    " + solution, ""] }
        lines += facts
        lines += [""] + laneLines
        if let changed { lines += [""] + difference(changed.answer, changed.changes) }
        lines += ["", "assumed"] + assumptionLines
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: String {
        [
            answer.name, "\(HumanUnits.count(answer.pushes)) pushes", "seed \(answer.seed)",
            answer.seeds == 1 ? "1 simulation" : "\(answer.seeds) simulations", "nothing was sent",
        ]
        .joined(separator: " · ")
    }

    private var facts: [String] {
        var lines = ["finish    " + finish]
        lines.append("limit     " + PlanSentences.binding(answer))
        for lane in answer.lanes {
            guard let quota = lane.quota else { continue }
            lines.append("quota     " + PlanSentences.quota(quota, of: lane.name))
            lines += quota.advice.sentences.map { "          " + $0 }
        }
        if let phase = answer.phase { lines.append("phase     " + PlanSentences.phase(phase)) }
        lines.append("cpu       " + PlanSentences.cpu(answer))
        lines.append("bytes     " + PlanSentences.bytes(answer))
        for token in answer.tokens {
            lines.append("tokens    \(token.lane): \(HumanUnits.count(token.signed)) signed, \(token.rule)")
        }
        return lines
    }

    private var finish: String {
        let spread = "p50 \(PlanSentences.time(answer.finish.p50)), p99 \(PlanSentences.time(answer.finish.p99))"
        guard let deadline = answer.deadline, let share = answer.inTime else { return spread }
        let kept =
            share == 1 ? "kept" : share == 0 ? "missed" : "kept in \(HumanUnits.percent(share)) of the simulations"
        let lost = answer.lanes.reduce(0) { $0 + $1.lost.p50 + $1.skipped.p50 }
        let loss = lost > 0 ? ": \(PlanSentences.count(lost)) pushes are given up" : ""
        return spread + "; the deadline of \(PlanSentences.time(deadline)) is \(kept)\(loss)"
    }

    private var laneLines: [String] {
        var table = TextTable([
            .init(heading: "lane", alignment: .left), .init(heading: "pushes"), .init(heading: "planned/s"),
            .init(heading: "delivered", startsGroup: true), .init(heading: "rejected"), .init(heading: "lost"),
            .init(heading: "skipped"), .init(heading: "429"), .init(heading: "retried"),
            .init(heading: "in flight", startsGroup: true), .init(heading: "connections"), .init(heading: "needed"),
            .init(heading: "advised"),
            .init(heading: "response p50", startsGroup: true), .init(heading: "p99"), .init(heading: "wait p99"),
        ])
        for lane in answer.lanes {
            table.add([
                lane.name, HumanUnits.count(lane.pushes), HumanUnits.count(UInt64(lane.perSecond.rounded())),
                PlanSentences.count(lane.delivered.p50), PlanSentences.count(lane.rejected.p50 - lane.lost.p50),
                PlanSentences.count(lane.lost.p50), PlanSentences.count(lane.skipped.p50),
                PlanSentences.count(lane.refused.p50), PlanSentences.count(lane.retried.p50),
                HumanUnits.count(UInt64(lane.inFlight.rounded(.up))), "\(lane.connections) x \(lane.streams)",
                "\(lane.connectionsNeeded)", "\(lane.connectionsAdvised)",
                HumanUnits.time(lane.responseP50), HumanUnits.time(lane.responseP99), HumanUnits.time(lane.waitP99),
            ])
        }
        return table.lines(headings: true)
    }

    private func difference(_ other: PlanAnswer, _ changes: [String]) -> [String] {
        var table = TextTable([
            .init(heading: "what if \(changes.joined(separator: ", "))", alignment: .left), .init(heading: "now"),
            .init(heading: "then"),
        ])
        for row in PlanDifference.rows(answer, other) { table.add([row.what, row.before, row.after]) }
        return table.lines(headings: true)
    }

    private var assumptionLines: [String] {
        var table = TextTable([
            .init(heading: "", alignment: .left), .init(heading: "", alignment: .left),
            .init(heading: "", alignment: .left),
        ])
        for assumption in answer.assumptions {
            table.add(["  " + assumption.what, assumption.value, assumption.source])
        }
        return table.lines(headings: false)
    }
}

/// What changes between two answers.
enum PlanDifference {
    struct Row {
        var what: String
        var before: String
        var after: String
    }

    /// The figures that differ; those of lanes are summed.
    static func rows(_ before: PlanAnswer, _ after: PlanAnswer) -> [Row] {
        func sum(_ answer: PlanAnswer, _ value: (LaneAnswer) -> Int64) -> String {
            PlanSentences.count(answer.lanes.reduce(0) { $0 + value($1) })
        }
        let figures: [(String, (PlanAnswer) -> String)] = [
            ("pushes", { HumanUnits.count($0.pushes) }),
            ("finish p50", { PlanSentences.time($0.finish.p50) }),
            ("finish p99", { PlanSentences.time($0.finish.p99) }),
            ("deadline kept", { $0.inTime.map { HumanUnits.percent($0) } ?? "-" }),
            ("limit", { $0.binding?.rawValue ?? "none" }),
            ("delivered", { sum($0) { $0.delivered.p50 } }),
            ("429", { sum($0) { $0.refused.p50 } }),
            ("retried", { sum($0) { $0.retried.p50 } }),
            ("lost", { sum($0) { $0.lost.p50 } }),
            ("skipped", { sum($0) { $0.skipped.p50 } }),
            ("connections needed", { sum($0) { Int64($0.connectionsNeeded) } }),
            ("response p99", { HumanUnits.time($0.lanes.map(\.responseP99).max() ?? 0) }),
            ("cores", { $0.cores.map { PlanSentences.decimal($0) } ?? "-" }),
            ("bytes out", { PlanSentences.bytes($0.bytesOut) }),
            (
                "quota to ask for",
                { $0.lanes.compactMap { $0.quota?.advice.neededPerMinute }.first.map { HumanUnits.count($0) } ?? "-" }
            ),
        ]
        return figures.map { Row(what: $0, before: $1(before), after: $1(after)) }.filter { $0.before != $0.after }
    }
}

import Histogram
package import Planner

/// `plan.html`: what a plan says, with its curves, as one page that needs nothing but itself.
package enum PlanPage {
    package static func write(
        _ answer: PlanAnswer,
        changed: (answer: PlanAnswer, changes: [String])?,
        solution: String?,
        to text: ResultText
    ) {
        PageHead.write(title: "Plan: \(HumanUnits.line(answer.name)) · pushbench", to: text)
        let facts =
            "\(HumanUnits.count(answer.pushes)) pushes · seed \(answer.seed) · \(answer.seeds) simulations · nothing was sent"
        text.append(
            "<header><h1>\(HTMLText.escape(answer.name))</h1><p class=\"dim\">\(HTMLText.escape(facts))</p></header>\n"
        )
        writeAnswer(answer, solution: solution, to: text)
        text.append("<section id=\"lanes\"><h2>Lanes</h2>\(lanes(answer).html)</section>\n")
        if let changed { writeDifference(answer, changed.answer, changed.changes, to: text) }
        text.append("<section id=\"pictures\"><h2>The median campaign over time</h2><div class=\"grid\">\n")
        for (lane, result) in zip(answer.lanes, answer.median.lanes) {
            for figure in PlanCurves(lane: lane, result: result).figures { figure.write(to: text) }
        }
        text.append("</div></section>\n")
        text.append("<section id=\"assumptions\"><h2>Assumed</h2>\(assumptions(answer).html)</section>\n")
        PageHead.writeEnd(to: text)
    }

    private static func writeAnswer(_ answer: PlanAnswer, solution: String?, to text: ResultText) {
        let isKept = answer.inTime.map { $0 == 1 } ?? true
        text.append("<section id=\"verdict\" class=\"\(isKept ? "" : "bad")\"><h2>")
        text.append(
            HTMLText.escape(
                "done after \(PlanSentences.time(answer.finish.p50)) (p99 \(PlanSentences.time(answer.finish.p99)))"
            )
        )
        text.append("</h2><ul>")
        var lines: [String] = []
        if let solution { lines.append(solution) }
        if let deadline = answer.deadline, let share = answer.inTime {
            lines.append(
                "The deadline of \(PlanSentences.time(deadline)) is kept in \(HumanUnits.percent(share)) of the simulations."
            )
        }
        lines.append("Limit: " + PlanSentences.binding(answer))
        for lane in answer.lanes {
            guard let quota = lane.quota else { continue }
            lines.append("Quota: " + PlanSentences.quota(quota, of: lane.name))
            lines += quota.advice.sentences
        }
        if let phase = answer.phase { lines.append("Phase: " + PlanSentences.phase(phase)) }
        lines.append("CPU: " + PlanSentences.cpu(answer))
        lines.append("Bytes: " + PlanSentences.bytes(answer))
        lines += answer.tokens.map { "Tokens: \($0.lane) \(HumanUnits.count($0.signed)) signed, \($0.rule)" }
        for line in lines { text.append("<li>\(HTMLText.escape(line, limit: 600))</li>") }
        text.append("</ul></section>\n")
    }

    private static func lanes(_ answer: PlanAnswer) -> HTMLTable {
        var table = HTMLTable(
            "Lanes of the plan",
            [
                .text("lane"), .number("pushes"), .number("planned/s"), .number("delivered"), .number("rejected"),
                .number("lost"), .number("429"), .number("retried"), .number("in flight"), .number("connections"),
                .number("needed"), .number("advised"), .number("response p99"),
            ]
        )
        for lane in answer.lanes {
            table.add(
                [
                    lane.name, HumanUnits.count(lane.pushes), HumanUnits.count(UInt64(lane.perSecond.rounded())),
                    PlanSentences.count(lane.delivered.p50), PlanSentences.count(lane.rejected.p50 - lane.lost.p50),
                    PlanSentences.count(lane.lost.p50), PlanSentences.count(lane.refused.p50),
                    PlanSentences.count(lane.retried.p50), HumanUnits.count(UInt64(lane.inFlight.rounded(.up))),
                    "\(lane.connections) × \(lane.streams)", "\(lane.connectionsNeeded)", "\(lane.connectionsAdvised)",
                    HumanUnits.time(lane.responseP99),
                ]
                .map { .init($0) }
            )
        }
        return table
    }

    private static func writeDifference(
        _ before: PlanAnswer,
        _ after: PlanAnswer,
        _ changes: [String],
        to text: ResultText
    ) {
        var table = HTMLTable("What changes", [.text("figure"), .number("now"), .number("then")])
        for row in PlanDifference.rows(before, after) {
            table.add([.init(row.what), .init(row.before), .init(row.after)])
        }
        let title = HTMLText.escape("What if \(changes.joined(separator: ", "))", limit: 300)
        text.append("<section id=\"what-if\"><h2>\(title)</h2>\(table.html)</section>\n")
    }

    private static func assumptions(_ answer: PlanAnswer) -> HTMLTable {
        var table = HTMLTable("What the answer rests on", [.text("what"), .text("value"), .text("source")])
        for assumption in answer.assumptions {
            table.add([.init(assumption.what), .init(assumption.value), .init(assumption.source)])
        }
        return table
    }
}

/// The pictures of one lane of a plan.
struct PlanCurves {
    let lane: LaneAnswer
    let result: SimulatedLaneResult

    /// A stretch of the curve, as many steps as make a picture of a hundred or so.
    private struct Stretch {
        var start: Double
        var end: Double
        var sent = 0.0
        var delivered = 0.0
        var refused = 0.0
        var quota = 0.0
        var inFlight = 0.0
    }

    private static let most = 128

    private var stretches: [Stretch] {
        let steps = Array(result.curve.steps)
        let length = Double(result.curve.length) / 1e9
        let each = max(1, (steps.count + Self.most - 1) / Self.most)
        return stride(from: 0, to: steps.count, by: each)
            .map { first in
                let part = steps[first..<min(first + each, steps.count)]
                let time = Double(part.count) * length
                var stretch = Stretch(start: Double(first) * length, end: Double(first + part.count) * length)
                stretch.sent = Double(part.reduce(0) { $0 + Int($1.sent) }) / time
                stretch.delivered = Double(part.reduce(0) { $0 + Int($1.delivered) }) / time
                stretch.refused = Double(part.reduce(0) { $0 + Int($1.refused) }) / time
                stretch.inFlight = Double(part.map(\.inFlight).max() ?? 0)
                if let quota = lane.quota {
                    let shares = part.map { $0.share(of: quota, length: result.curve.length) }
                    stretch.quota = shares.reduce(0, +) / Double(shares.count)
                }
                return stretch
            }
    }

    var figures: [Figure] {
        let all = stretches
        guard !all.isEmpty else { return [] }
        var figures = [
            figure(
                "rate",
                "Rate",
                "Attempts, deliveries and refusals for the project's quota, each second.",
                all,
                [("sent", "a", \.sent), ("delivered", "b", \.delivered), ("429", "bad", \.refused)]
            ),
            figure(
                "in-flight",
                "In flight",
                "At most \(HumanUnits.count(UInt64(result.peakInFlight))) of "
                    + "\(HumanUnits.count(UInt64(lane.connections * lane.streams))) streams are in use.",
                all,
                [("in flight", "a", \.inFlight)]
            ),
        ]
        if lane.quota != nil {
            let percent = all.map { stretch in
                var stretch = stretch
                stretch.quota *= 100
                return stretch
            }
            figures.append(
                figure(
                    "quota",
                    "Quota",
                    "How fast the quota is spent, in percent of the pace that would just use it up; others' traffic included.",
                    percent,
                    [("percent", "a", \.quota)]
                )
            )
        }
        return figures
    }

    /// A line of a picture: what it shows, how it is drawn, and where it is taken from.
    private typealias Line = (name: String, style: String, value: KeyPath<Stretch, Double>)

    private func figure(
        _ id: String,
        _ title: String,
        _ sentence: String,
        _ all: [Stretch],
        _ lines: [Line]
    ) -> Figure {
        Figure(
            id: "\(id)-\(lane.name)",
            title: "\(title): \(lane.name)",
            sentence: sentence,
            svg: picture(of: all, lines, label: "\(title) of \(lane.name) over time. \(sentence)"),
            table: table(of: all, lines, title: "\(title) of \(lane.name)")
        )
    }

    private func picture(of all: [Stretch], _ lines: [Line], label: String) -> String {
        let frame = ChartFrame()
        let time = RunTimeScale(end: all.last?.end ?? 1)
        let scale = LinearScale(upTo: all.flatMap { stretch in lines.map { stretch[keyPath: $0.value] } }.max() ?? 1)
        var drawing = SVGDrawing()
        frame.drawBottomTicks(time.ticks, in: &drawing)
        frame.drawHorizontalGrid(scale.ticks, in: &drawing)
        var labels: [EndLabel] = []
        for (name, style, value) in lines {
            let line = StepLine(
                steps: all.map { stretch in
                    .init(
                        start: frame.x(time.position(stretch.start)),
                        end: frame.x(time.position(stretch.end)),
                        position: scale.position(stretch[keyPath: value])
                    )
                }
            )
            drawing.path(line.path(in: frame), class: "mark line \(style)")
            if let y = line.lastY(in: frame) { labels.append(EndLabel(text: name, y: y, style: style)) }
        }
        EndLabel.draw(labels, in: frame, &drawing)
        return frame.svg(drawing, label: label)
    }

    private func table(of all: [Stretch], _ lines: [Line], title: String) -> HTMLTable {
        var table = HTMLTable(title, [.number("from second")] + lines.map { .number($0.name) })
        for stretch in all {
            let start = FixedDecimal(Int128(stretch.start * 1000), over: 1000, digits: 2)?.description ?? "0"
            table.add(
                [.init(start)] + lines.map { .init(HumanUnits.count(UInt64(stretch[keyPath: $0.value].rounded()))) }
            )
        }
        return table
    }
}

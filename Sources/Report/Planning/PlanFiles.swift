import Histogram
package import Planner

/// What a plan says, for programs.
package enum PlanFiles {
    package static let json = "plan.json"
    package static let csv = "plan.csv"
    package static let page = "plan.html"

    private struct Whole: Encodable {
        let pushbench = "plan"
        let solved: Solved?
        let plan: PlanAnswer
        let whatIf: Changed?
    }

    private struct Changed: Encodable {
        let changes: [String]
        let plan: PlanAnswer
    }

    /// What was solved for, and what came of it.
    package struct Solved: Encodable, Sendable {
        let goal: String
        let value: UInt64
        let unit: String
        package let sentence: String

        package init(goal: String, value: UInt64, unit: String, sentence: String) {
            self.goal = goal
            self.value = value
            self.unit = unit
            self.sentence = sentence
        }
    }

    /// The answer as JSON; on one line, or broken for people.
    package static func writeJSON(
        _ answer: PlanAnswer,
        changed: (answer: PlanAnswer, changes: [String])?,
        solved: Solved?,
        isBroken: Bool,
        to text: ResultText
    ) {
        let changed = changed.map { Changed(changes: $0.changes, plan: $0.answer) }
        let whole = Whole(solved: solved, plan: answer, whatIf: changed)
        OrderedJSON.write(whole, to: text, brokenDepth: isBroken ? 4 : 0)
    }

    /// The median campaign over time, a row for each step and lane.
    package static func writeCSV(_ answer: PlanAnswer, to text: ResultText) {
        let columns = [
            "t_s", "step_s", "lane", "sent", "delivered", "refused", "quota_share", "in_flight",
        ]
        let csv = CSVWriter(to: text, columns: columns)
        for (lane, result) in zip(answer.lanes, answer.median.lanes) {
            let length = result.curve.length
            for (index, step) in result.curve.steps.enumerated() {
                let share = lane.quota.map { quota in
                    seconds(Int64(step.share(of: quota, length: length) * 1e9))
                }
                csv.row([
                    seconds(Int64(index) * length), seconds(length), lane.name, step.sent, step.delivered, step.refused,
                    share,
                    step.inFlight,
                ])
            }
        }
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        FixedDecimal(Int128(nanoseconds), over: 1_000_000_000, digits: 3)?.description ?? "0"
    }
}

extension Curve.Step {
    /// How fast the quota was being spent: 1 for exactly its pace, that of others included.
    func share(of quota: QuotaAnswer, length: Int64) -> Double {
        guard quota.limit > 0, length > 0 else { return 0 }
        return quota.usedByOthers + Double(counted) / Double(quota.limit) * Double(quota.window) / Double(length)
    }
}

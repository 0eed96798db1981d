import Histogram
import Sending

/// The tables of the page that stand open: thresholds, lanes, phases, ends, credentials.
struct PageTables {
    let data: PageData

    private var record: RunRecord { data.record }

    func writeThresholds(to text: ResultText) {
        guard !record.thresholds.isEmpty else { return }
        var table = HTMLTable(
            "Thresholds",
            [.text(""), .text("metric"), .text("condition"), .number("value"), .text("margin")]
        )
        for result in record.thresholds {
            let word = "<b class=\"\(result.holds ? "good" : "bad")\">\(result.word)</b>"
            table.add([
                .init(html: word), .init(result.metric), .init(result.conditionText), .init(result.valueText),
                .init(result.marginText),
            ])
        }
        write(table, id: "thresholds", title: "Thresholds", to: text)
    }

    func writeLanes(to text: ResultText) {
        guard !data.lanes.isEmpty else { return }
        var table = HTMLTable("Lanes, without warm-up", [.text("lane", "lane")] + Self.numbers)
        for lane in data.lanes { table.add([.init(lane.record.name)] + Self.cells(lane.totals)) }
        if data.lanes.count > 1 { table.add([.init(RunTotals.all)] + Self.cells(data.measured)) }
        write(table, id: "lanes", title: "Lanes", to: text)
    }

    /// Only for runs with several measured phases; with one, the lanes say it all.
    func writePhases(to text: ResultText) {
        guard record.measuredPhases.count > 1 else { return }
        var table = HTMLTable("Phases, all lanes", [.text("phase", "phase")] + Self.numbers)
        for index in record.measuredPhases {
            let name = record.phases[index].name
            let totals = record.totals(of: record.lanes, in: [index], phase: name, lane: RunTotals.all)
            table.add([.init(name)] + Self.cells(totals))
        }
        write(table, id: "phases", title: "Phases", to: text)
    }

    func writeOutcomes(to text: ResultText) {
        var table = HTMLTable(
            "How pushes ended, by lane",
            [
                .text("lane", "lane"), .text("answer"), .number("pushes", "count"), .number("share", "share"),
                .text(""),
                .text("what to do", "disposition"),
            ]
        )
        for lane in data.lanes {
            let planned = lane.totals.counts.planned
            for row in lane.totals.outcomes.inOrder {
                table.add([
                    .init(lane.record.name), .init(row.words), .init(HumanUnits.count(row.count)),
                    .init(HumanUnits.percent(row.count, of: planned), exact: .share(row.count, of: planned)),
                    Self.bar(row, of: planned), .init(row.disposition),
                ])
            }
        }
        guard !table.rows.isEmpty else { return }
        write(table, id: "outcomes", title: "How pushes ended", to: text)
    }

    /// A share as a length; decoration only, since the number stands before it.
    private static func bar(_ row: OutcomeRow, of planned: UInt64) -> HTMLTable.Cell {
        let width =
            FixedDecimal(Int128(row.count) * 1_000, over: Int128(max(1, planned)), digits: 0)?.description ?? "0"
        let style = row.disposition == "delivered" ? "plain" : "bad"
        return HTMLTable.Cell(
            html: "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                + "<rect class=\"\(style)\" width=\"\(width)\" height=\"10\"/></svg>"
        )
    }

    func writeCredentials(to text: ResultText) {
        guard !record.credentials.isEmpty else { return }
        var table = HTMLTable(
            "Token use",
            [.text("lane", "lane")] + (record.shards == nil ? [] : [.number("shard", "shard")]) + [
                .text("credential", "credential"), .number("signed", "signed"),
                .number("refreshed", "refreshed"), .number("from cache", "served_from_cache"),
                .number("signing p50"), .number("signing max"), .number("oldest token used"),
            ]
        )
        for use in record.credentials {
            let shard = record.shards == nil ? [] : [HTMLTable.Cell(use.shard.map { "\($0)" } ?? "")]
            let counts = [use.signed, use.refreshed, use.servedFromCache].map { HTMLTable.Cell(HumanUnits.count($0)) }
            table.add(
                [.init(use.lane)] + shard + [.init(use.credential)] + counts + [
                    .init(HumanUnits.time(use.signP50), exact: .microseconds(use.signP50)),
                    .init(HumanUnits.time(use.signMax), exact: .microseconds(use.signMax)),
                    .init(HumanUnits.duration(use.oldestUsed), exact: .seconds(use.oldestUsed)),
                ]
            )
        }
        write(table, id: "credentials", title: "Token use", to: text)
    }

    private func write(_ table: HTMLTable, id: String, title: String, to text: ResultText) {
        text.append("<section id=\"\(id)\"><h2>\(title)</h2>\n\(table.html)</section>\n")
    }
}

// MARK: - Columns of lanes and phases

extension PageTables {
    private static let times: [(heading: String, statistic: String, quantile: Double?)] = [
        ("p50", "p50", 0.5), ("p99", "p99", 0.99), ("p99.9", "p999", 0.999), ("max", "max", nil),
    ]

    private static var numbers: [HTMLTable.Column] {
        let counts = ["planned", "delivered", "rejected", "failed", "skipped", "unanswered"]
        let clocks = [PushClock.response, .service]
            .flatMap { clock in
                times.map {
                    HTMLTable.Column.number(
                        $0.heading,
                        "\(clock.rawValue)_\($0.statistic)_us",
                        group: "\(clock.rawValue) time"
                    )
                }
            }
        return counts.map { .number($0, $0) } + [.number("answered/s", "answered_per_s")] + clocks
    }

    private static func cells(_ totals: RunTotals) -> [HTMLTable.Cell] {
        let counts = totals.counts
        let numbers = [
            counts.planned, counts.delivered, counts.rejected, counts.failed, counts.skipped, counts.unanswered,
        ]
        let rate = HTMLTable.Cell(
            HumanUnits.perSecond(counts.answered, in: totals.duration),
            exact: .perSecond(counts.answered, in: totals.duration)
        )
        let clocks = [totals.clocks.response, totals.clocks.service]
            .flatMap { histogram in
                times.map { column -> HTMLTable.Cell in
                    guard !histogram.isEmpty else { return .init("–") }
                    let time = column.quantile.map { histogram.value(atQuantile: $0) } ?? histogram.max
                    return .init(HumanUnits.time(time), exact: .microseconds(time))
                }
            }
        return numbers.map { .init(HumanUnits.count($0)) } + [rate] + clocks
    }
}

extension OutcomeRow {
    /// What was said: status and reason, or our own word.
    var words: String {
        let reason = reason.isEmpty && status == nil ? "no answer" : HumanUnits.line(reason, limit: 40)
        guard let status else { return reason }
        return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
    }
}

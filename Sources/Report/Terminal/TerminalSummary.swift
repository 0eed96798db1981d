import Histogram
import Sending

/// The result of a run for people: verdict first, then a line for each lane, the error mix and where the files are.
///
/// Tables are about the measured phases; what the warm-up did is said in a line of its own.
package struct TerminalSummary {
    private let record: RunRecord
    private let paint: Paint
    /// The most lines of error mix that a lane gets; the rest is counted and stands in `outcomes.csv`.
    private static let longestMix = 8

    package init(_ record: RunRecord, colours: Bool) {
        self.record = record
        paint = Paint(isOn: colours)
    }

    /// The whole text, with a line end after each line.
    ///
    /// - Parameter folder: where the files are, as the user would type it; nil when none were written.
    package func text(folder: String?) -> String {
        let paragraphs = [
            [heading], verdict, thresholds, lanes, phases, outcomes, remarks, folder.map { [files(in: $0)] } ?? [],
        ]
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

// MARK: - Heading and verdict

extension TerminalSummary {
    private var heading: String {
        let length = record.phases.reduce(0) { $0 + $1.duration }
        let parts = [
            HumanUnits.line(record.name),
            "\(HumanUnits.count(record.environment.devices)) devices",
            "seed \(record.seed)",
            HumanUnits.line(record.environment.hosts),
            "\(record.phases.count) \(record.phases.count == 1 ? "phase" : "phases"), \(HumanUnits.duration(length))",
        ]
        return parts.joined(separator: " · ")
    }

    private var verdict: [String] {
        let word = record.verdict.isValid ? paint.good(record.verdict.word) : paint.bad(record.verdict.word)
        let causes = record.verdict.causes.map { "  - " + HumanUnits.line($0.sentence, limit: 400) }
        let missing = record.missingRemark.map { [paint.bad("MISSING") + "   " + $0] } ?? []
        return ["\(word)   \(figures.joined(separator: " · "))"] + missing + causes
    }

    private var figures: [String] {
        let all = record.measured
        var figures = [
            "\(HumanUnits.count(all.sent)) of \(HumanUnits.count(all.counts.planned)) planned were sent",
            "\(HumanUnits.perSecond(all.counts.answered, in: all.duration)) answered/s",
        ]
        if !all.clocks.lag.isEmpty {
            figures.append("lag p99 \(HumanUnits.time(all.clocks.lag.value(atQuantile: 0.99)))")
        }
        if record.duration > 0 {
            let (used, whole) = (record.generator.cpu, record.duration)
            figures.append("driver \(HumanUnits.percent(UInt64(max(0, used)), of: UInt64(whole), digits: 0)) of a core")
        }
        if let headroom = Headroom(record) { figures.append(headroom.figure) }
        return figures
    }
}

// MARK: - Thresholds

extension TerminalSummary {
    /// Every threshold with its value and margin.
    private var thresholds: [String] {
        var table = TextTable([
            TextTable.Column(heading: "", alignment: .left), TextTable.Column(heading: "", alignment: .left),
            TextTable.Column(heading: "", alignment: .left), TextTable.Column(heading: ""),
            TextTable.Column(heading: "", alignment: .left),
        ])
        for result in record.thresholds {
            table.add([
                result.word, HumanUnits.line(result.metric, limit: 80), result.conditionText, result.valueText,
                result.marginText,
            ])
        }
        // Colours have a width for the table but none on a terminal, so they come last.
        return zip(record.thresholds, table.lines(headings: false))
            .map { result, line in
                let word = result.holds ? paint.good(result.word) : paint.bad(result.word)
                return word + line.dropFirst(result.word.count)
            }
    }
}

// MARK: - Lanes and phases

extension TerminalSummary {
    private var lanes: [String] {
        guard !record.lanes.isEmpty else { return [] }
        let counts = ["planned", "delivered", "rejected", "failed", "skipped", "unanswered"]
        var table = TextTable(
            [TextTable.Column(heading: "lane", alignment: .left)] + counts.map { TextTable.Column(heading: $0) }
                + Self.clockColumns
        )
        for lane in record.lanes {
            let totals = record.totals(of: [lane], in: record.measuredPhases, phase: RunTotals.all, lane: lane.name)
            let counts = totals.counts
            let numbers = [
                counts.planned, counts.delivered, counts.rejected, counts.failed, counts.skipped, counts.unanswered,
            ]
            table.add(
                [HumanUnits.line(lane.name)] + numbers.map(HumanUnits.count) + Self.clockCells(totals.clocks),
                note: Self.batches(lane)
            )
        }
        return table.lines(headings: true)
    }

    /// Only for runs with several measured phases; with one, the lanes say it all.
    private var phases: [String] {
        guard record.measuredPhases.count > 1 else { return [] }
        let rates = ["length", "planned/s", "sent/s", "answered/s"]
        var table = TextTable(
            [TextTable.Column(heading: "phase", alignment: .left)] + rates.map { TextTable.Column(heading: $0) }
                + Self.clockColumns
        )
        for index in record.measuredPhases {
            let name = record.phases[index].name
            let totals = record.totals(of: record.lanes, in: [index], phase: name, lane: RunTotals.all)
            let perSecond = [totals.counts.planned, totals.sent, totals.counts.answered]
                .map {
                    HumanUnits.perSecond($0, in: totals.duration)
                }
            table.add(
                [HumanUnits.line(name), HumanUnits.duration(totals.duration)] + perSecond
                    + Self.clockCells(totals.clocks)
            )
        }
        return table.lines(headings: true)
    }

    private static let clockColumns = [PushClock.response, .service]
        .flatMap { clock in
            [
                TextTable.Column(heading: "\(clock.rawValue) p50", startsGroup: true), TextTable.Column(heading: "p99"),
                TextTable.Column(heading: "p99.9"),
            ]
        }

    private static func clockCells(_ clocks: ClockHistograms) -> [String] {
        [clocks.response, clocks.service]
            .flatMap { times in
                [0.5, 0.99, 0.999].map { times.isEmpty ? "–" : HumanUnits.time(times.value(atQuantile: $0)) }
            }
    }

    private static func batches(_ lane: LaneRecord) -> String {
        let times = lane.batch.values
        guard !times.isEmpty else { return "" }
        let word = times.count == 1 ? "batch" : "batches"
        return "\(HumanUnits.count(times.count)) \(word), p99 \(HumanUnits.time(times.value(atQuantile: 0.99)))"
    }
}

// MARK: - Error mix, remarks, files

extension TerminalSummary {
    /// Every end but "delivered", by lane, the most frequent first.
    private var outcomes: [String] {
        var table = TextTable([
            TextTable.Column(heading: "", alignment: .left), TextTable.Column(heading: "", alignment: .left),
            TextTable.Column(heading: ""), TextTable.Column(heading: ""),
            TextTable.Column(heading: "", alignment: .left),
        ])
        for lane in record.lanes {
            let totals = record.totals(of: [lane], in: record.measuredPhases, phase: RunTotals.all, lane: lane.name)
            let bad = totals.outcomes.inOrder.filter { $0.disposition != "delivered" }.sorted { $0.count > $1.count }
            for (index, row) in bad.prefix(Self.longestMix).enumerated() {
                table.add([
                    index == 0 ? HumanUnits.line(lane.name) : "", row.words, HumanUnits.count(row.count),
                    HumanUnits.percent(row.count, of: totals.counts.planned), row.disposition,
                ])
            }
            let hidden = bad.count - Self.longestMix
            if hidden > 0 { table.add(["", "and \(hidden) more in \(ResultFile.outcomes.name)", "", "", ""]) }
        }
        return table.lines(headings: false)
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if let early = record.earlyEnd { remarks.append(early) }
        let warmUp = record.phases.indices.filter { record.phases[$0].warmUp }
        if !warmUp.isEmpty {
            let totals = record.totals(of: record.lanes, in: warmUp, phase: RunTotals.all, lane: RunTotals.all)
            remarks.append(
                "warm-up: \(HumanUnits.count(totals.counts.planned)) pushes in "
                    + "\(HumanUnits.duration(totals.duration)), left out above"
            )
        }
        if let warning = Headroom(record)?.warning { remarks.append(warning) }
        if let retries = record.retries { remarks.append("retries: " + retries) }
        if let shards = record.shardRemark { remarks.append(shards) }
        if let cost = DriverCost(record) { remarks.append(cost.sentence) }
        return remarks.map(paint.dim)
    }

    private func files(in folder: String) -> String {
        folder + "   " + paint.dim(ResultFile.allCases.map(\.name).joined(separator: "  "))
    }
}

extension RunRecord {
    /// What to say of requests that were sent twice; nil when none was.
    var retries: String? {
        let retries = measured.counts.retries
        guard retries > 0 else { return nil }
        let again = min(retries, measured.retried)
        func requests(_ count: UInt64) -> String {
            count == 1 ? "1 request was" : "\(HumanUnits.count(count)) requests were"
        }
        let unseen = "\(requests(retries - again)) refused unseen and sent again"
        if again == 0 { return unseen }
        let answered = "\(requests(again)) sent again by the retry policy or under a new token"
        return again == retries ? answered : answered + ", " + unseen
    }

    /// All lanes over all measured phases.
    var measured: RunTotals { totals(of: lanes, in: measuredPhases, phase: RunTotals.all, lane: RunTotals.all) }
}

package import LoadPlan
package import Sending

/// Where a run stands, as a few lines that are drawn over and over in the same place of a terminal.
package struct LiveView {
    private let bounds: VerdictBounds
    private let paint: Paint
    private static let second: Int64 = 1_000_000_000
    /// From this width on there is room for columns that one can do without.
    private static let wide = 100
    /// The most kinds of end that the error mix names.
    private static let longestMix = 6

    package init(bounds: VerdictBounds, colours: Bool) {
        self.bounds = bounds
        paint = Paint(isOn: colours)
    }

    /// The lines, none longer than `width` columns.
    ///
    /// - Parameter earlier: where the run stood about a second before, for rates; nil at its start.
    package func lines(_ now: RunProgress, since earlier: RunProgress?, width: Int) -> [String] {
        guard let phase = now.phase else { return ["connecting"] }
        return [heading(now, phase: phase, width: width)] + table(now, since: earlier, width: width)
            + [Self.fitting(mix(now), width)]
    }

    private static func fitting(_ text: String, _ width: Int) -> String {
        if width <= 0 { return "" }
        return text.count <= width ? text : text.prefix(width - 1) + "…"
    }
}

// MARK: - Heading

extension LiveView {
    private func heading(_ now: RunProgress, phase: String, width: Int) -> String {
        let whole = { (time: Int64) in HumanUnits.duration(max(0, time) / Self.second * Self.second) }
        var left = "\(whole(now.duration - now.elapsed)) left"
        if now.elapsed >= now.duration { left = "waiting for answers" }
        let elapsed = min(now.phaseElapsed, now.phaseDuration)
        let words =
            "\(HumanUnits.line(phase, limit: 30)) \(whole(elapsed)) of \(HumanUnits.duration(now.phaseDuration)) · \(left) · "
        let verdict = Self.fitting(verdict(now), max(0, width - words.count))
        // Colours have no width, so they come last.
        return Self.fitting(words, width) + (causes(now).isEmpty ? paint.good(verdict) : paint.bad(verdict))
    }

    private func verdict(_ now: RunProgress) -> String {
        let causes = causes(now)
        return causes.isEmpty ? "VALID so far" : "INVALID so far: \(causes.joined(separator: ", "))"
    }

    /// What would make the run INVALID if it ended now, as far as that can be told by now.
    private func causes(_ now: RunProgress) -> [String] {
        var causes: [String] = []
        if now.lagP99 > bounds.lagP99 { causes.append("lag p99 \(HumanUnits.time(now.lagP99))") }
        if now.backlogOverflowed { causes.append("backlog overflow") }
        if now.longestStall > bounds.stall { causes.append("stall \(HumanUnits.time(now.longestStall))") }
        if now.elapsed > Self.second, Double(now.workerCPU) > bounds.workerCPU * Double(now.elapsed) {
            causes.append("no CPU to spare")
        }
        if now.clockStep.magnitude > bounds.clockStep.magnitude {
            causes.append("clock step \(HumanUnits.time(now.clockStep))")
        }
        return causes
    }
}

// MARK: - Lanes

extension LiveView {
    private func table(_ now: RunProgress, since earlier: RunProgress?, width: Int) -> [String] {
        let isWide = width >= Self.wide
        let names = ["planned/s", "sent/s", "answered/s", "in flight"] + (isWide ? ["waiting", "rejected"] : [])
        let columns = names + ["p50", "p99"]
        var table = TextTable(
            [TextTable.Column(heading: "lane", alignment: .left)] + columns.map { TextTable.Column(heading: $0) }
        )
        let time = now.elapsed - (earlier?.elapsed ?? 0)
        for (index, lane) in now.lanes.enumerated() {
            let before = earlier?.lanes[index] ?? RunProgress.Lane(name: lane.name)
            let rates = [
                (lane.planned, before.planned), (lane.sent, before.sent), (lane.answered, before.answered),
            ]
            .map { HumanUnits.perSecond($0.0 - min($0.0, $0.1), in: time) }
            let others =
                isWide
                ? [Self.count(lane.backlog), HumanUnits.percent(lane.rejected, of: lane.answered, digits: 1)] : []
            let times = [lane.responseP50, lane.responseP99].map { $0.map(HumanUnits.time) ?? "–" }
            table.add([HumanUnits.line(lane.name)] + rates + [Self.count(lane.inFlight)] + others + times)
        }
        return table.lines(headings: true).enumerated()
            .map { index, line in
                let line = Self.fitting(line, width)
                return index == 0 ? paint.dim(line) : line
            }
    }

    private static func count(_ number: Int) -> String { HumanUnits.count(UInt64(max(0, number))) }

    /// The most frequent ends but "delivered", all lanes together.
    private func mix(_ now: RunProgress) -> String {
        guard !now.trouble.isEmpty else { return "no errors" }
        let rows = now.trouble.sorted { $0.count > $1.count }
        var parts = rows.prefix(Self.longestMix).map { "\($0.words) \(HumanUnits.percent($0.count, of: now.planned))" }
        if rows.count > Self.longestMix { parts.append("\(rows.count - Self.longestMix) more") }
        return parts.joined(separator: " · ")
    }
}

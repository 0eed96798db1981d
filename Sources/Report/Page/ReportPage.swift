/// `report.html`: a run as one page that needs nothing but itself: no network, no other file.
///
/// The verdict and its causes come first, then what was run, tables, and pictures that each have their words and numbers
/// below them. All of it is made from the record by exact arithmetic, so the same record gives the same bytes.
enum ReportPage {
    static func write(_ record: RunRecord, to text: ResultText) {
        let data = PageData(record)
        PageHead.write(title: "\(record.verdict.word): \(HumanUnits.line(record.name)) · pushbench", to: text)
        VerdictSection(data: data).write(to: text)
        let tables = PageTables(data: data)
        tables.writeThresholds(to: text)
        tables.writeLanes(to: text)
        tables.writePhases(to: text)
        tables.writeOutcomes(to: text)
        let percentiles = data.lanes.map { PercentileChart.figure($0, in: data) }
        let overTime = [
            LatencyBand.figure(data), HeatMap.figure(data), RateChart.figure(data), QueueChart.figure(data),
            ErrorChart.figure(data), Lifelines.figure(data), TokenChart.figure(data),
        ]
        write((percentiles + overTime).compactMap { $0 }, to: text)
        tables.writeCredentials(to: text)
        Colophon.write(record, to: text)
        PageHead.writeEnd(to: text)
    }

    private static func write(_ figures: [Figure], to text: ResultText) {
        guard !figures.isEmpty else { return }
        text.append("<section id=\"pictures\"><h2>Pictures</h2><div class=\"grid\">\n")
        for figure in figures { figure.write(to: text) }
        text.append("</div></section>\n")
    }
}

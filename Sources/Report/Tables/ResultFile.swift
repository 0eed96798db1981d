/// The files of a result, in the order in which a user would open them.
package enum ResultFile: String, Sendable, CaseIterable {
    /// The whole run as a page.
    case page = "report.html"
    /// The same in short, for a CI job.
    case markdown = "summary.md"
    case summary = "summary.csv"
    case timeline = "timeline.csv"
    case latency = "latency.csv"
    case outcomes = "outcomes.csv"
    case retries = "retries.csv"
    case connections = "connections.csv"
    case credentials = "credentials.csv"
    case histograms = "histograms.hlog"
    /// The record, which all others are made from.
    case record = "run.json"

    /// The file's name in the result's folder.
    package var name: String { rawValue }

    /// Writes the file's bytes; the same record gives the same bytes.
    package func write(_ record: RunRecord, to text: ResultText) {
        switch self {
        case .page: ReportPage.write(record, to: text)
        case .markdown: MarkdownSummary.write(record, to: text)
        case .summary: SummaryTable.write(record, to: text)
        case .timeline: TimelineTable.write(record, to: text)
        case .latency: LatencyTable.write(record, to: text)
        case .outcomes: OutcomesTable.write(record, to: text)
        case .retries: RetriesTable.write(record, to: text)
        case .connections: ConnectionsTable.write(record, to: text)
        case .credentials: CredentialsTable.write(record, to: text)
        case .histograms: HistogramLogFile.write(record, to: text)
        case .record: record.write(to: text)
        }
    }
}

/// A form in which other people's tools take the numbers of a run; raw values are the words of `--export`.
package enum ResultExport: String, Sendable, CaseIterable {
    /// For the GitHub action of that name: `customSmallerIsBetter` and `customBiggerIsBetter` in a file each.
    case githubActionBenchmark = "github-action-benchmark"
    /// The Bencher Metric Format.
    case bencher
    /// The verdict and the thresholds as test cases.
    case junit
    /// The text format that Prometheus scrapes.
    case prometheus
    /// HdrHistogram's log, as in every result.
    case hlog
    /// HdrHistogram's percentile distributions, a file for each lane and clock.
    case hgrm
    /// One OTLP export request for metrics, as JSON.
    case otlpJSON = "otlp-json"
    /// The numbers that hardly move between runs of one build, to compare later runs with.
    case baseline

    /// Whether the form is for what keeps numbers as a history and knows nothing of a verdict.
    package var isForTrackers: Bool { self == .githubActionBenchmark || self == .bencher || self == .baseline }

    /// The files of a record in this form: their names in the result's folder, and what writes them.
    ///
    /// The same record gives the same bytes.
    /// - Returns: nothing for an INVALID run where the form is for trackers, lest a number that says nothing become history.
    package func files(of record: RunRecord) -> [(name: String, contents: (ResultText) -> Void)] {
        guard record.verdict.isValid || !isForTrackers else { return [] }
        switch self {
        case .githubActionBenchmark:
            return [
                ("benchmark-smaller-is-better.json", { TrackerExport.writeCustom(record, .lowerIsBetter, to: $0) }),
                ("benchmark-bigger-is-better.json", { TrackerExport.writeCustom(record, .higherIsBetter, to: $0) }),
            ]
        case .bencher: return [("bencher.json", { TrackerExport.writeBencher(record, to: $0) })]
        case .junit: return [("junit.xml", { JUnitExport.write(record, to: $0) })]
        case .prometheus: return [("metrics.prom", { PrometheusText.write(record, to: $0) })]
        case .hlog: return [(ResultFile.histograms.name, { ResultFile.histograms.write(record, to: $0) })]
        case .hgrm: return PercentileFiles.files(of: record)
        case .baseline: return [("baseline.json", { Baseline(record).write(to: $0) })]
        case .otlpJSON: return [("otlp.json", { OTLPExport.write(record, to: $0) })]
        }
    }
}

import Histogram

/// Metrics in the text format that Prometheus scrapes and its node exporter reads from files.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats, "Text-based format", version 0.0.4.
package enum PrometheusText {
    /// - Parameter isLive: whether the run still goes on, so that nothing is said of what is known at its end only.
    package static func write(_ record: RunRecord, isLive: Bool = false, to text: ResultText) {
        for family in MetricFamilies.of(record, isLive: isLive) where !family.points.isEmpty { write(family, to: text) }
    }

    private static func write(_ family: MetricFamily, to text: ResultText) {
        text.append("# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.word)\n")
        for point in family.points {
            switch point.value {
            case .number(let number): text.append("\(family.name)\(braces(point.labels)) \(number)\n")
            case .times(let buckets): write(buckets, family.name, point.labels, to: text)
            }
        }
    }

    private static func write(
        _ buckets: FixedBuckets,
        _ name: String,
        _ labels: [(name: String, value: String)],
        to text: ResultText
    ) {
        var seen: UInt64 = 0
        for (end, count) in zip(FixedBuckets.ends.map(seconds) + ["+Inf"], buckets.counts) {
            seen += count
            text.append("\(name)_bucket\(braces(labels + [("le", end)])) \(seen)\n")
        }
        text.append("\(name)_sum\(braces(labels)) \(buckets.sum)\n\(name)_count\(braces(labels)) \(buckets.count)\n")
    }

    /// `0.00005`, `2.5`, `10`: without zeros at the end, as other exporters write their bounds.
    private static func seconds(_ nanoseconds: Int64) -> String {
        var digits = Substring(
            (FixedDecimal(Int128(nanoseconds), over: 1_000_000_000, digits: 9) ?? .seconds(0)).description
        )
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return String(digits)
    }

    private static func braces(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension MetricFamily.Kind {
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
